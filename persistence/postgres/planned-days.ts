/**
 * Coming days that a transaction itself plans: what is posted behind them is of those days, as where each statement is sent by
 * itself. Nothing is read where nobody plans, as with every order.
 */
import type { PoolClient } from 'pg'
import type { Instant } from '../../machines/time.ts'
import type { AccountRef, Row, Write } from '../store.ts'
import { run } from './database.ts'
import { arrayOf, Prepared, rowsOf } from './prepared.ts'

type Owner = Pick<Row<'cut_offs'>, 'party_id' | 'currency'>

const readEnds = new Prepared(
  `SELECT party_id, currency, day, ends_at FROM cut_offs WHERE party_id = ANY ($1) AND ends_at > $2`,
)

export class PlannedDays {
  /** By owner and currency: when each day ends. */
  #ends = new Map<string, ReadonlyMap<string, Instant>>()

  /** @param since the time of the earliest step */
  static async open(client: PoolClient, writes: readonly Write[], since: Instant): Promise<PlannedDays> {
    const planned = new PlannedDays()
    const owners = writes.map(ownerOf).filter((owner) => owner !== null)
    if (owners.length === 0) return planned
    for (const owner of owners) planned.#ends.set(keyOf(owner), new Map())
    const parties = [...new Set(owners.map(({ party_id }) => party_id))]
    for (const row of rowsOf(await run(client, readEnds, [arrayOf(parties), since]))) {
      const key = keyOf({ party_id: String(row.party_id), currency: String(row.currency) })
      const ends = planned.#ends.get(key)
      if (ends) planned.#ends.set(key, new Map(ends).set(String(row.day), Number(row.ends_at)))
    }
    return planned
  }

  /** What a step writes, in its order. */
  take(write: Write): void {
    const owner = ownerOf(write)
    if (owner === null) return
    const ends = new Map(this.#ends.get(keyOf(owner)))
    if ('delete' in write && write.delete === 'cut_offs') ends.delete(String(write.key.day))
    if ('insert' in write && write.insert === 'cut_offs') ends.set(write.values.day, write.values.ends_at)
    this.#ends.set(keyOf(owner), ends)
  }

  /** The owner's day at a time, '' where none is planned; null where the transaction plans nothing for it. */
  dayOf({ ownerId, currency }: AccountRef, at: Instant): string | null {
    const ends = this.#ends.get(keyOf({ party_id: ownerId, currency }))
    if (ends === undefined) return null
    const coming = [...ends].filter(([, endsAt]) => endsAt > at).sort(([, a], [, b]) => a - b)
    return coming[0]?.[0] ?? ''
  }

  /** What is planned now, to go back to. */
  mark(): () => void {
    const marked = new Map(this.#ends)
    return () => {
      this.#ends = new Map(marked)
    }
  }
}

/** Whose coming days a write plans. A day's end is never changed: it is planned anew. */
function ownerOf(write: Write): Owner | null {
  if ('insert' in write && write.insert === 'cut_offs') return write.values
  if (!('delete' in write) || write.delete !== 'cut_offs') return null
  const { party_id, currency } = write.key
  return party_id === undefined || currency === undefined ? null : { party_id, currency }
}

function keyOf({ party_id, currency }: Owner): string {
  return `${party_id} ${currency}`
}
