/** What the console's pages are made of. A page is data; `block-markup.ts` makes markup of it. */
import type { Markup } from '../pages/markup.ts'

export type Tone = 'plain' | 'good' | 'waiting' | 'busy' | 'bad'

export interface Text {
  text: string
  href?: string
  tone?: Tone
  /** ISO 8601; the text is made from it. */
  time?: string
  /** Of a time: never told as how long ago. */
  isExact?: boolean
  /** Where scripts run, a button copies the text, or this. */
  copy?: true | string
  /** An id, a key, a code: one width for each sign. */
  isCode?: boolean
  /** It differs from what is usual. */
  isStrong?: boolean
  /** Not to be broken into lines: an amount. */
  isWhole?: boolean
  /** May be long, and without a blank in it: broken anywhere. */
  isLong?: boolean
  /** Under the text, in small letters. */
  note?: string
  title?: string
}

/** `null` is shown as a dash. */
export type Cell = string | null | Text

export interface Column {
  label: string
  isRight?: boolean
  /** Takes what the others leave; what is too long for it is cut off on wide screens, and told beside the pointer. */
  isCut?: boolean
}

export interface Field {
  name: string
  label: string
  type: 'text' | 'area' | 'select' | 'check' | 'password' | 'datetime-local' | 'date' | 'search' | 'file'
  hint?: string
  /** What is wrong with the value, told beside it. */
  problem?: string
  value?: string
  isOptional?: boolean
  options?: readonly (readonly [value: string, text: string])[]
  maxLength?: number
  autocomplete?: string
  /** The first to be written into: of one field of a page. */
  isFocused?: boolean
}

export type Block =
  | { kind: 'notice'; tone: Tone; title: string; lines: readonly string[] }
  | { kind: 'secret'; label: string; value: string; note: string }
  | { kind: 'heading'; text: string; id?: string; note?: string }
  | { kind: 'text'; text: string }
  | { kind: 'list'; items: readonly string[] }
  | { kind: 'links'; items: readonly Text[] }
  | {
      kind: 'tiles'
      label: string
      items: readonly { label: string; value: string; href?: string; tone?: Tone; note?: string }[]
    }
  | { kind: 'facts'; items: readonly (readonly [label: string, value: Cell])[] }
  | {
      kind: 'table'
      label: string
      columns: readonly Column[]
      rows: readonly (readonly Cell[])[]
      empty: string
      /** A list of things that have pages of their own: a line a row, and on a phone no labels. */
      isList?: boolean
    }
  | { kind: 'fold'; title: string; blocks: readonly Block[] }
  | { kind: 'next'; href: string | null }
  | { kind: 'form'; form: Form }
  | { kind: 'filters'; action: string; fields: readonly Field[]; button: string }
  | { kind: 'source'; label: string; text: string }
  | {
      kind: 'month'
      label: string
      /** From a Monday on, in weeks; those without an address are not there. */
      days: readonly { day: string; href?: string; tone: Tone; text: string; short: string }[]
    }
  | { kind: 'bars'; label: string; days: readonly { day: string; parts: readonly Bar[] }[] }
  | { kind: 'drawing'; label: string; svg: Markup }

export interface Bar {
  name: string
  tone: Tone
  count: number
}

export interface Form {
  /** Where it is sent to. */
  action: string
  title: string
  lead?: string
  button: string
  isDanger?: boolean
  fields: readonly Field[]
  hidden: Readonly<Record<string, string>>
  /** The page is there for it: it cannot be folded away. */
  isMain?: boolean
}

export interface RenderContext {
  /** Goes into every form. */
  formToken: string
  /** Of all forms of the page; each adds its place. */
  formsId: string
  /** Where a form was shown, so that it can be shown again with what is wrong. */
  from: string
  /** What was sent and could not be done: its form is open, and filled in as it was. */
  failed: { action: string; values: Readonly<Record<string, string>> } | null
}
