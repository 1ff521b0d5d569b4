/** What parties ask about their money, read: statements and withdrawals. */
import { currencyDecimals } from '../../machines/money.ts'
import { fieldError, type Outcome } from '../foundation/errors.ts'
import { amountError } from '../foundation/formats.ts'
import type { Json } from '../foundation/json.ts'
import { type AskedPage, finish, minorUnits, pageOf, parametersOf, sent } from './requests.ts'
import { maxLinesListed, maxListed } from './schemas.ts'
import { type Fields, validate } from './validation.ts'

/** The query string of a party's list of statements. */
export function readStatementList(query: string): Outcome<AskedPage & { currency: string | null }> {
  return finish(validate('statementList', parametersOf(query)), (fields) => ({
    currency: fields.currency ?? null,
    ...pageOf(fields, maxListed),
  }))
}

/** The query string of one statement. */
export function readStatementLines(
  query: string,
): Outcome<AskedPage & { currency: string; isTable: boolean }> {
  return finish(validate('statementLines', parametersOf(query)), (fields) => ({
    currency: sent(fields, 'currency'),
    isTable: fields.format === 'csv',
    ...pageOf(fields, maxLinesListed),
  }))
}

export interface MovementsAsked extends AskedPage {
  currency: string
  /** Days, inclusive. */
  from: string | null
  to: string | null
}

/** The query string of a merchant's list of movements. */
export function readMovementList(query: string): Outcome<MovementsAsked> {
  return finish(validate('movementList', parametersOf(query)), (fields) => ({
    currency: sent(fields, 'currency'),
    from: fields.from ?? null,
    to: fields.to ?? null,
    ...pageOf(fields, maxLinesListed),
  }))
}

export interface WithdrawalRequest {
  currency: string
  /** Minor units; null for all that can be withdrawn. */
  amountMinor: bigint | null
}

/** The body of `POST /merchants/withdrawals/`. */
export function readWithdrawal(body: Json): Outcome<WithdrawalRequest> {
  const decimalsOf = (fields: Fields) => currencyDecimals(fields.currency ?? '')
  const judged = validate('withdrawal', body, {
    amount: (text, fields) => {
      const error = amountError('amount', text, decimalsOf(fields))
      if (error !== null) return error
      return minorUnits(text, decimalsOf(fields)) > 0n ? null : fieldError('amount', 'price_too_low')
    },
  })
  return finish(judged, (fields) => ({
    currency: sent(fields, 'currency'),
    amountMinor: fields.amount === undefined ? null : minorUnits(fields.amount, decimalsOf(fields)),
  }))
}
