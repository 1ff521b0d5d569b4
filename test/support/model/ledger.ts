/** A party's side of the books in one currency: its lines, its statements, what is due of them and what settles that. */
import type { Contract } from './agreement.ts'
import { bankingDay, dayAt, minor, plusDays, smaller, weekday } from './figures.ts'

export interface Line {
  day: string
  order: string | null
  amount: bigint
  fee: bigint
  tax: bigint
  /** Money that came or went by a bank settles what is due, and is no part of it. */
  isByBank: boolean
}

export interface Statement {
  number: number
  from: string
  to: string
  opening: bigint
  closing: bigint
  due: bigint
  dueOn: string | null
  swept: bigint
  /** What of the due amount is neither paid nor set off. */
  open: bigint
  lines: readonly Line[]
}

export interface Allocation {
  number: number
  amount: bigint
}

/** Money that came in from a party that owes: what it settles, and what of it settles nothing yet. */
export interface Arrived {
  id: string
  rest: bigint
  settled: Allocation[]
}

export interface Ledger {
  party: string
  currency: string
  contract: Contract
  lines: Line[]
  /** What was archived before anything was closed. */
  opening: bigint
  statements: Statement[]
  arrived: Arrived[]
  /** The last day that is over; before the first is, the day before the one on which the books were opened. */
  closedDay: string | null
  /** Moves of what is available, by day: what was there when a day ended can be read off them. */
  moves: { day: string; amount: bigint; isSweep: boolean }[]
}

export function newLedger(party: string, currency: string, contract: Contract): Ledger {
  return {
    party,
    currency,
    contract,
    lines: [],
    opening: 0n,
    statements: [],
    arrived: [],
    closedDay: null,
    moves: [],
  }
}

/** The day of something that happens now: never one that is over. */
export function dayOf({ contract, closedDay }: Ledger, at: number): string {
  const day = dayAt(at, contract.zone, contract.cutOff)
  return closedDay !== null && day <= closedDay ? plusDays(closedDay, 1) : day
}

/** Today, or the later day of something that was told by a clock that was ahead. */
export function latestDay({ contract, lines, moves }: Ledger, at: number): string {
  const told = [...lines, ...moves].map(({ day }) => day)
  return [dayAt(at, contract.zone, contract.cutOff), ...told].toSorted().at(-1) ?? ''
}

/** Days that have ended by now and are to be closed, as the contract has it. */
export function endedDays({ contract, closedDay }: Ledger, since: number, at: number): string[] {
  const { every = 'day' } = contract.settles
  const running = dayAt(at, contract.zone, contract.cutOff)
  const first = dayAt(since, contract.zone, contract.cutOff)
  const days: string[] = []
  for (let day = closedDay === null ? first : plusDays(closedDay, 1); day < running; day = plusDays(day, 1))
    if (every === 'day' || (every !== 'request' && every.includes(weekday(day)))) days.push(day)
  return days
}

/** Orders go to the archive: where nothing was closed and nothing is agreed on, their lines are no lines of a statement any more. */
export function archive(ledger: Ledger, orders: ReadonlySet<string>): void {
  if (ledger.contract.isAgreed || ledger.closedDay !== null) return
  const isGone = ({ order }: Line) => order !== null && orders.has(order)
  ledger.opening += total(ledger.lines.filter(isGone))
  ledger.lines = ledger.lines.filter((line) => !isGone(line))
}

/** What is available now, and what orders wait for that are not funded. */
export interface Now {
  available: bigint
  waiting: bigint
}

/** What a merchant withdraws: so much, or all that it can. */
export type Withdrawn = bigint | 'all'

/**
 * Closes a day, and tells how much of what is available is set aside for the party. Days without lines make no statement, unless
 * something is withdrawn.
 */
