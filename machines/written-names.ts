/**
 * Names and references as people write them. Money is booked by them, so two that look alike must not be two by
 * accident, and none may hold what nobody can see.
 */

/** One spelling of a text: composed (NFC), without blanks around it, each run of blanks one space. */
export function oneSpelling(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\p{Zs}+/gu, ' ')
    .trim()
}

/** Control, private and unassigned-for-ever characters, and what is not drawn or turns the direction of writing. */
const unseen =
  /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\p{Bidi_Control}\u2800]/u

/** What is wrong with a name or reference in its one spelling, as the end of a sentence; `null` when nothing is. */
export function writtenProblem(text: string): string | null {
  const half = /\p{Cs}/u.exec(text)?.[0]
  if (half !== undefined) return `has half of a character (${codePointOf(half)}) in it`
  if (text.includes('\ufffd')) {
    return 'has the replacement character (U+FFFD) in it: it was read in another encoding than it was written in'
  }
  const found = unseen.exec(text)?.[0]
  if (found !== undefined) return `has a character in it that cannot be seen (${codePointOf(found)})`
  if (/^\p{M}/u.test(text)) return 'begins with an accent that belongs to no letter'
  return /[\p{L}\p{N}]/u.test(text) ? null : 'has no letter and no digit in it'
}

/**
 * The same text for names that differ only by accents, case, blanks, the width of their characters, or characters
 * that cannot be seen.
 */
export function likeness(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[\p{M}\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu, '')
    .toUpperCase()
    .toLowerCase()
}

/** What is to be said of a new name that has the likeness of another. @param other with what it is, as in `bank main` */
export function alikeProblem(name: string, other: string): string {
  return `${JSON.stringify(name)} is new, and differs only by accents, case, blanks or width of letters from ${other}`
}

function codePointOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}
