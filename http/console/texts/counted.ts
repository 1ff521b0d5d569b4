/** Numbers in sentences: which form of a noun goes with one, its language says. */
import type { Language } from '../../../actors/people/languages.ts'

/** A number, and how the reader's figures write it. */
export interface Counted {
  readonly count: number
  readonly text: string
}

/** What goes with one, and with more or none. */
export type Inflect = (counted: Counted, one: string, other: string) => string

/** `1 order`, `1,234 orders`. */
export function countedIn(language: Language): Inflect {
  const rules = new Intl.PluralRules(language)
  return ({ count, text }, one, other) => `${text} ${rules.select(count) === 'one' ? one : other}`
}
