/** What parties see of their balances and statements: the fields of each answer, in their order. */
import type { MerchantBalance } from '../../actors/parties/merchants.ts'
import type { Movement } from '../../actors/settlement/own-movements.ts'
import type {
  StatementLine,
  StatementSum,
  StatementSummary,
} from '../../actors/settlement/statement-documents.ts'
import type { Withdrawal } from '../../actors/settlement/withdrawing.ts'
import { formatPrice } from '../../machines/money.ts'

export type BalanceView = ReturnType<typeof viewOfBalance>
export type StatementView = ReturnType<typeof viewOfStatement>
export type SumView = ReturnType<typeof viewOfSum>
export type MerchantLineView = ReturnType<typeof viewOfMerchantLine>
export type ProviderLineView = ReturnType<typeof viewOfProviderLine>
export type MovementView = ReturnType<typeof viewOfMovement>
export type WithdrawalView = ReturnType<typeof viewOfWithdrawal>

export function viewOfBalance({ transit, ...balance }: MerchantBalance) {
  const { currency, available, reserved, payable, suspense, debt } = balance
  return { currency, available, reserved, payable, in_transit: transit, suspense, debt }
}

export function viewOfStatement(statement: StatementSummary) {
  return {
    number: statement.number,
    currency: statement.currency,
    from: statement.from,
    to: statement.to,
    closed: statement.closed,
    opening: statement.opening,
    closing: statement.closing,
    due: statement.due,
    open: statement.open,
    due_on: statement.postponedTo ?? statement.dueOn,
    line_count: statement.lines,
    digest: statement.digest,
    previous_digest: statement.previousDigest,
  }
}

export function viewOfSum({ kind, direction, lines, amount, fee, tax }: StatementSum) {
  return { kind, direction, lines, amount, fee, tax }
}

export function viewOfMerchantLine({ order, reference, ...line }: StatementLine) {
  return { ...identified(line), order_id: order, reference, ...amounts(line) }
}

/** Without the order: whoever has an order's id can open its checkout page, which shows its code. */
export function viewOfProviderLine({ network, reference, ...line }: StatementLine) {
  return { ...identified(line), network_id: network, reference, ...amounts(line) }
}

type Identified = Pick<StatementLine, 'day' | 'aboutDay' | 'at' | 'kind' | 'direction'>

function identified<Line extends number | null>({
  line,
  day,
  aboutDay,
  at,
  kind,
  direction,
}: Identified & { line: Line }) {
  return { line, day, about_day: aboutDay, at, kind, direction }
}

function amounts({ amount, fee, tax, balance }: Pick<StatementLine, 'amount' | 'fee' | 'tax' | 'balance'>) {
  return { amount, fee, tax, balance }
}

/** Like a line of a statement, with the statement that tells of it. */
export function viewOfMovement({ order, reference, statement, balance, ...line }: Movement) {
  const { amount, fee, tax } = line
  return { statement, ...identified(line), order_id: order, reference, amount, fee, tax, balance }
}

export function viewOfWithdrawal({ plan }: Withdrawal, currency: string) {
  return {
    statement: plan.number,
    currency,
    amount: formatPrice(plan.sweptMinor, currency),
    from: plan.fromDay,
    to: plan.toDay,
    line_count: plan.lineCount,
    due_on: plan.dueOn,
  }
}
