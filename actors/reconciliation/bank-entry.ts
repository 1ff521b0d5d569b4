/** An entry of a bank's statement, held against the payments and lines that are booked (protocol 16.6). */
import { formatPrice } from '../../machines/money.ts'
import { factByName } from '../../persistence/queries/node.ts'
import { bankEntry, paymentById, paymentsPage } from '../../persistence/queries/payments.ts'
import { type Decision, type Row, row, type Store } from '../../persistence/store.ts'
import { OperationError } from '../foundation/operation.ts'
import { record } from '../settlement/bank-entries.ts'
import { lineKey, type WrittenLine } from '../settlement/receiving.ts'
import { tell } from '../settlement/telling-payments.ts'
import type { BankLine, BankStatement } from './read-camt.ts'

export interface JudgingContext {
  store: Store
  operator: string
}

/** With its place among the entries of the file, from 1: several may stand on one line. */
export interface NumberedLine extends BankLine {
  entry: number
}

export interface BankVerdict {
  entry: number
  line: number
  reference: string
  /** What the bank wrote beside it, at most 200 signs. */
  text: string
  direction: 'in' | 'out'
  amount: string
  valueDay: string | null
  /**
   * `booked_before`: by this reference. `booked`, `returned`: a payment that names itself in the entry. `proposed`: one that has its
   * amount and may have its day, for a person to say. `unidentified`: in suspense, with an exception.
   */
  outcome: 'booked_before' | 'booked' | 'returned' | 'proposed' | 'unidentified'
  payment: string | null
  /** How many payments are proposed; `payment` is the only one. */
  proposals: number
  /** Of what is unidentified, once it is booked. */
  exception: string | null
  note: string
}

interface Known {
  sequence: number
  closing: string
}

const factOf = ({ name }: Row<'banks'>) => `bank_statement:${name}`

/** Statements that the bank numbers follow each other, and so do their balances. */
export async function assertContinues(
  store: Store,
  bank: Row<'banks'>,
  statements: readonly BankStatement[],
): Promise<void> {
  const [fact] = await store.query(factByName, { name: factOf(bank) })
  let known: Known | null = fact === undefined ? null : JSON.parse(fact.value)
  for (const { sequence, openingMinor, closingMinor, id } of statements) {
    if (sequence === null) continue
    if (known !== null && sequence > known.sequence) {
      if (sequence !== known.sequence + 1) {
        throw new OperationError(
          'refused',
          `Statement ${id} has the number ${sequence}, and the last one was ${known.sequence}: one is missing.`,
          { hint: 'Reconcile the missing statement first.' },
        )
      }
      if (openingMinor.toString() !== known.closing) {
        throw new OperationError(
          'refused',
          `Statement ${id} opens with ${formatPrice(openingMinor, bank.currency)}, and the last one closed with ${formatPrice(BigInt(known.closing), bank.currency)}.`,
        )
      }
    }
    if (known === null || sequence > known.sequence) known = { sequence, closing: closingMinor.toString() }
  }
}

export async function remember(
  store: Store,
  bank: Row<'banks'>,
  { sequence, closingMinor }: BankStatement,
): Promise<void> {
  if (sequence === null) return
  const name = factOf(bank)
  const value = JSON.stringify({ sequence, closing: closingMinor.toString() } satisfies Known)
  await store.step({
    rows: { fact: row('facts', { name }) },
    decide: ({ fact }): Decision<null> => {
      if (fact === null) return { answer: null, writes: [{ insert: 'facts', values: { name, value } }] }
      const before: Known = JSON.parse(fact.value)
      return {
        answer: null,
        writes: before.sequence >= sequence ? [] : [{ update: 'facts', key: { name }, set: { value } }],
      }
    },
  })
}

