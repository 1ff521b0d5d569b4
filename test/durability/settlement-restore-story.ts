/** What an operator does whose database was put back: says of each payment that was lost what its bank says, and goes on. */

import * as assert from 'uvu/assert'
import { createAnchoring } from '../../actors/anchors/anchoring.ts'
import { createRestoreWatch } from '../../actors/anchors/restore-watch.ts'
import { createCondition } from '../../actors/condition/condition.ts'
import { OperationError } from '../../actors/foundation/operation.ts'
import { exceptionResolve } from '../../actors/resolutions/operations.ts'
import { createClosing } from '../../actors/settlement/closing-worker.ts'
import { paymentBook, paymentOrder, paymentReturn } from '../../actors/settlement/payment-operations.ts'
import { paymentDue } from '../../actors/settlement/runs.ts'
import { settlementResume } from '../../actors/settlement/statement-operations.ts'
import { anchorAll } from '../../node/anchors-file.ts'
import { openStore } from '../../persistence/index.ts'
import { LineLog } from '../../persistence/line-log.ts'
import type { Row, Store } from '../../persistence/store.ts'
import { fakeClock } from '../support/clock.ts'
import { allRows } from '../support/database.ts'
import { operatorOf } from '../support/operations.ts'
import { journalKey, registryOf } from '../support/order-world.ts'
import { type SettlementTold, settleDays } from './settlement-story.ts'

const reason = 'as the bank says'

/** What whoever is outside has, the bank before all: which payments it was given, and which have come back. */
interface Outside {
  paid: Map<string, { party: string; amount: string }>
  returned: Set<string>
  sealed: Map<string, string>
}

function outsideOf(told: readonly SettlementTold[]): Outside {
  const outside: Outside = { paid: new Map(), returned: new Set(), sealed: new Map() }
  for (const one of told) {
    if (one.is === 'file') for (const { id, ...paid } of one.payments) outside.paid.set(id, paid)
    if (one.is === 'payment' && one.state === 'returned') outside.returned.add(one.id)
    if (one.is === 'sealed') outside.sealed.set(one.statement, one.digest)
  }
  return outside
}

export interface Settled {
  numbers: number
  payments: number
  /** Numbers that were told and are issued again for something else. */
  again: string[]
  /** Each that the bank was ever given, once. */
  atBank: string[][]
  /** What was told since, which has to be there. */
  kept: SettlementTold[]
}

/** @param told by the database that is gone */
export async function restoreAndSettle(file: string, told: readonly SettlementTold[]): Promise<Settled> {
  const outside = outsideOf(told)
  const lost = await goOn(file, outside)
  const kept: SettlementTold[] = []
  await settleDays(file, (one) => kept.push(one))
  const after = outsideOf(kept)
  const issued = await readStatements(file)
  const again = [...outside.sealed].filter(
    ([statement, digest]) => issued.has(statement) && issued.get(statement) !== digest,
  )
  const atBank = new Map([...outside.paid, ...after.paid])
  return {
    ...lost,
    kept,
    again: again.map(([statement]) => statement),
    atBank: [...atBank.values()].map(({ party, amount }) => [party, amount]).toSorted(),
  }
}

async function readStatements(file: string): Promise<Map<string, string | null>> {
  const store = await openStore(`sqlite:${file}`, { clock: fakeClock() })
  try {
    const statements = await allRows(store, 'statements')
    return new Map(statements.map((one) => [`${one.party_id} ${one.number}`, one.digest]))
  } finally {
    await store.close()
  }
}

