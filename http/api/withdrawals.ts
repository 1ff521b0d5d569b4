/** `POST /merchants/withdrawals/`: protocol 15.13. */
import {
  type Withdrawal,
  type WithdrawalContext,
  type WithdrawalRefusal,
  withdraw,
} from '../../actors/settlement/withdrawing.ts'
import { formatPrice } from '../../machines/money.ts'
import { type FieldError, fieldError, type HttpAnswer, type HttpRefusal } from '../foundation/errors.ts'
import { keyAnswer } from './creation-answers.ts'
import { type Endpoint, guardOf, type Route, refuse, type SignedRequest, storedAnswer } from './route.ts'
import { readWithdrawal, type WithdrawalRequest } from './settlement-requests.ts'
import { viewOfWithdrawal } from './settlement-views.ts'

export interface WithdrawalRoutesOptions extends WithdrawalContext {
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
    const answer = (withdrawal: Withdrawal) => ({
      status: 201,
      body: JSON.stringify(viewOfWithdrawal(withdrawal, currency)),
    })
    // Without an Idempotency-Key, too: what was signed once is withdrawn once.
    const guard = {
      partyId: merchantId,
      digest: request.digest,
      bindsRevision: false,
      ...guardOf(request),
    }
    const done = await withdraw(options, { merchantId, ...read.value, message: { guard, answer } })
    switch (done.outcome) {
      case 'withdrawn':
        request.note({ withdrawn: `${currency}, statement ${done.withdrawal.plan.number}` })
        return anchored(options, request, storedAnswer(answer(done.withdrawal)))
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
