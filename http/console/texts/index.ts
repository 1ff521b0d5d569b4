/** What the console says, in the languages of those who use it. */
import type { Language } from '../../../actors/people/languages.ts'
import { en, type Texts } from './en.ts'
import { es } from './es.ts'
import { pt } from './pt.ts'

export type { Texts }

export const tables: Readonly<Record<Language, Texts>> = { en, es, pt }