async function goOn(file: string, outside: Outside): Promise<{ numbers: number; payments: number }> {
  const clock = fakeClock(Date.UTC(2026, 2, 6, 11))
  const store = await openStore(`sqlite:${file}`, { clock })
  const condition = createCondition()
  const anchoring = createAnchoring({
    ...{ store, clock, condition, journalKey },
    anchors: new LineLog(`${file}.anchors`),
    restoreWatch: await createRestoreWatch({ store, clock, condition }),
    log: { info() {} },
  })
  try {
    await anchoring.begin()
    const orders = registryOf(store, clock)
    const operator = operatorOf({ store, clock, orders, anchorNow: () => anchorAll(anchoring) })
    const numbers = (await allRows(store, 'lost_statements')).length
    const lost = await allRows(store, 'lost_payments')
    const isStopped = (await allRows(store, 'facts')).some(({ name }) => name === 'settlement_stopped')
    assert.is(isStopped || numbers + lost.length === 0, true, 'what was lost stops settlement')
    if (!isStopped) return { numbers, payments: 0 }
    const close = createClosing({
      orders,
      clock,
      isTrusted: () => true,
      isStopping: () => false,
      log: { info() {}, error() {} },
    })
    const before = (await allRows(store, 'statements')).length
    await close(store)
    assert.is((await allRows(store, 'statements')).length, before, 'nothing is closed')
    const stopped = await operator.refusal('payment.due', { order: true, bank: 'main', on: '2026-03-31' })
    assert.match(stopped.message, /^(Settlement is stopped|Nothing is due)/)
    await operator.ask(settlementResume, { reason })
    await closeAll(store, close, () => anchorAll(anchoring))
    // Before anything is said of them, a run leaves their parties out.
    const waiting = new Set(lost.map(({ party_id }) => party_id))
    const toThem = async () =>
      (await allRows(store, 'payments')).filter((one) => waiting.has(one.party_id) && one.direction === 'out')
        .length
    const ordered = await toThem()
    const run = { order: true, bank: 'main', on: '2026-03-31' }
    await operator.ask(paymentDue, run).catch((error: unknown) => {
      if (!(error instanceof OperationError)) throw error
    })
    assert.is(await toThem(), ordered, 'nothing is ordered for those whose payments are lost')
    // In the order of the bank's lines: what came back was due again only then.
    await sayWhatCameBack(operator, await allRows(store, 'payments'), outside)
    const isBack = (id: string) => outside.returned.has(id)
    for (const one of lost.toSorted((a, b) => Number(isBack(b.id)) - Number(isBack(a.id))))
      await say(operator, one, outside)
    return { numbers, payments: lost.length }
  } finally {
    await anchoring.finish()
    await store.close()
  }
}

async function closeAll(
  store: Store,
  close: ReturnType<typeof createClosing>,
  anchor: () => Promise<void>,
): Promise<void> {
  for (let pass = 0; pass < 5; pass++) {
    const { seen } = await close(store)
    if (seen?.waiting === 0) return
    await anchor()
  }
  throw new Error('statements are closed and not sealed')
}

/** The node knows these payments still, and not that they came back. */
async function sayWhatCameBack(
  { ask }: ReturnType<typeof operatorOf>,
  payments: readonly Row<'payments'>[],
  { returned }: Outside,
): Promise<void> {
  for (const { id, state } of payments) {
    if (!returned.has(id) || state === 'returned') continue
    if (state !== 'booked') await ask(paymentBook, { id, reference: `SPEI ${id}`, reason })
    await ask(paymentReturn, { id, reference: `back ${id}`, reason })
  }
}

/** The bank has paid what it was given, and some of it came back. */
async function say(
  { ask }: ReturnType<typeof operatorOf>,
  { id, exception_id, bank }: Row<'lost_payments'>,
  { paid, returned }: Outside,
): Promise<void> {
  const party = paid.get(id)?.party
  if (party === undefined) {
    await ask(exceptionResolve, { id: exception_id, as: 'dismiss', reason })
    return
  }
  await ask(paymentOrder, { party, bank, lost: id, reason })
  await ask(paymentBook, { id, reference: `SPEI ${id}`, reason })
  if (returned.has(id)) await ask(paymentReturn, { id, reference: `back ${id}`, reason })
}
