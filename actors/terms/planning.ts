/** Plans the coming days of every party ahead, and plans them anew where a zone's rules are not what they were. */
import type { Instant } from '../../machines/time.ts'
import { allSettlementTerms, cutOffsAfter, settlementTermsOfParty } from '../../persistence/queries/terms.ts'
import type { Row, Store, Write } from '../../persistence/store.ts'
import type { PassResult } from '../foundation/worker.ts'
import { changeProvisioning } from '../parties/revision.ts'
import { planCutOffs } from './cut-offs.ts'

export interface DayPlanningOptions {
  clock: { now(): Instant }
  /** False while the clock is in doubt: then nobody knows which days are coming. */
  isTrusted: () => boolean
}

const recentMs = 2 * 86_400_000

export async function planComingDays(
  store: Store,
  { clock, isTrusted }: DayPlanningOptions,
): Promise<PassResult> {
  if (!isTrusted()) return { more: false }
  let planned = 0
  for (const row of await store.query(allSettlementTerms, {})) {
    const now = clock.now()
    if (missing(row, await cutOffsOf(store, row, now), now).length === 0) continue
    planned += await changeProvisioning(store, {
      async read() {
        const rows = await store.query(settlementTermsOfParty, { partyId: row.party_id })
        const present = rows.find(({ currency }) => currency === row.currency)
        return present && { present, cutOffs: await cutOffsOf(store, present, now) }
      },
      decide(known, at) {
        const writes = known === undefined ? [] : missing(known.present, known.cutOffs, at)
        return { answer: writes.length, writes }
      },
    })
  }
  return { more: false, seen: { planned } }
}

type Terms = Row<'settlement_terms'>

function cutOffsOf(store: Store, { party_id, currency }: Terms, now: Instant) {
  return store.query(cutOffsAfter, { partyId: party_id, currency, at: now - recentMs })
}

function missing(row: Terms, planned: readonly Row<'cut_offs'>[], at: Instant): Write[] {
  const { party_id: partyId, currency } = row
  const rule = { timeZone: row.time_zone, cutOff: row.cut_off }
  return planCutOffs({ partyId, currency, rule, at, planned, hadDays: true })
}
