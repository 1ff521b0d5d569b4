/** The report of a network's day, as the network would write it by its terms, with every outcome that a line can come to. */
import { Temporal } from 'temporal-polyfill'
import { formatPrice } from '../../machines/money.ts'
import { formatInstant, type Instant } from '../../machines/time.ts'
import { ordersPage } from '../../persistence/queries/operations.ts'
import { orderById } from '../../persistence/queries/orders.ts'
import { accountById } from '../../persistence/queries/provisioning.ts'
import { accountId, type Row, type Store } from '../../persistence/store.ts'
import { OperationError } from '../foundation/operation.ts'
import { ownPayments } from '../reconciliation/own-payments.ts'
import { type FoundDay, findReportedDay, type SaidDay } from '../reconciliation/report-day.ts'
import { addDays, type Day } from '../terms/days.ts'
import type { ReportColumns, ReportMapping } from '../terms/report-mapping.ts'
import { SampleContents, type SampleFile } from './sample-file.ts'

type Reads = Pick<Store, 'query'>

interface Line {
  code: string
  minor: bigint
  at: Instant
  kind: 'paid' | 'reversed'
}

/** A code that no order here has: its check digit is wrong. */
const nobodysCode = '100000000000000'
/** So many days around are looked through for a payment of another day. */
const daysAround = 40

/** @throws OperationError where there is no such network, or nothing was paid through it on the day */
export async function sampleReport(store: Reads, said: SaidDay): Promise<SampleFile> {
  const found = await findReportedDay(store, said)
  const { mapping, reported, network } = found
  if (mapping.columns.order === null) {
    throw new OperationError(
      'refused',
      `The network ${network.network_id} names payments by its own references alone.`,
    )
  }
  const paid = await paidOn(store, found, reported.day)
  const more = 'confirm more orders of that day through this network: five are needed'
  const [matched, amount, twice, reversed, , ...others] = paid
  const contents = new SampleContents()
  const lines: Line[] = [
    ...contents.from('matched', matched, more),
    ...others,
    ...contents.from('amount', amount, more).map((line) => ({ ...line, minor: line.minor + 100n })),
    ...contents.from('twice', twice, more).flatMap((line) => [line, line]),
    ...contents.from('reversed', reversed, more).map((line): Line => ({ ...line, kind: 'reversed' })),
    ...contents.from(
      'day',
      await paidElsewhen(store, found),
      'confirm an order some days before or after it',
    ),
    ...contents.from('status', await unpaid(store, found), 'create an order, and confirm it not'),
    { code: nobodysCode, minor: 10_000n, at: middayOf(found), kind: 'paid' },
  ]
  contents.has.push('only_theirs')
  // What is paid here and left out of the file.
  contents.from('only_ours', paid[4], more)
  const { has, lacks } = contents
  return {
    name: `sample-${network.network_id}-${reported.day}.csv`,
    type: 'text/csv',
    encoding: mapping.encoding === 'utf-8' ? 'utf8' : 'latin1',
    text: written(lines, found),
    has,
    lacks,
  }
}

/** The orders that were paid through the network on a day here. */
async function paidOn(store: Reads, { network, reported }: FoundDay, day: Day): Promise<Line[]> {
  const id = accountId({ kind: 'provider', ownerId: network.provider_id, currency: reported.currency })
  const [account] = await store.query(accountById, { id })
  if (account === undefined) return []
  const lines: Line[] = []
  for await (const page of ownPayments(store, { account, networkId: network.network_id, day })) {
    for (const { orderId, minor } of page) {
      const [order] = await store.query(orderById, { id: orderId })
      if (order?.code != null && order.paid_at !== null)
        lines.push({ code: order.code, minor, at: order.paid_at, kind: 'paid' })
    }
    if (lines.length >= 100) break
  }
  return lines
}

