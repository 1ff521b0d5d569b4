/**
 * Numbers of approvals: the node's, from one on, each given once (protocol 19.6). People tell each other of them; after a restore none
 * may mean another approval than the one somebody was told of.
 */
import type { Instant } from '../../machines/time.ts'
import { factByName } from '../../persistence/queries/node.ts'
import { type Query, type Row, row, type Store, type Write } from '../../persistence/store.ts'
import { parseAnchor } from './anchor.ts'

/** The last that was given, or that a restore has lost. */
export const numberFact = 'approvals.last_number'
/** The last that is outside the database. */
const anchoredFact = 'approvals.anchored_number'
/** Those that a restore has lost: `[{"from", "to", "at"}, …]`. */
export const lostNumbersFact = 'approvals.lost_numbers'

export interface LostNumbers {
  from: number
  to: number
  at: Instant
}

export function lastApproval(counter: Row<'facts'> | null | undefined): number {
  return Number(counter?.value ?? '0')
}

export function numbered(counter: Row<'facts'> | null, number: number): Write {
  return told(numberFact, counter, String(number))
}

function told(name: string, fact: Row<'facts'> | null, value: string): Write {
  return fact === null
    ? { insert: 'facts', values: { name, value } }
    : { update: 'facts', key: { name }, set: { value } }
}

export function lostNumbersIn(fact: Row<'facts'> | null | undefined): LostNumbers[] {
  return fact == null ? [] : JSON.parse(fact.value)
}

export async function lastApprovalNumber(query: Query): Promise<number> {
  const [counter] = await query(factByName, { name: numberFact })
  return lastApproval(counter)
}

/** @returns the last number, where no anchor tells of it yet; otherwise null. */
export async function unanchoredApproval(store: Pick<Store, 'query'>): Promise<number | null> {
  const [anchored] = await store.query(factByName, { name: anchoredFact })
  const last = await lastApprovalNumber((asked, args) => store.query(asked, args))
  return last > lastApproval(anchored) ? last : null
}

/** Killed before this, it is anchored a second time, which says the same. */
export async function markApprovalAnchored(store: Store, number: number): Promise<void> {
  await store.step({
    rows: { anchored: row('facts', { name: anchoredFact }) },
    decide: ({ anchored }) => ({ answer: null, writes: [told(anchoredFact, anchored, String(number))] }),
  })
}

/** Done twice it changes nothing. */
export async function recordLostApprovals(
  store: Store,
  lines: AsyncIterable<string>,
  at: Instant,
): Promise<void> {
  let greatest = 0
  for await (const line of lines) greatest = Math.max(greatest, parseAnchor(line)?.approval ?? 0)
  const result = await store.step({
    rows: { counter: row('facts', { name: numberFact }), lost: row('facts', { name: lostNumbersFact }) },
    decide: ({ counter, lost }) => {
      const last = lastApproval(counter)
      if (greatest <= last) return { answer: null, writes: [] }
      const all = [...lostNumbersIn(lost), { from: last + 1, to: greatest, at }]
      return {
        answer: null,
        writes: [numbered(counter, greatest), told(lostNumbersFact, lost, JSON.stringify(all))],
      }
    },
  })
  if (result.outcome === 'violated') throw new Error(`Lost approvals violated ${result.constraint}.`)
}