export function closeDay(ledger: Ledger, day: string, now: Now, withdrawn: Withdrawn | null = null): bigint {
  const { contract, statements, closedDay } = ledger
  const before = statements.at(-1)
  const told = statements.reduce((count, one) => count + one.lines.length, 0)
  const lines = ledger.lines.slice(told).filter((line) => line.day <= day)
  ledger.closedDay = day
  const [first] = lines
  const opening = before?.closing ?? ledger.opening
  const unclosed = before === undefined ? opening : 0n
  if (first === undefined && withdrawn === null && unclosed === 0n) return 0n
  const sum = total(lines)
  const most = contract.isMerchant ? sweepOf(ledger, day, now) : 0n
  const swept = typeof withdrawn === 'bigint' ? smaller(withdrawn, most) : most
  const due = contract.isMerchant ? swept : unclosed + sum - total(lines.filter((one) => one.isByBank))
  if (first === undefined && due === 0n) return 0n
  const paidAhead = ledger.arrived.reduce((sum, { rest }) => sum + rest, 0n)
  const asked = statements.reduce((left, one) => left + one.open, 0n) + due
  const open = asked < 0n ? smaller(asked + paidAhead, 0n) : asked
  const least = minor(contract.settles.minimum ?? '0', ledger.currency)
  const isWorthIt = due !== 0n && (open < 0n ? -open : open) >= least
  statements.push({
    number: (before?.number ?? 0) + 1,
    from: closedDay === null ? (first?.day ?? day) : plusDays(closedDay, 1),
    to: day,
    opening,
    closing: opening + sum,
    due,
    dueOn: isWorthIt ? bankingDay(day, contract.settles.afterBankingDays ?? 0, contract.calendar) : null,
    swept,
    open: due,
    lines,
  })
  balance(ledger)
  return swept
}

export function total(lines: readonly Line[]): bigint {
  return lines.reduce((sum, { amount, fee, tax }) => sum + amount + fee + tax, 0n)
}

/** What was there when the day ended and still is, but for what is kept and what waits. */
function sweepOf({ contract, currency, moves }: Ledger, day: string, { available, waiting }: Now): bigint {
  const then = moves.filter((one) => one.day <= day).reduce((sum, { amount }) => sum + amount, 0n)
  const sweptSince = moves
    .filter((one) => one.day > day && one.isSweep)
    .reduce((sum, { amount }) => sum - amount, 0n)
  const still = smaller(then - sweptSince, available)
  const swept = still - minor(contract.settles.keep ?? '0', currency) - waiting
  return swept <= 0n || swept < minor(contract.settles.minimum ?? '0', currency) ? 0n : swept
}

/** What was paid before it was asked for settles what is open now; then statements settle each other. */
export function balance({ statements, arrived }: Ledger): void {
  for (const one of arrived.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    const settled = settle(statements, -one.rest)
    one.settled.push(...settled)
    one.rest += settled.reduce((sum, { amount }) => sum + amount, 0n)
  }
  setOff(statements)
}

/** Each statement against the oldest before it that is open the other way. */
function setOff(statements: readonly Statement[]): void {
  for (const newer of statements)
    for (const older of statements) {
      if (older.number >= newer.number) break
      if (older.open === 0n || newer.open === 0n || older.open > 0n === newer.open > 0n) continue
      const size = smaller(sizeOf(older.open), sizeOf(newer.open))
      older.open -= older.open > 0n ? size : -size
      newer.open -= newer.open > 0n ? size : -size
    }
}

const sizeOf = (amount: bigint) => (amount < 0n ? -amount : amount)

/** Settles open statements of an amount's sign, the oldest first; what is left of it settles nothing. */
export function settle(statements: readonly Statement[], amount: bigint, only?: number): Allocation[] {
  let left = amount
  const settled: Allocation[] = []
  for (const one of statements) {
    if (left === 0n || one.open === 0n || one.open > 0n !== amount > 0n) continue
    if (only !== undefined && one.number !== only) continue
    const part = amount > 0n ? smaller(left, one.open) : -smaller(-left, -one.open)
    one.open -= part
    left -= part
    settled.push({ number: one.number, amount: part })
  }
  return settled
}

/** What a payment had settled is due again. */
export function release(statements: readonly Statement[], settled: readonly Allocation[]): void {
  for (const { number, amount } of settled) {
    const statement = statements.find((one) => one.number === number)
    if (statement !== undefined) statement.open += amount
  }
}

/** Money came in from a party that owes, or that payment has gone back: then it is null. */
export function arrive(ledger: Ledger, id: string, amount: bigint | null): void {
  const { statements, arrived } = ledger
  if (amount !== null) {
    const settled = settle(statements, -amount)
    const rest = settled.reduce((left, one) => left + one.amount, amount)
    arrived.push({ id, rest, settled })
    return
  }
  const gone = arrived.find((one) => one.id === id)
  ledger.arrived = arrived.filter((one) => one !== gone)
  release(statements, gone?.settled ?? [])
  balance(ledger)
}

/** What is open of what falls due by a day, with what was too small to fall due before it. */
export function dueBy(statements: readonly Statement[], day: string): bigint {
  const open = statements.filter((one) => one.open !== 0n)
  const last = open.findLast(({ dueOn }) => dueOn !== null && dueOn <= day)?.number ?? 0
  return open
    .filter(({ number, dueOn }) => number <= last && (dueOn === null || dueOn <= day))
    .reduce((sum, one) => sum + one.open, 0n)
}
