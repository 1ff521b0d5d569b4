/**
 * Markup as a type. `html` is the one way to it from texts, and escapes whatever is no markup already; so a text of
 * somebody else's cannot get onto a page as anything but text, and a page with a misspelt member does not compile.
 */
import { htmlText } from '../../actors/foundation/html-text.ts'

class Written<Kind extends 'markup' | 'attributes'> {
  readonly kind: Kind
  readonly #text: string

  constructor(kind: Kind, text: string) {
    this.kind = kind
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

export type Markup = Written<'markup'>
export type Attributes = Written<'attributes'>

/** What a template may be given. */
export type Content = string | number | Markup | readonly Markup[] | Attributes

/**
 * Between elements stand texts, numbers and markup; between the double quotes of an attribute texts and numbers; in a
 * tag only `attributes`; in a style or a script only markup, since entities mean nothing there.
 *
 * @throws Error for what may not stand where it stands, whatever it is: the template itself is wrong
 */
export function html(parts: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  const places = placesOf(parts)
  let text = parts[0] ?? ''
  for (const [index, content] of contents.entries()) {
    text += textAt(places[index] ?? 'tag', content) + (parts[index + 1] ?? '')
  }
  return new Written('markup', text)
}

/**
 * Attributes that may be left out, for use within a tag: `true` is written by its name alone; `false`, `null` and
 * `undefined` are not written.
 *
 * @param values by names of our own
 */
export function attributes(
  values: Readonly<Record<string, string | number | boolean | null | undefined>>,
): Attributes {
  const written = Object.entries(values).map(([name, value]) => {
    if (value === null || value === undefined || value === false) return ''
    return value === true ? ` ${name}` : ` ${name}="${htmlText(String(value))}"`
  })
  return new Written('attributes', written.join(''))
}

/** Takes a text for markup as it is: for what was drawn or written by ourselves, never for what holds another's text. */
export function trusted(text: string): Markup {
  return new Written('markup', text)
}

type Place = 'between' | 'value' | 'tag' | 'raw'

function textAt(place: Place, content: Content): string {
  if (typeof content === 'string' || typeof content === 'number') {
    if (place === 'between' || place === 'value') return htmlText(String(content))
  } else if (content instanceof Written) {
    const isMarkup = content.kind === 'markup'
    if (isMarkup ? place === 'between' || place === 'raw' : place === 'tag') return String(content)
  } else if (Array.isArray(content) && place === 'between') {
    return content.map((each) => textAt(place, each)).join('')
  }
  const what = content instanceof Written ? content.kind : typeof content
  throw new Error(`A template cannot write ${what} ${placeNames[place]}.`)
}

const placeNames: Readonly<Record<Place, string>> = {
  between: 'between elements',
  value: 'within the quotes of an attribute',
  tag: 'within a tag; use attributes()',
  raw: 'within a style or a script',
}

const known = new WeakMap<TemplateStringsArray, readonly Place[]>()

/** Where the contents of a template go; every template is looked at once. */
function placesOf(parts: TemplateStringsArray): readonly Place[] {
  const found =
    known.get(parts) ?? parts.slice(1).map((_, index) => placeAfter(parts.slice(0, index + 1).join('')))
  known.set(parts, found)
  return found
}

const openTag = /<(?:[a-z/!][^<>"]*(?:"[^"]*"[^<>"]*)*)?$/i
const openValue = /<[a-z/!][^<>"]*(?:"[^"]*"[^<>"]*)*=\s*"[^"]*$/i

function placeAfter(before: string): Place {
  if (openValue.test(before)) return 'value'
  if (openTag.test(before)) return 'tag'
  const isRaw = ['style', 'script'].some(
    (name) => before.lastIndexOf(`<${name}`) > before.lastIndexOf(`</${name}`),
  )
  return isRaw ? 'raw' : 'between'
}
