/**
 * Three days that end, are closed and sealed, paid by runs, bounce and are paid again, on files that outlive whoever plays it.
 *
 * It goes on wherever it was cut off, as an operator does who has no notes: by what the node says alone.
 */
import { type Anchoring, createAnchoring } from '../../actors/anchors/anchoring.ts'
import type { RestoreWatch } from '../../actors/anchors/restore-watch.ts'
import { createCondition } from '../../actors/condition/condition.ts'
import { OperationError } from '../../actors/foundation/operation.ts'
import { createClosing } from '../../actors/settlement/closing-worker.ts'
import { paymentList } from '../../actors/settlement/payment-list.ts'
import {
  paymentBook,
  paymentReceive,
  paymentReturn,
  paymentSent,
} from '../../actors/settlement/payment-operations.ts'
import { paymentDue, paymentExport, paymentOutstanding } from '../../actors/settlement/runs.ts'
import { withdraw } from '../../actors/settlement/withdrawing.ts'
import { anchorAll } from '../../node/anchors-file.ts'
import { openStore } from '../../persistence/index.ts'
import { LineLog } from '../../persistence/line-log.ts'
import type { Store } from '../../persistence/store.ts'
import { fakeClock } from '../support/clock.ts'
import { allRows } from '../support/database.ts'
import { type Operator, operatorOf } from '../support/operations.ts'
import {
  commit,
  journalKey,
  type OrderWorld,
  otherShop,
  registryOf,
  shop,
  tills,
} from '../support/order-world.ts'
import { agree } from '../support/statement-world.ts'

/** What whoever is outside has: from then on it has to be so. */
export type SettlementTold =
  | { is: 'payment'; id: string; state: string }
  /** The bank has it, and pays each of its payments once. */
  | { is: 'file'; run: string; digest: string; payments: { id: string; party: string; amount: string }[] }
  | { is: 'sealed'; statement: string; digest: string }
  | { is: 'received'; reference: string }
  | { is: 'withdrawn'; answer: string }

const days = ['2026-03-01', '2026-03-02', '2026-03-03']
const dayMs = 86_400_000
const reason = 'as agreed'
const received = { party: tills.B.name, bank: 'main', amount: '1000.00', reference: 'SPEI of B' }

/** Three days of orders that nobody has closed. */
export async function playDays(world: OrderWorld): Promise<void> {
  await commit(world.store, [{ insert: 'banks', values: { name: 'main', currency: 'MXN' } }])
  for (const [party, account] of [
    [shop.id, 'CLABE 1'],
    [tills.A.id, 'CLABE A'],
    [tills.B.id, 'CLABE B'],
  ] as const) {
    await agree(world.store, party, days, { account, account_from_at: 0 })
  }
  const pay = async (direction: 'PAY_IN' | 'PAY_OUT', till: 'A' | 'B', priceMinor: bigint) => {
    const { id } = await world.order({ direction, priceMinor })
    await world.start(id, till)
    await world.confirm(id, till)
  }
  await world.deposit(500_000n)
  await pay('PAY_IN', 'A', 100_000n)
  world.clock.advance(dayMs)
  await pay('PAY_OUT', 'A', 300_000n)
  await pay('PAY_IN', 'B', 60_000n)
  world.clock.advance(dayMs)
  await pay('PAY_IN', 'B', 40_000n)
  await pay('PAY_IN', 'A', 20_000n)
  await pay('PAY_OUT', 'A', 50_000n)
}

/** Another shop that is settled on request, with 300.00 available. */
export async function addWithdrawer({ store }: Pick<OrderWorld, 'store'>): Promise<void> {
  const terms = { every_json: '"request"', account: 'CLABE 2', account_from_at: 0 }
  await agree(store, otherShop.id, days, terms)
  const currency = 'MXN'
  const post = {
    kind: 'deposit',
    debit: { kind: 'bank', ownerId: '', currency },
    credit: { kind: 'available', ownerId: otherShop.id, currency },
    amountMinor: 30_000n,
    orderId: null,
    reference: null,
  } as const
  await commit(store, [{ post }])
}

/** It asks for 200.00 by one message, whoever has cut it off before. */
async function withdrawOnce(
  context: Parameters<typeof withdraw>[0],
  tell: (told: SettlementTold) => void,
): Promise<void> {
  const done = await withdraw(context, {
    merchantId: otherShop.id,
    currency: 'MXN',
    amountMinor: 20_000n,
    message: {
      guard: { partyId: otherShop.id, digest: 'signed once', bindsRevision: false },
      answer: ({ plan }) => ({ status: 201, body: `statement ${plan.number}, ${plan.sweptMinor}` }),
    },
  })
  if (done.outcome !== 'withdrawn' && done.outcome !== 'repeated') throw new Error(JSON.stringify(done))
  tell({ is: 'withdrawn', answer: done.answer?.body ?? '' })
}

