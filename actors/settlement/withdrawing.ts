/**
 * Withdrawals: a merchant that is settled on request asks to be paid (protocol 15.13). Its account is closed up to now, and what is
 * withdrawn is swept by that statement. What forbids it is judged before anything is written, and again in the step that closes.
 */
import type { Instant } from '../../machines/time.ts'
import { waitingOfMerchant } from '../../persistence/queries/operations.ts'
import { type Row, row, type Store } from '../../persistence/store.ts'
import {
  type Answer,
  guardRows,
  type MessageGuard,
  type Repeated,
  recall,
  rememberAnswer,
  repeated,
} from '../orders/answers.ts'
import type { OrderRegistry } from '../orders/registry.ts'
import { type CreationVeto, creationVeto } from '../orders/vetoes.ts'
import type { Day } from '../terms/days.ts'
import type { Every } from '../terms/entries.ts'
import { accountsAt } from '../terms/in-force.ts'
import { type ClosingPlan, closeOnRequest, planClosing, readClosing, sweepableMinor } from './closing.ts'
import { dayToClose } from './closing-days.ts'
import { type HeldRequest, requestRows } from './closing-request.ts'
import { fundFirst } from './closing-worker.ts'
import { accountOf, type Holder } from './position.ts'
import { setOff } from './set-off.ts'
import { stopRow } from './stopping.ts'

export type WithdrawalRefusal =
  | { reason: CreationVeto | 'stopped' | 'clock_in_doubt' }
  /** No terms of settlement in the currency; or they close the account by themselves; or they name no bank account. */
  | { reason: 'not_agreed' | 'closes_itself' | 'no_account' }
  /** This day has its statement already. */
  | { reason: 'closed'; day: Day }
  | { reason: 'nothing' }
  | { reason: 'below_minimum'; minimumMinor: bigint }
  /** More than what is available, but for what is kept and what orders wait for. */
  | { reason: 'exceeds'; mostMinor: bigint }

export interface Withdrawal {
  plan: ClosingPlan
  /** Where it is paid. */
  account: string
}

export type WithdrawalOutcome =
  | { outcome: 'withdrawn'; withdrawal: Withdrawal; answer: Answer | null }
  | { outcome: 'refused'; refusal: WithdrawalRefusal }
  | Repeated

export interface WithdrawalContext {
  store: Store
  orders: Pick<OrderRegistry, 'fund'>
  clock: { now(): Instant }
  /** False while the clock is in doubt: then nobody knows which day it is. */
  isTrusted: () => boolean
}

export interface AskedWithdrawal {
  merchantId: string
  currency: string
  /** Null for all that can be withdrawn. */
  amountMinor: bigint | null
  /** How a repetition is told from a new one, and what is answered. */
  message?: { guard: MessageGuard; answer: (withdrawal: Withdrawal) => Answer }
}

/** So often somebody else may close the account first. */
const attempts = 4

export async function withdraw(
  context: WithdrawalContext,
  asked: AskedWithdrawal,
): Promise<WithdrawalOutcome> {
  const { store, clock, orders } = context
  const holder = holderOf(asked)
  for (let attempt = 0; attempt < attempts; attempt++) {
    const known = await recallMessage(store, asked.message?.guard, clock.now())
    if (known !== null) return known
    const looked = await look(context, asked)
    if (!looked.ok) return { outcome: 'refused', refusal: looked.refusal }
    await fundFirst(store, holder, orders)
    const closed = await closeOnRequest<WithdrawalRefusal | 'again'>(store, holder, looked.day, {
      amountMinor: asked.amountMinor,
      rows: requestRows(holder, asked.message?.guard),
      judge: (held, plan, at) => judge(asked, looked.terms, held, plan, at),
    })
    if (closed.ok) {
      if (closed.plan === null) throw new Error('A withdrawal was closed without a statement.')
      await setOff(store, holder)
      const withdrawal = { plan: closed.plan, account: looked.account }
      return { outcome: 'withdrawn', withdrawal, answer: asked.message?.answer(withdrawal) ?? null }
    }
    if (closed.reason === 'stopped') return { outcome: 'refused', refusal: { reason: 'stopped' } }
    if (closed.reason === 'refused' && closed.refusal !== 'again')
      return { outcome: 'refused', refusal: closed.refusal }
  }
  return { outcome: 'in_flight' }
}

/** What it would come to; nothing is closed. */
export async function previewWithdrawal(
  context: WithdrawalContext,
  asked: AskedWithdrawal,
): Promise<{ ok: true; withdrawal: Withdrawal } | { ok: false; refusal: WithdrawalRefusal }> {
  const looked = await look(context, asked)
  if (!looked.ok) return looked
  const known = await readClosing(context.store, holderOf(asked), looked.day)
  const plan = planClosing(known, looked.availableMinor, asked)
  const refusal = amountRefusal(asked, looked.terms, plan?.sweptMinor ?? 0n)
  if (refusal !== null || plan === null) return { ok: false, refusal: refusal ?? { reason: 'nothing' } }
  return { ok: true, withdrawal: { plan, account: looked.account } }
}

