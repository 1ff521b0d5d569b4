/**
 * Life cycles as text: one action a row, then who acts, when, `x` and the reason where it is refused, the
 * status after it, and the effects in their order.
 *
 *     # PAYMENT_STARTED, held by A
 *     order.create                          CREATED           funding.request
 *     funds.reserve                         READY             funding.withdraw, money.move reserve
 *     payment.start    A                    PAYMENT_STARTED
 *     each
 *     payment.confirm  B  x not_holder      PAYMENT_STARTED
 *     payment.cancel   A  early             READY
 *     payment.cancel   A  doubt             READY
 *     payment.cancel   A  restored          READY
 *     operator.cancel     forced            CANCELLED         money.move suspend, …
 *
 * A section begins with `#`. Its rows before `each` are one story, played in their order; every row after
 * `each` is played alone on the order that story left behind.
 */
import type { OrderEvent, OrderEventType, OrderInput } from '../../machines/order.ts'
import type { RefusalReason } from '../../machines/refusals.ts'
import type { OrderStatus } from '../../machines/statuses.ts'
import { orderStatuses } from '../../machines/statuses.ts'
import type { Instant } from '../../machines/time.ts'

/** Before the expiry, from the expiry until the grace has gone, and after that. */
const phases = ['early', 'expired', 'overdue'] as const
type Phase = (typeof phases)[number]

/** The phases a table names: `late` is everything from the expiry on; nothing stands for any time. */
const phasesByWord: Readonly<Record<string, readonly Phase[]>> = {
  '': phases,
  early: ['early'],
  expired: ['expired'],
  overdue: ['overdue'],
  late: ['expired', 'overdue'],
}

type Caller = 'A' | 'B'

/**
 * `forced`: the operator insists. `doubt`: the clock is in doubt. `restored`: quarantined since then. `partial`: some
 * of the money is still missing. `outage`: the chain cannot be read.
 */
const manners = ['forced', 'doubt', 'restored', 'partial', 'outage'] as const
type Manner = (typeof manners)[number]

/** An action as it is written: what is told, by which provider, and in which manner. */
interface Action {
  event: OrderEventType
  caller: Caller | null
  manner: Manner | null
}

export interface TableRow {
  text: string
  /** `null` for `order.create`. */
  action: Action | null
  /** Those in which it holds. */
  phases: readonly Phase[]
  refusal: RefusalReason | null
  status: OrderStatus
  effects: string
}

export interface Section {
  name: string
  story: readonly TableRow[]
  each: readonly TableRow[]
}

const createdAt = Date.UTC(2026, 10, 27, 9)
const expiryAt = Date.UTC(2026, 10, 27, 12)
const confirmGraceMs = 600_000

export const tableInput: OrderInput = {
  orderId: '0197a1c4-6f00-7000-8000-000000000001',
  price: '100000',
  currency: 'MXN',
  createdAt,
  expiryAt,
  confirmGraceMs,
}

/** The first and the last moment of each phase: what changes with time changes exactly between them. */
const borders: Record<Phase, readonly [Instant, Instant]> = {
  early: [createdAt + 1, expiryAt - 1],
  expired: [expiryAt, expiryAt + confirmGraceMs - 1],
  overdue: [expiryAt + confirmGraceMs, expiryAt + 30 * 86_400_000],
}

/** When a row is played: at both borders of each of its phases. */
export function instantsOf(row: TableRow): Instant[] {
  return row.phases.flatMap((phase) => borders[phase])
}

/** What the row tells the order. */
export function eventOf({ event, caller, manner }: Action, at: Instant): OrderEvent {
  const providerId = caller ?? ''
  switch (event) {
    case 'payment.start':
      return { type: event, at, providerId, networkId: `network of ${caller}` }
    case 'payment.confirm':
      return { type: event, at, providerId }
    case 'payment.report':
      return {
        type: event,
        at,
        providerId,
        networkId: `network of ${caller}`,
        paidAt: createdAt + 1,
        amount: '100000',
        reference: 'receipt 1',
        reason: 'the report of the network',
      }
    case 'payment.cancel':
      return { type: event, at, providerId, ...doubtOf(manner) }
    case 'operator.cancel':
      return { type: event, at, reason: 'asked by the merchant', force: manner === 'forced' }
    case 'order.expire':
      return { type: event, at, ...(manner === 'outage' ? { isChainOut: true } : {}) }
    case 'funds.reserve':
      return { type: event, at }
    case 'transaction.built':
      return { type: event, at, amount: '50000000', digest: '0a' }
    case 'funds.credit':
      return { type: event, at, ...creditOf(manner) }
    case 'funds.accept':
      return { type: event, at, reason: 'late, and theirs', ...creditOf(manner) }
  }
}

