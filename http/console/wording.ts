/** What the program itself says in English, such as labels of operations and why one was refused, in the reader's language. */
import type { Text } from './blocks.ts'
import type { Texts } from './texts/index.ts'
import type { Said } from './view.ts'

/** A text of an operation: a label, a title, what it says once it is done. Tests hold that each has a translation. */
export function wording(english: string): Said {
  return ({ wording: known }) => translated(english, known) ?? english
}

/** Why something could not be done, or what the node has found: what has no translation is marked as English. */
export function told(english: string): Text
export function told(english: string | null): Text | null
export function told(english: string | null): Text | null {
  return english === null ? null : { text: english, isEnglish: true }
}

/** `null` where there is none. */
export function translationOf(english: string, { wording: known }: Texts): string | null {
  return translated(english, known)
}

type Table = Readonly<Record<string, string>>

/** A text with what is known of its case in it has a template, with `{}` in these places. */
function translated(english: string, table: Table): string | null {
  if (Object.hasOwn(table, english)) return table[english] ?? english
  for (const { pattern, text } of templatesOf(table)) {
    const match = pattern.exec(english)
    if (match === null) continue
    let place = 0
    return text.replaceAll('{}', () => match[++place] ?? '')
  }
  return null
}

interface Template {
  readonly pattern: RegExp
  readonly text: string
}

const made = new WeakMap<Table, readonly Template[]>()

function templatesOf(table: Table): readonly Template[] {
  const known = made.get(table)
  if (known !== undefined) return known
  // The most of a text's own first: a template that is nearly all gaps would take what belongs to others.
  const templates = Object.entries(table)
    .filter(([english]) => english.includes('{}'))
    .toSorted(([left], [right]) => right.length - left.length)
    .map(([english, text]) => ({ pattern: patternOf(english), text }))
  made.set(table, templates)
  return templates
}

function patternOf(template: string): RegExp {
  const parts = template.split('{}').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${parts.join('(.*?)')}$`, 's')
}