/**
 * Goes on to the end: all that ended is closed and sealed, and nothing is due any more.
 *
 * @param withdraws whether the shop that is settled on request asks, too
 */
export async function settleDays(
  file: string,
  tell: (told: SettlementTold) => void,
  { withdraws = false } = {},
): Promise<void> {
  const clock = fakeClock(Date.UTC(2026, 2, 6, 12))
  const store = await openStore(`sqlite:${file}`, { clock })
  const anchoring = createAnchoring({
    store,
    clock,
    condition: createCondition(),
    journalKey,
    anchors: new LineLog(`${file}.anchors`),
    restoreWatch: neverRestored,
    log: { info() {} },
  })
  try {
    await anchoring.begin()
    const orders = registryOf(store, clock)
    if (withdraws) await withdrawOnce({ store, orders, clock, isTrusted: () => true }, tell)
    await closeAndSeal(
      store,
      createClosing({ orders, clock, isTrusted: () => true, isStopping: () => false, log: raising }),
      anchoring,
    )
    for (const one of await allRows(store, 'statements')) {
      tell({ is: 'sealed', statement: `${one.party_id} ${one.number}`, digest: one.digest ?? '' })
    }
    await payAll(operatorOf({ store, clock, orders, anchorNow: () => anchorAll(anchoring) }), store, tell)
  } finally {
    await anchoring.finish()
    await store.close()
  }
}

/** Whatever is killed here, the database is never older than its anchors. */
export const neverRestored: RestoreWatch = {
  look: async () => ({ more: false }),
  show: async () => ({ state: 'none', since: null, problem: null, anchors: null }),
  isKnown: async () => false,
  async setAside({ problem }) {
    throw new Error(`a restore was seen: ${problem}`)
  },
  async accept() {},
}

const raising = {
  info() {},
  error(facts: object, message: string): never {
    throw new Error(message, { cause: facts })
  },
}

async function closeAndSeal(
  store: Store,
  closing: ReturnType<typeof createClosing>,
  anchoring: Anchoring,
): Promise<void> {
  for (let pass = 0; pass < 5; pass++) {
    const { seen } = await closing(store)
    if (seen?.waiting === 0) return
    await anchorAll(anchoring)
  }
  throw new Error('statements are closed and not sealed')
}

async function payAll({ ask }: Operator, store: Store, tell: (told: SettlementTold) => void): Promise<void> {
  await ask(paymentReceive, { ...received, reason }).catch((error: unknown) => {
    if (!(error instanceof OperationError && error.code === 'conflict')) throw error
  })
  tell({ is: 'received', reference: received.reference })
  const on = '2026-03-31'
  for (let round = 0; round < 5; round++) {
    const { due, unfinished } = await ask(paymentOutstanding, { on })
    for (const { id: run } of unfinished) await ask(paymentDue, { order: true, run })
    if (unfinished.length === 0 && due.some(({ pay }) => pay !== '0.00')) {
      await ask(paymentDue, { order: true, bank: 'main', on })
    }
    for (const { id: run, completed_at } of await allRows(store, 'payment_runs')) {
      if (completed_at === null) throw new Error(`run ${run} does not end`)
      await giveToBank({ ask }, run, tell)
    }
    if (!(await bounceOnce({ ask }, tell)) && (await ask(paymentOutstanding, { on })).due.length === 0) return
  }
  throw new Error('it is never paid')
}

/** The bank has the file, says that it has each payment, and books it. */
async function giveToBank(
  { ask }: Pick<Operator, 'ask'>,
  run: string,
  tell: (told: SettlementTold) => void,
): Promise<void> {
  const { digest } = await ask(paymentExport, { run })
  const { payments } = await ask(paymentList, { run })
  tell({
    is: 'file',
    run,
    digest: digest ?? '',
    payments: payments.map(({ id, party, amount }) => ({ id, party, amount })),
  })
  for (const { id, state } of payments) {
    if (state === 'ordered') {
      await ask(paymentSent, { id, reason })
      tell({ is: 'payment', id, state: 'sent' })
    }
    if (state === 'ordered' || state === 'sent') {
      await ask(paymentBook, { id, reference: `SPEI ${id}`, reason })
      tell({ is: 'payment', id, state: 'booked' })
    }
  }
}

/** The first payment to the network comes back. @returns whether it did now */
async function bounceOnce(
  { ask }: Pick<Operator, 'ask'>,
  tell: (told: SettlementTold) => void,
): Promise<boolean> {
  const { payments } = await ask(paymentList, { party: tills.A.name })
  if (payments.some(({ state }) => state === 'returned')) return false
  const [first] = payments
  if (first === undefined) return false
  await ask(paymentReturn, { id: first.id, reference: `back ${first.id}`, reason })
  tell({ is: 'payment', id: first.id, state: 'returned' })
  return true
}