function doubtOf(manner: Manner | null): { isClockInDoubt?: true; isQuarantined?: true } {
  if (manner === 'doubt') return { isClockInDoubt: true }
  return manner === 'restored' ? { isQuarantined: true } : {}
}

function creditOf(manner: Manner | null) {
  const deposit = 'SOLANA/signature/0'
  return manner === 'partial'
    ? { deposit, amount: '20000000', missing: '30000000' }
    : { deposit, amount: '50000000', missing: '0' }
}

const callers: readonly Caller[] = ['A', 'B']

const credits: readonly Omit<Action, 'event'>[] = [
  { caller: null, manner: null },
  { caller: null, manner: 'partial' },
]

/** Total over the events: a new one does not compile until the tables have its rows. */
const variants: Record<OrderEventType, readonly Omit<Action, 'event'>[]> = {
  'funds.reserve': [{ caller: null, manner: null }],
  'transaction.built': [{ caller: null, manner: null }],
  'funds.credit': credits,
  'funds.accept': credits,
  'payment.start': callers.map((caller) => ({ caller, manner: null })),
  'payment.confirm': callers.map((caller) => ({ caller, manner: null })),
  'payment.report': callers.map((caller) => ({ caller, manner: null })),
  'payment.cancel': callers.flatMap((caller) => [
    { caller, manner: null },
    { caller, manner: 'doubt' },
    { caller, manner: 'restored' },
  ]),
  'operator.cancel': [
    { caller: null, manner: null },
    { caller: null, manner: 'forced' },
  ],
  'order.expire': [
    { caller: null, manner: null },
    { caller: null, manner: 'outage' },
  ],
}

const eventTypes = Object.keys(variants) as OrderEventType[]

/** Every action in every phase, as the key `describeMoment` gives it. */
export function allMoments(): string[] {
  return eventTypes.flatMap((event) =>
    variants[event].flatMap((variant) => phases.map((phase) => describeMoment({ event, ...variant }, phase))),
  )
}

/** The actions and phases that a row speaks for. */
export function momentsOf(row: TableRow): string[] {
  const { action } = row
  return action === null ? [] : row.phases.map((phase) => describeMoment(action, phase))
}

function describeMoment({ event, caller, manner }: Action, phase: Phase): string {
  return [event, caller, manner, phase].filter((part) => part !== null).join(' ')
}

const rowPattern =
  /^(?<event>[a-z]+\.[a-z]+)(?: +(?<caller>[AB]))?(?: +(?<manner>forced|doubt|restored|partial|outage))?(?: +(?<phase>early|expired|overdue|late))?(?: +x (?<reason>[a-z_]+))? +(?<status>[A-Z_]+)(?: +(?<effects>[a-z].*))?$/

/** @throws on a row that is not understood: a row that is skipped would prove nothing. */
export function parseTable(text: string): Section[] {
  const sections: { name: string; story: TableRow[]; each: TableRow[] }[] = []
  let rows: TableRow[] | undefined
  for (const line of text.split('\n').map((one) => one.trim())) {
    if (line === '') continue
    const section = sections.at(-1)
    if (line.startsWith('# ')) {
      const opened = { name: line.slice(2), story: [], each: [] }
      sections.push(opened)
      rows = opened.story
    } else if (line === 'each' && section) rows = section.each
    else if (rows) rows.push(parseRow(line))
    else throw new Error(`A row before the first section: ${line}`)
  }
  return sections
}

function parseRow(line: string): TableRow {
  const cells = rowPattern.exec(line)?.groups
  const status = orderStatuses.find((known) => known === cells?.status)
  if (cells === undefined || status === undefined) throw new Error(`Not a row of a life cycle: ${line}`)
  return {
    text: line.replace(/ +/g, ' '),
    action: actionOf(cells, line),
    phases: phasesByWord[cells.phase ?? ''] ?? [],
    // A reason nobody gives fails its row: it is compared with the one that was given.
    refusal: (cells.reason ?? null) as RefusalReason | null,
    status,
    effects: cells.effects ?? '',
  }
}

function actionOf(cells: Record<string, string | undefined>, line: string): Action | null {
  if (cells.event === 'order.create') return null
  const event = eventTypes.find((known) => known === cells.event)
  const caller = cells.caller === 'A' || cells.caller === 'B' ? cells.caller : null
  const manner = manners.find((known) => known === cells.manner) ?? null
  const isKnown =
    event !== undefined && variants[event].some((one) => one.caller === caller && one.manner === manner)
  if (!isKnown) throw new Error(`Nobody can do this to an order: ${line}`)
  return { event, caller, manner }
}
