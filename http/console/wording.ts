/** What the program itself says in English, such as labels of operations and why one was refused, in the reader's language. */
import type { Text } from './blocks.ts'
import { isolated } from './isolated.ts'
import { word } from './readable.ts'
import type { Said, View } from './view.ts'

/** A text of an operation: a label, a title, what it says once it is done. Tests hold that each has a translation. */
export function wording(english: string): Said {
  return (_, view) => translationOf(english, view) ?? english
}

/** Why something could not be done, or what the node has found: what has no translation is marked as English. */
export function told(english: string): Text
export function told(english: string | null): Text | null
export function told(english: string | null): Text | null {
  return english === null ? null : { text: english, isEnglish: true }
}

/**
 * `null` where there is none. A text that was put together of several is translated piece by piece: sentence after sentence, and what
 * is wrong behind the name of the place that it is about.
 */
export function translationOf(english: string, view: View): string | null {
  const whole = wholeOf(english, view, isOneSentence) ?? sentencesOf(english, view)
  if (whole !== null) return whole
  const [, place = '', problem] = placed.exec(english) ?? []
  const known = problem === undefined ? null : translationOf(problem, view)
  if (known !== null) return `${wholeOf(place, view) ?? place}: ${known}`
  return wholeOf(english, view)
}

/** The most sentences that are known as one come first. English has few that differ on pages: what is around them stays. */
function sentencesOf(english: string, view: View): string | null {
  const sentences = english.split(sentenceEnd)
  const isEnglish = view.language === 'en'
  for (let count = sentences.length - 1; count > 0; count--) {
    const begun = sentences.slice(0, count).join(' ')
    const known = wholeOf(begun, view, isOneSentence)
    const first = known ?? (isEnglish && count === 1 ? begun : null)
    const others = sentences.slice(count).join(' ')
    const rest = first === null ? null : (translationOf(others, view) ?? (isEnglish ? others : null))
    if (rest !== null) return `${first} ${rest}`
  }
  return null
}

const sentenceEnd = /(?<=[.:]) (?=[^a-z])/

/** What is known of a case is seldom longer: it would have swallowed what is another text. */
function isOneSentence(known: string): boolean {
  return !sentenceEnd.test(known)
}

/** `providers[0].settles[0].keep: is unknown`, `line 3: it has no amount` */
const placed = /^([\w.[\]]+|line \d+): (.+)$/s

type Table = Readonly<Record<string, string>>

function wholeOf(
  english: string,
  view: View,
  mayFill: (known: string) => boolean = () => true,
): string | null {
  const { wording: table } = view.texts
  if (Object.hasOwn(table, english)) return table[english] ?? english
  for (const { longest, pattern, text } of templatesOf(table)) {
    if (!english.includes(longest)) continue
    const match = pattern.exec(english)
    if (match === null || !match.slice(1).every(mayFill)) continue
    let place = 0
    return text.replaceAll('{}', () => isolated(filled(match[++place] ?? '', view)))
  }
  return null
}

/** So much of a text's own tells it from others, where names of parties may be as well. */
const leastOwnLength = 8

/** What is known of the case: moments and amounts as the reader has them, words of the program's own, and texts within texts. */
function filled(known: string, view: View): string {
  const table = view.texts.wording
  if (view.language === 'en') return known
  if (/^\d{4}-\d\d-\d\dT[\d:]{8}(\.\d+)?Z$/.test(known)) return view.time(known)
  const [, amount = '', currency = ''] = /^(-?\d+(?:\.\d+)?) ([A-Z]{3})$/.exec(known) ?? []
  if (currency !== '') return view.money(amount, currency)
  if (Object.hasOwn(table, known)) return table[known] ?? known
  if (/^[A-Z_]+$|^[a-z_]+$/.test(known) && Object.hasOwn(view.texts.words, known))
    return word(view.texts, known)
  const isText = templatesOf(table).some(
    ({ longest, pattern }) =>
      longest.length >= leastOwnLength && known.includes(longest) && pattern.test(known),
  )
  if (isText) return translationOf(known, view) ?? known
  const parts = known.split(', ')
  return parts.length === 1 ? known : parts.map((part) => filled(part, view)).join(', ')
}

/** A text with what is known of its case in it has `{}` in these places. */
interface Template {
  /** The longest piece of its own: what lacks it is another's. */
  readonly longest: string
  readonly pattern: RegExp
  readonly text: string
}

const made = new WeakMap<Table, readonly Template[]>()

function templatesOf(table: Table): readonly Template[] {
  const known = made.get(table)
  if (known !== undefined) return known
  const ownLength = (english: string) => english.replaceAll('{}', '').length
  // The most of a text's own first: a template that is nearly all gaps would take what belongs to others.
  const templates = Object.entries(table)
    .filter(([english]) => english.includes('{}'))
    .toSorted(([left], [right]) => ownLength(right) - ownLength(left))
    .map(([english, text]) => ({ longest: longestOf(english), pattern: patternOf(english), text }))
  made.set(table, templates)
  return templates
}

function longestOf(template: string): string {
  return template.split('{}').reduce((longest, part) => (part.length > longest.length ? part : longest), '')
}

function patternOf(template: string): RegExp {
  const parts = template.split('{}').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${parts.join('(.*?)')}$`, 's')
}
