/** The checkout page's languages. */
import type { Locale } from '../../pages/locale.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { pt } from './pt.ts'
import type { Texts } from './texts.ts'

export const texts: Readonly<Record<Locale, Texts>> = { es, pt, en }
