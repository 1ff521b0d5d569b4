/** Documents of the node, such as evidence and what an operator asked for, as people read them. */
import type { Block, Cell } from '../blocks.ts'
import { orderLink, partyLink, time } from '../cells.ts'
import { capitalized, joined, named } from '../readable.ts'
import type { Said, Words } from '../view.ts'

interface Party {
  id: string
  kind: 'merchant' | 'provider'
  name: string
}

/** Each value with the names that lead to it; parties by their names. */
export function evidenceBlock(evidence: unknown, parties: readonly Party[]): Block {
  const byId = new Map(parties.map((party) => [party.id, party]))
  const rows = membersOf(evidence, []).map(([path, value]): [Said, Cell] => {
    // A party is shown by its name, and no id of it is.
    const shown = isPartyId(value, byId) ? path.map((name) => name.replace(/Ids?$|_ids?$/, '')) : path
    return [nameOf(shown), cellOf(path, value, byId)]
  })
  return {
    kind: 'table',
    label: (texts) => texts.common.evidence,
    empty: (texts) => texts.common.thereIsNone,
    columns: [{ label: (texts) => texts.common.what }, { label: (texts) => texts.common.value }],
    rows,
  }
}

/** The same in a line: `reason: twice; order: …bbad6185`. */
export function inWords(value: unknown): Said {
  const members = membersOf(value, []).map(([path, member]) =>
    joined(
      [joined(path.map(named), ' '), isWord(path, member) ? named(String(member)) : textOf(member)],
      ': ',
    ),
  )
  return joined(members, '; ')
}

function nameOf(path: readonly string[]): Said {
  return path.length === 0 ? ({ evidence }) => evidence.it : capitalized(joined(path.map(named), ' › '))
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

function textOf(value: Scalar): Words {
  if (value === null) return '–'
  if (typeof value !== 'boolean') return String(value)
  return ({ common }) => (value ? common.yes : common.no)
}

/** What these members say is a word of the program's own. */
const isWord = (path: readonly string[], value: Scalar) =>
  typeof value === 'string' && ['as', 'kind'].includes(path.at(-1) ?? '')

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
  // What is one word of the program's own, such as an outcome, is one of the reader's.
  return { text: /^[a-z]+(_[a-z]+)*$/.test(value) ? named(value) : value, isLong: true }
}
