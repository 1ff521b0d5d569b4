/** What the console says, in the languages of those who use it. */
import type { Language } from '../../../actors/people/languages.ts'
import { isolated } from '../isolated.ts'
import { en, type Texts } from './en.ts'
import { es } from './es.ts'
import { pt } from './pt.ts'

export type { Texts }

export const tables: Readonly<Record<Language, Texts>> = {
  en: isolating(en),
  es: isolating(es),
  pt: isolating(pt),
}

/** What is known of a case is isolated from the sentence around it, whichever text it is. */
function isolating<Part>(part: Part): Part {
  // Each part is given back with its own shape.
  if (typeof part === 'function')
    return ((...known: unknown[]) =>
      part(...known.map((one) => (typeof one === 'string' ? isolated(one) : one)))) as Part
  if (typeof part === 'object' && part !== null && !Array.isArray(part))
    return Object.fromEntries(Object.entries(part).map(([name, each]) => [name, isolating(each)])) as Part
  return part
}
