/**
 * Forms for what `apply` can do: each makes such a file of what is written into it, so that there is one way to change anything. What the
 * file would change is shown first, and applied from there (`provisioning.ts`).
 */
import { parseJson } from '../../../actors/foundation/json-text.ts'
import { apply } from '../../../actors/provisioning/operations.ts'
import type { Block, Column, Field, Text } from '../blocks.ts'
import { linkTo } from '../cells.ts'
import { formPath } from '../forms.ts'
import type { FormValues, PageRequest } from '../page.ts'
import { typeableAmount } from '../typed-amounts.ts'
import type { Words } from '../view.ts'

/** Where a form for a part of a file is sent to, to be looked at. */
export const previewPath = `${formPath(apply)}/preview`

export interface Draft {
  /** Hidden in its form. */
  readonly name: string
  readonly title: Words
  readonly lead?: Words
  readonly fields: readonly Field[]
  /** The file, as far as it is said: whether it is one, `apply` says. */
  document(values: FormValues): Record<string, unknown>
}

/** A form as a page offers it: of which object, and how that is now. */
export interface Offered {
  readonly draft: Draft
  /** In the address of the page while the form is open; of this object alone. */
  readonly key: string
  readonly title?: Words
  /** Whose it is; not asked for. */
  readonly hidden?: Readonly<Record<string, string>>
  /** How it is now. */
  readonly values?: Readonly<Record<string, string | null>>
  readonly adjusted?: Readonly<Record<string, Partial<Field>>>
}

/** Opens the form of that key beside what it is about; not for those who may not apply anything. */
export function draftLink(request: PageRequest, path: string, key: string, text: Words): Text[] {
  if (!request.may(apply)) return []
  return [{ text, href: linkTo(path, request.query, { form: key }), isAct: true }]
}

/** The column of such links, in a table of what they change. */
export function draftColumn({ may }: PageRequest): Column[] {
  return may(apply) ? [{ label: ({ drafts }) => drafts.change }] : []
}

/** The form that the address asks for, if there is one. */
export function openedDraft(request: PageRequest, path: string, offered: readonly Offered[]): Block[] {
  const wanted = request.query.get('form')
  const found = offered.find(({ key }) => key === wanted)
  if (found === undefined || !request.may(apply)) return []
  const { draft, title = draft.title, hidden = {}, values = {}, adjusted = {} } = found
  // Amounts are of the currency that the form is about, whether it asks for it or not.
  const currency = hidden.currency ?? values.currency ?? ''
  const fields = draft.fields
    .filter(({ name }) => !Object.hasOwn(hidden, name))
    .map((field) => ({
      ...field,
      ...begunWith(values[field.name], field.type === 'amount' ? currency : ''),
      ...adjusted[field.name],
    }))
  return [
    {
      kind: 'form',
      form: {
        action: previewPath,
        title,
        ...(draft.lead === undefined ? {} : { lead: draft.lead }),
        button: ({ drafts }) => drafts.showTheChanges,
        // What would be is asked for as often as somebody likes.
        hidden: { draft: draft.name, dryRun: 'yes', ...hidden },
        fields: fields.map((field, index) => (index === 0 ? { ...field, isFocused: true } : field)),
        closeHref: closedPath(path, request.query),
      },
    },
  ]
}

function begunWith(value: string | null | undefined, currency: string): { value?: string } {
  return value === undefined || value === null ? {} : { value: typeableAmount(value, currency) }
}

function closedPath(path: string, query: URLSearchParams): string {
  const rest = new URLSearchParams(query)
  for (const name of ['form', 'done']) rest.delete(name)
  return rest.size === 0 ? path : `${path}?${rest}`
}

/** Members that were filled in. */
export function said(values: FormValues, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    names.flatMap((name) => (isEmpty(values[name]) ? [] : [[name, values[name]] as const])),
  )
}

/** Members that are there or not: an empty field takes one away. */
export function saidOrNone(values: FormValues, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, isEmpty(values[name]) ? null : values[name]]))
}

/** Whole numbers as such; what is none stays a text, and `apply` says that it is none. */
export function numbers(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [
      name,
      typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value,
    ]),
  )
}

/** `MON, thu` as a list, without what is empty. */
export function listed(text: string | undefined): string[] {
  return (text ?? '').split(/[\s,;]+/).filter((word) => word !== '')
}

function isEmpty(text: string | undefined): boolean {
  return text === undefined || text === ''
}

/** What is no JSON stays a text, and `apply` says that it is none of its members. */
export function jsonOr(text: string): unknown {
  const read = parseJson(text)
  return read.ok ? read.value : text
}
