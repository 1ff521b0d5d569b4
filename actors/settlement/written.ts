/** What an operator writes of money at a bank, read: each problem is one line that names its member. */
import { maxMinorUnits } from '../../machines/money.ts'
import { oneSpelling, writtenProblem } from '../../machines/written-names.ts'
import type { Row } from '../../persistence/store.ts'
import { optional, text, wholeNumber } from '../foundation/fields.ts'
import { amountOf } from '../foundation/money-reading.ts'
import { OperationError } from '../foundation/operation.ts'
import { Wrong } from '../foundation/reading.ts'
import { isDay } from '../terms/days.ts'

/** @throws OperationError unless it is an amount above zero, or whatever else `read` takes. */
export function readAmount(member: string, written: string, currency: string, read = amountOf): bigint {
  const minor = read(currency)(written)
  if (!(minor instanceof Wrong)) return minor
  throw new OperationError('invalid', `${member}: "${written}" ${minor.problem}.`)
}

/** Signed. @throws OperationError unless it is an amount above or below zero. */
export function readSigned(member: string, written: string, currency: string): bigint {
  const isBelow = written.startsWith('-')
  const size = readAmount(member, isBelow ? written.slice(1) : written, currency)
  return isBelow ? -size : size
}

/** In its one spelling. @throws OperationError where it cannot be one. */
export function readReference(written: string): string {
  const reference = oneSpelling(written)
  const odd = writtenProblem(reference)
  if (odd === null) return reference
  throw new OperationError('invalid', `reference: ${JSON.stringify(reference)} ${odd}.`)
}

/** @throws OperationError unless it is a day of the calendar. */
export function readDay(member: string, written: string): string {
  if (isDay(written)) return written
  throw new OperationError('invalid', `${member}: "${written}" is not a day such as 2026-12-01.`)
}

/** An account that would hold more than a database's integer cannot be booked. */
export function assertRoom(amountMinor: bigint, ...accounts: readonly (Row<'accounts'> | null)[]): void {
  const isTooLarge = accounts.some((account) => {
    const balance = account?.balance_minor ?? 0n
    return (balance < 0n ? -balance : balance) + amountMinor > maxMinorUnits
  })
  if (!isTooLarge) return
  throw new OperationError('refused', 'It is more than the ledger can hold, with what is in it already.')
}

export const amount = text({
  description: 'A decimal text such as 1000.00.',
  maxLength: 40,
  option: ['--amount <amount>', 'for example 1000.00'],
  form: {
    label: 'Amount',
    control: 'amount',
    hint: 'Without separators of thousands, such as 1000.00 or 1000,00',
  },
})

export const bank = text({
  description: 'The name of a bank account of the operator’s, as `apply` has it.',
  minLength: 1,
  maxLength: 100,
  option: ['--bank <name>', "one of the operator's bank accounts"],
  form: { label: 'Bank account' },
})

/** What the bank calls a line of its statement: booked once for each bank and direction. */
export const bankReference = text({
  description: 'What the bank calls it; each is booked once.',
  minLength: 1,
  maxLength: 140,
  pattern: '\\S',
  option: ['--reference <text>', 'what the bank calls it; each is booked once'],
  form: { label: 'Bank reference', hint: 'As the bank’s statement has it; each is booked once.' },
})

export const valueDay = optional(
  text({
    description: 'The day the bank says.',
    pattern: '^\\d{4}-\\d{2}-\\d{2}$',
    option: ['--value-day <day>', 'the day the bank says, for example 2026-12-01'],
    form: { label: 'Value day', hint: 'For example 2026-12-01', maxLength: 10 },
  }),
)

export const seenRevision = optional(
  wholeNumber({
    description: 'As it was shown: nothing is done if it has changed since.',
    minimum: 1,
    option: ['--revision <number>', 'only if it is still at the revision you saw'],
  }),
)