export async function judgeEntry(
  context: JudgingContext,
  bank: Row<'banks'>,
  entry: NumberedLine,
  dryRun: boolean,
): Promise<BankVerdict> {
  const { store, operator } = context
  const line: WrittenLine = {
    bank,
    direction: entry.direction,
    reference: entry.reference,
    amountMinor: entry.amountMinor,
    valueDay: entry.valueDay ?? undefined,
    reason: entry.text.slice(0, 200) || 'the statement of the bank',
    operator,
    dryRun,
  }
  const [before] = await store.query(bankEntry, lineKey(line))
  if (before !== undefined) return verdictOf(bank, entry, 'booked_before', before.subject_id, before.kind)
  const named = await namedPayment(store, bank, entry)
  if (named !== null) {
    const told = {
      id: named.id,
      reference: entry.reference,
      valueDay: line.valueDay,
      reason: line.reason,
      operator,
      dryRun,
    }
    const isBack = named.direction !== entry.direction
    try {
      await tell(store, { ...told, type: isBack ? 'payment.return' : 'payment.book' })
      return verdictOf(bank, entry, isBack ? 'returned' : 'booked', named.id, '')
    } catch (error) {
      // The entry stands all the same: somebody has to say what it is.
      if (!(error instanceof OperationError)) throw error
      return suspend(context, line, entry, error.message)
    }
  }
  const proposed = await proposedPayments(store, bank, entry)
  const [only] = proposed
  if (only !== undefined) {
    const note =
      proposed.length === 1
        ? `It has this amount: payment book ${only} --reference "${entry.reference}" --reason TEXT`
        : `${proposed.length} payments have this amount: say which, by payment book.`
    const payment = proposed.length === 1 ? only : null
    return { ...verdictOf(bank, entry, 'proposed', payment, note), proposals: proposed.length }
  }
  return suspend(context, line, entry, 'No payment names itself in it.')
}

async function suspend(
  context: JudgingContext,
  line: WrittenLine,
  entry: NumberedLine,
  why: string,
): Promise<BankVerdict> {
  const { exception } = await record(context, line, 'unidentified', entry.endToEnd)
  const verdict = verdictOf(line.bank, entry, 'unidentified', null, why)
  return line.dryRun ? verdict : { ...verdict, exception }
}

const ids = /[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}/gi

/** Whether it may name a payment of ours. */
export function namesPayment({ endToEnd, text }: BankLine): boolean {
  return `${endToEnd ?? ''} ${text}`.match(ids) !== null
}

/** Of the bank account and with the amount, whose id is the entry's own reference or stands in its text. */
async function namedPayment(
  store: Store,
  bank: Row<'banks'>,
  entry: NumberedLine,
): Promise<Row<'payments'> | null> {
  for (const written of `${entry.endToEnd ?? ''} ${entry.text}`.match(ids) ?? []) {
    const plain = written.replaceAll('-', '').toLowerCase()
    const id = plain.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    const [payment] = await store.query(paymentById, { id })
    if (payment !== undefined && payment.bank === bank.name && payment.amount_minor === entry.amountMinor)
      return payment
  }
  return null
}

const mostProposed = 200

/** Ordered or sent before the entry's day, with its amount. */
async function proposedPayments(store: Store, bank: Row<'banks'>, entry: BankLine): Promise<string[]> {
  if (entry.direction !== 'out' || entry.isReversal) return []
  const found: string[] = []
  for (const state of ['sent', 'ordered'] as const) {
    const page = await store.query(paymentsPage({ state }, { after: null, limit: mostProposed }), {})
    for (const payment of page) {
      const isOf =
        payment.bank === bank.name &&
        payment.direction === 'out' &&
        payment.amount_minor === entry.amountMinor
      const began = new Date(payment.ordered_at).toISOString().slice(0, 10)
      if (isOf && (entry.valueDay === null || began <= entry.valueDay)) found.push(payment.id)
    }
  }
  return found
}

function verdictOf(
  { currency }: Row<'banks'>,
  { entry, line, reference, text, direction, amountMinor, valueDay }: NumberedLine,
  outcome: BankVerdict['outcome'],
  payment: string | null,
  note: string,
): BankVerdict {
  return {
    entry,
    line,
    reference,
    text: text.slice(0, 200),
    direction,
    amount: formatPrice(amountMinor, currency),
    valueDay,
    outcome,
    payment,
    proposals: 0,
    exception: null,
    note,
  }
}
