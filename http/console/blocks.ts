/** What the console's pages are made of. A page is data; `block-markup.ts` makes markup of it. */
import type { ShownPosting } from '../../actors/orders/postings-shown.ts'
import type { Markup } from '../pages/markup.ts'
import type { Said, View, Words } from './view.ts'

export type Tone = 'plain' | 'good' | 'waiting' | 'busy' | 'bad'

export interface Text {
  text: Words
  href?: string
  tone?: Tone
  /** ISO 8601; the text is made from it. */
  time?: string
  /** The program's own English: in the reader's language where there is a translation, and else marked as what it is. */
  isEnglish?: boolean
  /** Of a time: never told as how long ago. */
  isExact?: boolean
  /** Where scripts run, a button copies the text, or this. */
  copy?: true | string
  /** An id, a key, a code: one width for each sign. */
  isCode?: boolean
  /** Among links, one that opens what can be done: it looks like a button. */
  isAct?: true
  /** It differs from what is usual. */
  isStrong?: boolean
  /** As a file has it, where that differs: without what is there for the eye. */
  bare?: string
  /** An amount as a file has it: a decimal, and its currency where it has one. */
  figure?: { amount: string; currency: string }
  /** Not to be broken into lines: an amount. */
  isWhole?: boolean
  /** May be long, and without a blank in it: broken anywhere. */
  isLong?: boolean
  /** Under the text, in small letters. */
  note?: Words | Text
  title?: Words
}

/** `null` is shown as a dash. */
export type Cell = string | null | Text | Said

export interface Column {
  label: Words
  /** Each operator may leave it out. */
  key?: string
  /** The list may be had by it, both ways. */
  sorted?: {
    href: string
    way: 'ascending' | 'descending' | 'none'
    /** By what is in the column, whatever it is; otherwise it is of times. */
    isOfAll?: boolean
  }
  isRight?: boolean
  /** Takes what the others leave; what is too long for it is cut off on wide screens, and told beside the pointer. */
  isCut?: boolean
}

export interface Field {
  name: string
  label: Words
  type:
    | 'text'
    | 'amount'
    | 'units'
    | 'area'
    | 'select'
    | 'check'
    | 'password'
    | 'datetime-local'
    | 'date'
    | 'search'
    | 'file'
  hint?: Words
  /** What is wrong with the value, told beside it. */
  problem?: Words | Text
  value?: string
  isOptional?: boolean
  /** Of a choice: none is made beforehand, and one has to be. */
  isChosen?: boolean
  options?: readonly (readonly [value: string, text: Words])[]
  maxLength?: number
  autocomplete?: string
  /** The first to be written into: of one field of a page. */
  isFocused?: boolean
  /** JSON, or the like: one width for each sign. */
  isCode?: boolean
}

/** What a page tells of itself, or a form of how it ended. */
export interface Notice {
  kind: 'notice'
  tone: Tone
  title: Words
  lines: readonly (Words | Text)[]
}

export type Block =
  | Notice
  | { kind: 'secret'; label: Words; value: string; note: Words }
  | { kind: 'heading'; text: Words; id?: string; note?: Words }
  | { kind: 'text'; text: Words | Text }
  | { kind: 'list'; items: readonly Words[] }
  | { kind: 'links'; items: readonly Text[] }
  | {
      kind: 'tiles'
      label: Words
      items: readonly { label: Words; value: Words; href?: string; tone?: Tone; note?: Words }[]
    }
  /** Things of which sentences are said: no table, whose lines these would break. */
  | { kind: 'explained'; items: readonly { name: Cell; value: Cell; lines: readonly Cell[] }[] }
  | { kind: 'facts'; items: readonly (readonly [label: Words, value: Cell])[] }
  | {
      kind: 'table'
      label: Words
      columns: readonly Column[]
      rows: readonly (readonly Cell[])[]
      empty: Words
      /** It can be had as a file, by this name. */
      list?: string
      /** A list of things that have pages of their own: a line a row, and on a phone no labels. */
      isList?: boolean
    }
  | { kind: 'fold'; title: Words; blocks: readonly Block[] }
  | {
      kind: 'next'
      href: string | null
      /** Of a list that is all there, and shown in parts: which lines these are, and where those before them are. */
      part?: Said
      before?: string | null
    }
  | { kind: 'form'; form: Form }
  | { kind: 'filters'; action: string; fields: readonly Field[]; button: Words }
  | { kind: 'source'; label: Words; text: string }
  | {
      kind: 'month'
      label: Words
      /** From a Monday on, in weeks; those without an address are not there. */
      days: readonly { day: string; href?: string; tone: Tone; text: Words; short: Words }[]
    }
  | {
      kind: 'bars'
      label: Words
      /** What is counted. */
      unit: Words
      days: readonly { day: string; parts: readonly Bar[] }[]
    }
  | { kind: 'drawing'; label: Words; svg: Markup }
  | { kind: 'qr'; label: Words; text: string }

export interface Bar {
  name: Words
  tone: Tone
  count: number
}

export interface Form {
  /** Where it is sent to. */
  action: string
  title: Words
  lead?: Words
  /** What it would book as things are: shown before the button is pressed. */
  books?: readonly ShownPosting[]
  button: Words
  isDanger?: boolean
  fields: readonly Field[]
  hidden: Readonly<Record<string, string>>
  /** The page is there for it: it cannot be folded away. */
  isMain?: boolean
  /** It stands open beside the page, which this leads back to. */
  closeHref?: string
  /** What scripts ask of an authenticator; what it answers is sent in the hidden field `passkey`. */
  passkey?: PasskeyRequest
}

/** `get` beside the form's fields, by a button of its own; `create` when the form is sent. */
export type PasskeyRequest =
  | { kind: 'get'; options: object; button: Words }
  | { kind: 'create'; options: object }

export interface FailedForm {
  action: string
  values: Readonly<Record<string, string>>
  /** Why, a line each: one that begins with the name of a field is told beside it. */
  details?: readonly string[]
  /** The whole of it, for a form that covers the page. */
  notice?: Notice
}

export interface RenderContext {
  view: View
  /** Goes into every form. */
  formToken: string
  /** Of all forms of the page; each adds its place. */
  formsId: string
  /** Where a form was shown, so that it can be shown again with what is wrong. */
  from: string
  /** What was sent and could not be done: its form is open, and filled in as it was. */
  failed: FailedForm | null
}
