/** Cells and texts of pages as markup. */
import { type Attributes, attributes, html, type Markup } from '../pages/markup.ts'
import type { Cell, Text } from './blocks.ts'
import { say, type View, type Words } from './view.ts'
import { translationOf } from './wording.ts'

export function small(note: Words | Text | undefined, view: View, before = ''): Markup {
  const text = note === undefined ? '' : typeof note === 'object' ? note : say(note, view)
  return text === '' ? html`` : html`${before}<small>${sentence(text, view)}</small>`
}

/** A text is a sentence of its own; what the program says in English may be none of the reader's language. */
export function sentence(text: Words | Text, view: View): Markup {
  if (typeof text !== 'object') return html`${say(text, view)}`
  const said = say(text.text, view)
  const known = text.isEnglish ? translationOf(said, view) : null
  const isPlain = text.isEnglish && text.href === undefined && (known !== null || view.language === 'en')
  return isPlain ? html`${known ?? said}` : cell(text, view)
}

function englishMarkup(text: string, { tone, isLong }: Text, view: View): Markup {
  const known = translationOf(text, view)
  const isForeign = known === null && view.language !== 'en'
  const looks = attributes({
    class: tone ? `badge ${tone}` : isLong && 'long',
    lang: isForeign && 'en',
  })
  return html`<span${looks}><bdi>${known ?? text}</bdi></span>`
}

export const textOf = (value: Exclude<Cell, null>): Text =>
  typeof value === 'string' || typeof value === 'function' ? { text: value } : value

/** @param mayBeAct whether it stands where buttons do */
export function cell(value: Cell, view: View, mayBeAct = false): Markup {
  if (value === null || value === '') return html`<span class="nothing">–</span>`
  const text = textOf(value)
  const { href, title, note, isStrong, isAct } = text
  const plain = cellText(text, view)
  const inner = isStrong ? html`<strong>${plain}</strong>` : plain
  const told = title === undefined ? null : say(title, view)
  const looks = { href, title: told, class: mayBeAct && isAct && 'button quiet' }
  return html`${href ? html`<a${attributes(looks)}>${inner}</a>` : inner}${small(note, view)}`
}

function cellText(shown: Text, view: View): Markup {
  const { time, isExact, href, title, isCode, tone, isWhole, isLong, copy, isEnglish } = shown
  if (time !== undefined) {
    const kind = attributes({ class: isExact && 'exact' })
    return html`<time datetime="${time}"${kind}>${view.time(time)}</time>`
  }
  const text = say(shown.text, view)
  if (isEnglish) return englishMarkup(text, shown, view)
  const looks = attributes({
    class: tone ? `badge ${tone}` : isWhole ? 'whole' : isLong && 'long',
    // A link has it already.
    title: href || title === undefined ? null : say(title, view),
    'data-copy': copy === true ? text : copy,
  })
  return isCode ? html`<code${looks}><bdi>${text}</bdi></code>` : bare(text, looks)
}

/** Half of a list's cells have no looks of their own, and a list has hundreds of them. */
function bare(text: string, looks: Attributes): Markup {
  return String(looks) === '' ? html`<bdi>${text}</bdi>` : html`<span${looks}><bdi>${text}</bdi></span>`
}
