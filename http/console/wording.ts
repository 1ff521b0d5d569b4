/** What the program itself says in English, such as labels of operations and why one was refused, in the reader's language. */
import type { Said } from './view.ts'

/** A text of an operation: its label, its title, what it says once it is done. Each has a translation, which a test holds. */
export function wording(english: string): Said {
  return ({ wording: known }) => (Object.hasOwn(known, english) ? (known[english] ?? english) : english)
}

/** Why something could not be done. */
export function refusal(english: string): Said {
  return wording(english)
}
