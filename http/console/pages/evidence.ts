/** Documents of the node, such as evidence and what an operator asked for, as people read them. */
import type { Block, Cell } from '../blocks.ts'
import { orderLink, partyLink, time } from '../cells.ts'
import { capital, words } from '../readable.ts'

interface Party {
  id: string
  kind: 'merchant' | 'provider'
  name: string
}

/** Each value with the names that lead to it; parties by their names. */
export function evidenceBlock(evidence: unknown, parties: readonly Party[]): Block {
  const byId = new Map(parties.map((party) => [party.id, party]))
  const rows = membersOf(evidence, []).map(([path, value]): [string, Cell] => {
    const name = capital(path.map(words).join(' › ')) || 'It'
    return [
      name.replace(/ (?:id|ids)$/, (end) => (isPartyId(value, byId) ? '' : end)),
      cellOf(path, value, byId),
    ]
  })
  return {
    kind: 'table',
    label: 'Evidence',
    empty: 'There is none.',
    columns: [{ label: 'What' }, { label: 'Value' }],
    rows,
  }
}

/** The same in a line: `reason: twice; order: …bbad6185`. */
export function inWords(value: unknown): string {
  return membersOf(value, [])
    .map(([path, member]) => `${path.map(words).join(' ')}: ${textOf(member)}`)
    .join('; ')
}

type Scalar = string | number | boolean | null
type Member = readonly [path: readonly string[], value: Scalar]

function membersOf(value: unknown, path: readonly string[]): Member[] {
  if (Array.isArray(value)) {
    return value.flatMap((each, index) =>
      membersOf(each, value.length === 1 ? path : [...path, String(index + 1)]),
    )
  }
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, member]) => membersOf(member, [...path, name]))
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return [[path, value]]
  return value === null ? [[path, null]] : []
}

function textOf(value: Scalar): string {
  if (value === null) return '–'
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value)
}

const isPartyId = (value: Scalar, byId: ReadonlyMap<string, Party>) =>
  typeof value === 'string' && byId.has(value)

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

function cellOf(path: readonly string[], value: Scalar, byId: ReadonlyMap<string, Party>): Cell {
  const name = path.at(-1) ?? ''
  if (typeof value === 'number' && /(^at|At|until|Until)$/.test(name))
    return time(new Date(value).toISOString())
  if (typeof value !== 'string') return value === null ? null : textOf(value)
  const party = byId.get(value)
  if (party !== undefined) return partyLink(party.kind, party.name)
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value)) return time(value)
  if (uuid.test(value)) {
    if (/^order(Id)?$/.test(name)) return orderLink(value)
    if (name === 'webhook') return { text: value, href: `/webhooks/${value}`, isCode: true }
    if (name === 'exception') return { text: value, href: `/exceptions/${value}`, isCode: true }
    return { text: value, isCode: true, copy: true }
  }
  return { text: value, isLong: true }
}