function holderOf({ merchantId: partyId, currency }: AskedWithdrawal): Holder {
  return { partyId, kind: 'merchant', currency }
}

/** @returns what the message was answered before; null where it is a new one. */
async function recallMessage(
  store: Store,
  guard: MessageGuard | undefined,
  now: Instant,
): Promise<Repeated | null> {
  if (guard === undefined) return null
  const result = await store.step({
    rows: guardRows(guard),
    decide: (held) => ({ answer: recall(guard, held, null, now), writes: [] }),
  })
  if (result.outcome === 'violated') throw new Error(`A look violated ${result.constraint}.`)
  return result.answer.kind === 'new' ? null : repeated(result.answer)
}

type Looked =
  | { ok: true; day: Day; terms: Row<'settlement_terms'>; account: string; availableMinor: bigint }
  | { ok: false; refusal: WithdrawalRefusal }

/** What is known before anything is written: most of what is refused is refused here. */
async function look({ store, clock, isTrusted }: WithdrawalContext, asked: AskedWithdrawal): Promise<Looked> {
  const refused = (refusal: WithdrawalRefusal): Looked => ({ ok: false, refusal })
  if (!isTrusted()) return refused({ reason: 'clock_in_doubt' })
  const holder = holderOf(asked)
  const { partyId, currency } = holder
  const day = await dayToClose(store, holder, clock.now())
  const waiting = await store.query(waitingOfMerchant, { merchantId: partyId })
  const waitingMinor = waiting.find((one) => one.currency === currency)?.waiting_minor ?? 0n
  const result = await store.step({
    rows: {
      ...requestRows(holder, undefined),
      stop: stopRow,
      book: row('statement_books', { party_id: partyId, currency }),
      available: row('accounts', { id: accountOf(holder, 'available') }),
    },
    decide: (held, at) => ({ answer: { ...held, at }, writes: [] }),
  })
  if (result.outcome === 'violated') throw new Error(`A look violated ${result.constraint}.`)
  const { stop, book, available, terms, at } = result.answer
  const agreed = agreedTerms(result.answer, at)
  if (!agreed.ok) return agreed
  if (stop !== null) return refused({ reason: 'stopped' })
  if (terms === null) return refused({ reason: 'not_agreed' })
  if (book !== null && book.closed_day >= day) return refused({ reason: 'closed', day: book.closed_day })
  const availableMinor = available?.balance_minor ?? 0n
  const refusal = amountRefusal(asked, terms, sweepableMinor({ terms, waitingMinor }, availableMinor))
  if (refusal !== null) return refused(refusal)
  return { ok: true, day, terms, account: agreed.account, availableMinor }
}

/** Whether the merchant may withdraw at all. */
function agreedTerms(
  held: Pick<HeldRequest, 'drain' | 'merchant' | 'terms'>,
  at: Instant,
): { ok: true; account: string } | { ok: false; refusal: WithdrawalRefusal } {
  const veto = creationVeto(held)
  if (veto !== null) return { ok: false, refusal: { reason: veto } }
  if (held.terms === null) return { ok: false, refusal: { reason: 'not_agreed' } }
  const every: Every = JSON.parse(held.terms.every_json)
  if (every !== 'request') return { ok: false, refusal: { reason: 'closes_itself' } }
  const { account } = accountsAt(held.terms, at)
  return account === null ? { ok: false, refusal: { reason: 'no_account' } } : { ok: true, account }
}

/** @param sweptMinor what can be withdrawn; with a plan, what it sweeps, which is no more than what is asked for */
function amountRefusal(
  { amountMinor }: AskedWithdrawal,
  { minimum_minor }: Row<'settlement_terms'>,
  sweptMinor: bigint,
): WithdrawalRefusal | null {
  const minimumMinor = minimum_minor ?? 0n
  if (amountMinor !== null && amountMinor < minimumMinor) return { reason: 'below_minimum', minimumMinor }
  if (amountMinor !== null && amountMinor > sweptMinor) return { reason: 'exceeds', mostMinor: sweptMinor }
  return sweptMinor === 0n ? { reason: 'nothing' } : null
}

/** In the step that closes. `again`: what was looked at has changed since. */
function judge(
  asked: AskedWithdrawal,
  seen: Row<'settlement_terms'>,
  held: HeldRequest,
  plan: ClosingPlan | null,
  at: Instant,
) {
  const { message } = asked
  if (recall(message?.guard, held, null, at).kind !== 'new') return { ok: false, refusal: 'again' } as const
  const agreed = agreedTerms(held, at)
  if (!agreed.ok) return agreed
  if (held.terms?.changed_at !== seen.changed_at) return { ok: false, refusal: 'again' } as const
  const refusal = amountRefusal(asked, seen, plan?.sweptMinor ?? 0n)
  if (refusal !== null) return { ok: false, refusal } as const
  if (plan === null || message === undefined) return { ok: true, writes: [] } as const
  const answer = message.answer({ plan, account: agreed.account })
  return { ok: true, writes: rememberAnswer(message.guard, held, answer, at) } as const
}
