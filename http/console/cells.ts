/** Cells that many pages share. */
import type { Cell, Column, Text } from './blocks.ts'
import { toneOf } from './meanings.ts'
import { named, word, words } from './readable.ts'
import type { Said } from './view.ts'

/** A word that says how something is. */
export function state(text: string): Text {
  return { text: named(text), tone: toneOf(text) }
}

/** How long ago, where scripts run; the moment itself is told beside the pointer and with what is focused. */
export function time(iso: string | null): Cell {
  return iso === null ? null : { text: iso, time: iso }
}

/** The moment itself, where one is compared with another. */
export function moment(iso: string | null): Cell {
  return iso === null ? null : { text: iso, time: iso, isExact: true }
}

export function code(text: string | null): Cell {
  return text === null ? null : { text, isCode: true }
}

export function orderLink(id: string): Text
export function orderLink(id: string | null): Text | null
export function orderLink(id: string | null): Text | null {
  return id === null ? null : shortLink(`/orders/${id}`, id)
}

export function shortLink(href: string, id: string): Text {
  return { text: shortId(id), title: id, href, isCode: true }
}

/** The last eight digits tell one from another, as the first are the time; the rest is in the title, and on its page. */
export function shortId(id: string): string {
  return id.length > 12 ? `…${id.slice(-8)}` : id
}

/** As people read codes out: `8401 2937 5561 204`. */
export function groupedCode(text: string): Text {
  return { text: inGroups(text), isCode: true, isWhole: true, bare: text }
}

export function inGroups(text: string): string {
  return text.match(/.{1,4}/g)?.join(' ') ?? text
}

/** Who has said something, such as `merchant:Shop` or `operator:ana`: parties have pages, and operators their name alone. */
export function actorCell(actor: string): Text {
  const [, kind, name] = /^(merchant|provider|operator):(.*)$/s.exec(actor) ?? []
  if (name === undefined) return { text: named(actor) }
  return kind === 'merchant' || kind === 'provider' ? partyLink(kind, name) : { text: name }
}

export function partyLink(kind: 'merchant' | 'provider', name: string): Text {
  return { text: name, href: partyPath(kind, name), ...titleOf(name) }
}

/** Longer names are cut off in tables. */
const shortName = 28

/** Of a name that may be cut off: told beside the pointer. */
export function titleOf(name: string): { title?: string } {
  return name.length > shortName ? { title: name } : {}
}

/**
 * The page of a party. URLs take `.` and `..` for steps between folders, however they are encoded, so these names have a
 * tilde in front, and so have those that would be taken for one with it: `partyNameIn` takes it off again.
 */
export function partyPath(kind: 'merchant' | 'provider', name: string): string {
  const segment = /^~*\.{1,2}$/.test(name) ? `~${name}` : name
  return `/${kind}s/${encodeURIComponent(segment.toWellFormed())}`
}

/** @param segment decoded */
export function partyNameIn(segment: string | undefined): string {
  return /^~+\.{1,2}$/.test(segment ?? '') ? (segment ?? '').slice(1) : (segment ?? '')
}

export function money(amount: string, currency: string): Text {
  return { text: (_, view) => view.money(amount, currency), isWhole: true, figure: { amount, currency } }
}

/** Of a column that names the currency elsewhere. */
export function amountOf(amount: string, currency: string): Text {
  return {
    text: (_, view) => view.amount(amount, currency),
    isWhole: true,
    figure: { amount, currency: '' },
  }
}

/** `available of Shop`: an account of the ledger. */
export function accountName(text: string): Said {
  const [, kind, party] = /^([a-z_]+) of (.*)$/s.exec(text) ?? []
  // The name of a party or a bank stays as its own people write it.
  if (kind === undefined || party === undefined) return text === words(text) ? named(text) : () => text
  return (texts) => texts.posted.accountOf(word(texts, kind), party)
}

/** A day of a calendar. */
export function day(text: string): Said
export function day(text: string | null): Said | null
export function day(text: string | null): Said | null {
  return text === null ? null : (_, view) => view.day(text)
}

/** From one day to another, both within it. */
export function days(from: string, to: string): Said {
  return ({ frame }, view) => (from === to ? view.day(from) : frame.days(view.day(from), view.day(to)))
}

export function count(number: number): Said {
  return (_, view) => view.number(number)
}

/** Whether the oldest are asked for first. */
export function isOldestFirst(query: URLSearchParams): boolean {
  return query.get('sort') === 'oldest'
}

/** Of the column that a list is sorted by. */
export function sortedBy(path: string, query: URLSearchParams): NonNullable<Column['sorted']> {
  const rest = new URLSearchParams(query)
  for (const name of ['cursor', 'sort']) rest.delete(name)
  if (isOldestFirst(query)) return { href: linkTo(path, rest, {}), way: 'ascending' }
  return { href: linkTo(path, rest, { sort: 'oldest' }), way: 'descending' }
}

/** The same page with other parameters. */
export function linkTo(
  path: string,
  query: URLSearchParams,
  changes: Readonly<Record<string, string>>,
): string {
  const next = new URLSearchParams(query)
  next.delete('done')
  for (const [name, value] of Object.entries(changes)) next.set(name, value)
  return `${path}?${next}`
}
