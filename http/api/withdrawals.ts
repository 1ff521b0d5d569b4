/** `POST /merchants/withdrawals/`: protocol 15.13. */
import type { Answer, MessageGuard } from '../../actors/orders/answers.ts'
import {
  type AskedWithdrawal,
  type Withdrawal,
  type WithdrawalContext,
  type WithdrawalOutcome,
  type WithdrawalRefusal,
  withdraw,
} from '../../actors/settlement/withdrawing.ts'
import { formatPrice } from '../../machines/money.ts'
import { type FieldError, fieldError, type HttpAnswer, type HttpRefusal } from '../foundation/errors.ts'
import { keyAnswer } from './creation-answers.ts'
import { type Endpoint, guardOf, type Route, refuse, type SignedRequest, storedAnswer } from './route.ts'
import { readWithdrawal, type WithdrawalRequest } from './settlement-requests.ts'
import { viewOfWithdrawal } from './settlement-views.ts'

/** What a merchant asks for; `guard` is how a repetition is told from a new one. */
export type MerchantWithdrawal = Omit<AskedWithdrawal, 'message'> & { guard: MessageGuard }

export type MerchantWithdrawn =
  | { outcome: 'withdrawn'; number: number; answer: Answer }
  | Exclude<WithdrawalOutcome, { outcome: 'withdrawn' }>

/** Beside the store: what is answered is made in the step that keeps it. */
export function createWithdrawals(context: WithdrawalContext) {
  return async ({ guard, ...asked }: MerchantWithdrawal): Promise<MerchantWithdrawn> => {
    const answer = (withdrawal: Withdrawal) => ({
      status: 201,
      body: JSON.stringify(viewOfWithdrawal(withdrawal, asked.currency)),
    })
    const done = await withdraw(context, { ...asked, message: { guard, answer } })
    if (done.outcome !== 'withdrawn') return done
    const { withdrawal } = done
    return { outcome: 'withdrawn', number: withdrawal.plan.number, answer: answer(withdrawal) }
  }
}

export interface WithdrawalRoutesOptions {
  withdraw: ReturnType<typeof createWithdrawals>
  /** Writes to the anchors what is not there yet. @throws where they cannot be written */
  anchorNow: () => Promise<void>
}

export function withdrawalRoutes(options: WithdrawalRoutesOptions): Route[] {
  return [
    {
      path: '/merchants/withdrawals/',
      party: 'merchant',
      methods: {
        POST: {
          id: 'createWithdrawal',
          summary: 'Withdraw what is available',
          description:
            'For merchants that are settled on request. The account is closed up to now, once a day: a statement ' +
            'takes what is withdrawn out of what is available, and it is paid by the operator. The same signed ' +
            'bytes get the same answer, whether they have an Idempotency-Key or not.',
          request: ['withdrawal'],
          answer: { status: 201, schema: 'withdrawal' },
          repetition: 'idempotency_key',
          refusals: ['closing_in_flight', 'settlement_stopped', 'draining'],
          problems: [
            'price_too_low',
            'withdrawal_not_agreed',
            'withdrawal_by_itself',
            'withdrawal_no_account',
            'withdrawal_closed',
            'withdrawal_nothing',
            'withdrawal_exceeds',
          ],
          endpoint: createWithdrawal(options),
        },
      },
    },
  ]
}

function createWithdrawal(options: WithdrawalRoutesOptions): Endpoint {
  return async (request) => {
    const read = readWithdrawal(request.document)
    if (!read.ok) return refuse(read.refusal)
    const { partyId: merchantId } = request.identity
    const { currency } = read.value
    // Without an Idempotency-Key, too: what was signed once is withdrawn once.
    const guard = {
      partyId: merchantId,
      digest: request.digest,
      bindsRevision: false,
      ...guardOf(request),
    }
    const done = await options.withdraw({ merchantId, ...read.value, guard })
    switch (done.outcome) {
      case 'withdrawn':
        request.note({ withdrawn: `${currency}, statement ${done.number}` })
        return anchored(options, request, storedAnswer(done.answer))
      case 'refused':
        return refuse(refusalOf(done.refusal, read.value))
      case 'repeated':
        return anchored(options, request, keyAnswer(done))
      case 'in_flight':
        return refuse({ name: 'closing_in_flight' })
      case 'other_payload':
        return keyAnswer(done)
      case 'stale_repetition':
        throw new Error('A withdrawal is not bound to a revision.')
    }
  }
}

/** Nobody is told of a number that a restore could give again: whoever repeats the message hears of it later. */
async function anchored(
  { anchorNow }: WithdrawalRoutesOptions,
  { note }: SignedRequest,
  answer: HttpAnswer,
): Promise<HttpAnswer> {
  try {
    await anchorNow()
  } catch (error) {
    note({ unanchored: error instanceof Error ? error.message : String(error) })
    return refuse({ name: 'unavailable' })
  }
  return answer
}

function refusalOf(refusal: WithdrawalRefusal, { currency }: WithdrawalRequest): HttpRefusal {
  const fields = (error: FieldError): HttpRefusal => ({ name: 'fields', errors: [error] })
  switch (refusal.reason) {
    case 'merchant_frozen':
      return { name: 'permission_denied' }
    case 'node_drained':
      return { name: 'draining' }
    case 'stopped':
      return { name: 'settlement_stopped' }
    case 'clock_in_doubt':
      return { name: 'unavailable' }
    case 'not_agreed':
      return fields(fieldError('currency', 'withdrawal_not_agreed'))
    case 'closes_itself':
      return fields(fieldError('currency', 'withdrawal_by_itself'))
    case 'no_account':
      return fields(fieldError('currency', 'withdrawal_no_account'))
    case 'closed':
      return fields(fieldError('currency', 'withdrawal_closed', { day: refusal.day }))
    case 'nothing':
      return fields(fieldError('currency', 'withdrawal_nothing'))
    case 'below_minimum': {
      const min_value = formatPrice(refusal.minimumMinor, currency)
      return fields(fieldError('amount', 'min_value', { min_value }))
    }
    case 'exceeds': {
      const most = formatPrice(refusal.mostMinor, currency)
      return fields(fieldError('amount', 'withdrawal_exceeds', { most, currency }))
    }
  }
}