/** One of a day that is too far away to be tolerated. */
async function paidElsewhen(store: Reads, found: FoundDay): Promise<Line | undefined> {
  const { day, toleratedDays } = found.reported
  for (let away = toleratedDays + 1; away <= daysAround; away++) {
    for (const other of [addDays(day, -away), addDays(day, away)]) {
      const [line] = await paidOn(store, found, other)
      if (line !== undefined) return { ...line, at: middayOf(found) }
    }
  }
  return undefined
}

/** One that nobody has paid here. */
async function unpaid(store: Reads, found: FoundDay): Promise<Line | undefined> {
  for (const status of ['EXPIRED', 'READY', 'PAYMENT_STARTED'] as const) {
    const orders: Row<'orders'>[] = await store.query(ordersPage({ status }, { after: null, limit: 50 }), {})
    const order = orders.find(({ currency, code }) => currency === found.reported.currency && code !== null)
    if (order?.code != null)
      return { code: order.code, minor: order.price_minor, at: middayOf(found), kind: 'paid' }
  }
  return undefined
}

function middayOf({ reported, mapping }: FoundDay): Instant {
  return Temporal.PlainDate.from(reported.day).toPlainDateTime({ hour: 12 }).toZonedDateTime(mapping.timeZone)
    .epochMilliseconds
}

function written(lines: readonly Line[], { mapping, reported }: FoundDay): string {
  const separator = mapping.separator ?? ','
  const named = Object.entries(mapping.columns).flatMap(([column, name]) =>
    name === null ? [] : [[column as keyof ReportColumns, name] as const],
  )
  const rows = lines.map((line, index) => {
    const cells = cellsOf(line, index + 1, mapping, reported.currency)
    return named.map(([column]) => cells[column])
  })
  const total = totalOf(
    lines,
    named.map(([, name]) => name),
    mapping,
    reported.currency,
  )
  return [named.map(([, name]) => name), ...rows, ...total]
    .map((row) => `${row.map((cell) => quoted(cell, separator)).join(separator)}\r\n`)
    .join('')
}

function cellsOf(
  { code, minor, at, kind }: Line,
  number: number,
  mapping: ReportMapping,
  currency: string,
): Record<keyof ReportColumns, string> {
  const { outcomes, columns } = mapping
  const isNegative = kind === 'reversed' && columns.outcome === null
  const amount = figure(minor, mapping, currency)
  return {
    order: code,
    reference: `S-${number}`,
    amount: isNegative ? `-${amount}` : amount,
    paidAt: timeText(at, mapping),
    outcome: (kind === 'paid' ? outcomes.paid[0] : outcomes.reversed[0]) ?? kind,
    number: String(number),
  }
}

function figure(minor: bigint, { decimal }: ReportMapping, currency: string): string {
  return formatPrice(minor, currency).replace('.', decimal)
}

function timeText(at: Instant, { dates, timeZone }: ReportMapping): string {
  if (dates === null) return formatInstant(at)
  const { year, month, day, hour, minute, second } =
    Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone)
  const parts: Readonly<Record<string, number>> = { MM: month, DD: day, HH: hour, mm: minute, ss: second }
  return dates.replace(/YYYY|MM|DD|HH|mm|ss/g, (part) =>
    part === 'YYYY' ? String(year) : String(parts[part]).padStart(2, '0'),
  )
}

/** The line of totals that was agreed on; none where none was. */
function totalOf(
  lines: readonly Line[],
  names: readonly string[],
  mapping: ReportMapping,
  currency: string,
): string[][] {
  const { total } = mapping
  if (total === null) return []
  const paid = lines.filter(({ kind }) => kind === 'paid')
  const sum = paid.reduce((all, { minor }) => all + minor, 0n)
  return [
    names.map((name, index) => {
      if (index === 0) return total.label
      if (name === total.count) return String(paid.length)
      return name === total.amount ? figure(sum, mapping, currency) : ''
    }),
  ]
}

function quoted(cell: string, separator: string): string {
  return cell.includes(separator) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
