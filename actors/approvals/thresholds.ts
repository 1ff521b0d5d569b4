/** Thresholds: above which amounts an operation needs a second person. Approvals are on where there is any. */
import { currencyName, formatPrice } from '../../machines/money.ts'
import { formatInstant } from '../../machines/time.ts'
import { allThresholds, ledgerCurrencies } from '../../persistence/queries/approvals.ts'
import { type Decision, type Row, row, type Store, type Write } from '../../persistence/store.ts'
import { auditReason, optional, text } from '../foundation/fields.ts'
import { amountFromZero, currency as knownCurrency } from '../foundation/money-reading.ts'
import { defineOperation, OperationError } from '../foundation/operation.ts'
import { Wrong } from '../foundation/reading.ts'
import { readAmount } from '../settlement/written.ts'
import type { ApprovalContext } from './operations.ts'
import { everyOperation } from './sums.ts'

export interface ThresholdDocument {
  /** `*` for every operation without one of its own. */
  operation: string
  currency: string
  amount: string
  set: string
  setBy: string
}

export interface Thresholds {
  thresholds: ThresholdDocument[]
}

function document(one: Row<'approval_thresholds'>): ThresholdDocument {
  return {
    operation: one.operation,
    currency: one.currency,
    amount: formatPrice(one.amount_minor, one.currency),
    set: formatInstant(one.set_at),
    setBy: one.set_by,
  }
}

const currency = text({
  description: 'A currency such as MXN, or an asset as the ledger calls it, such as "USDC on SOLANA".',
  minLength: 3,
  maxLength: 80,
  option: ['--currency <currency>', 'for example MXN'],
  form: { label: 'Currency', hint: 'For example MXN', maxLength: 80 },
})

const operation = optional(
  text({
    description: 'Such as adjustment.record; unless given, every operation without a threshold of its own.',
    maxLength: 60,
    option: ['--operation <name>', 'such as adjustment.record; unless given, all without one of their own'],
    form: { label: 'Operation', hint: 'Such as adjustment.record; empty: all without one of their own.' },
  }),
)

export const approvalThresholds = defineOperation({
  name: 'approval.thresholds',
  summary: 'Show above which amounts operations need a second person.',
  fields: {},
  isRead: true,
  run: async ({ store }): Promise<Thresholds> => ({
    thresholds: (await store.query(allThresholds, {})).map(document),
  }),
})

export const approvalSetThreshold = defineOperation({
  name: 'approval.setThreshold',
  summary: 'Set above which amount a second person has to approve. With the first one approvals are on.',
  examples: ['approval set-threshold --currency MXN --amount 10000.00 --reason "agreed on 1 December"'],
  done: 'The threshold is set.',
  fields: {
    currency,
    operation,
    amount: text({
      description: 'A decimal text such as 10000.00; 0 for whatever it moves.',
      maxLength: 40,
      option: ['--amount <amount>', 'for example 10000.00; 0 for whatever it moves'],
      form: { label: 'Above', control: 'amount', hint: 'Within 24 hours, by one person or for one party.' },
    }),
    reason: auditReason,
  },
  isRead: false,
  async run(
    { store, operator, approving }: ApprovalContext,
    { currency: written, operation: named = everyOperation, amount },
  ): Promise<ThresholdDocument> {
    const of = await readCurrency(store, written)
    if (named !== everyOperation && !approving.movesAmounts(named)) throw noAmounts(named)
    const amount_minor = readAmount('amount', amount, of, amountFromZero)
    const key = { operation: named, currency: of }
    const result = await store.step({
      rows: { threshold: row('approval_thresholds', key) },
      decide: ({ threshold }, at): Decision<ThresholdDocument> => {
        const set = { amount_minor, set_at: at, set_by: operator, revision: (threshold?.revision ?? 0) + 1 }
        const values = { ...key, ...set }
        const writes: Write[] = [
          threshold === null
            ? { insert: 'approval_thresholds', values }
            : { update: 'approval_thresholds', key, set },
        ]
        return { answer: document(values), writes }
      },
    })
    if (result.outcome === 'committed') return result.answer
    throw new Error(`A threshold violated ${result.constraint}.`)
  },
})

export const approvalRemoveThreshold = defineOperation({
  name: 'approval.removeThreshold',
  summary: 'Remove a threshold. With the last one approvals are off.',
  done: 'The threshold is removed.',
  fields: { currency, operation, reason: auditReason },
  isRead: false,
  async run({ store }, { currency: written, operation: named = everyOperation }): Promise<ThresholdDocument> {
    const of = await readCurrency(store, written)
    const key = { operation: named, currency: of }
    const result = await store.step({
      rows: { threshold: row('approval_thresholds', key) },
      decide: ({ threshold }): Decision<ThresholdDocument> => {
        if (threshold !== null)
          return { answer: document(threshold), writes: [{ delete: 'approval_thresholds', key }] }
        throw new OperationError('not_found', `There is no threshold for ${named} in ${of}.`, {
          hint: 'approval thresholds shows them.',
        })
      },
    })
    if (result.outcome === 'committed') return result.answer
    throw new Error(`A threshold violated ${result.constraint}.`)
  },
})

/** @throws OperationError for what is no currency, and no asset that the ledger knows */
async function readCurrency(store: Pick<Store, 'query'>, written: string): Promise<string> {
  if (!(knownCurrency(written) instanceof Wrong)) return written
  const known = (await store.query(ledgerCurrencies, {})).map(({ currency: of }) => of)
  const found = known.find((of) => of === written || currencyName(of).toLowerCase() === written.toLowerCase())
  if (found !== undefined) return found
  throw new OperationError(
    'invalid',
    `currency: "${written}" is not a currency such as "MXN", nor an asset of the ledger.`,
    {
      hint: `The ledger has ${known.map(currencyName).join(', ') || 'none yet'}.`,
    },
  )
}

function noAmounts(operation: string): OperationError {
  return new OperationError(
    'invalid',
    `operation: ${operation} has no threshold: it is no operation that moves amounts.`,
    {
      hint: 'Such as adjustment.record, deposit.add, payment.order, exception.resolve; docs/operator-guide.md lists them.',
    },
  )
}
