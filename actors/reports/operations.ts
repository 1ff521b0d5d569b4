/** A provider's report of what it paid since a backup, and what it did not. */

import { createHash } from 'node:crypto'
import { oneSpelling } from '../../machines/written-names.ts'
import { orderByCode, orderById } from '../../persistence/queries/orders.ts'
import { commissionTermsOfProvider } from '../../persistence/queries/parties.ts'
import { networksOfProvider, partiesOfKind } from '../../persistence/queries/provisioning.ts'
import { quarantinedOrders, quarantineReports } from '../../persistence/queries/quarantine.ts'
import type { Store } from '../../persistence/store.ts'
import type { Fault } from '../foundation/csv.ts'
import { flag, optional, reason, text } from '../foundation/fields.ts'
import { defineOperation, OperationError } from '../foundation/operation.ts'
import type { OrderContext } from '../orders/operations.ts'
import { type BookedLine, type Booking, bookReport, type KnownRow } from './book.ts'
import { maxReportBytes, type ReportRow, readReport } from './read.ts'

export interface ReportDocument {
  provider: string
  dryRun: boolean
  lines: BookedLine[]
  /** Orders that this provider could have paid and has not spoken of: they stay quarantined. */
  unmentioned: { id: string; code: string; status: string }[]
}

const maxUnmentioned = 1_000

export const orderReport = defineOperation({
  name: 'order.report',
  summary: "Book a provider's report on quarantined orders, paid and not paid: all of it or nothing.",
  fields: {
    provider: text({
      description: 'Its name.',
      option: ['--provider <name>', 'whose report it is'],
      form: { label: 'Provider' },
    }),
    text: text({
      description: 'CSV with the columns order, outcome, amount, paid_at, reference and perhaps network.',
      minLength: 1,
      maxLength: maxReportBytes,
      form: { label: 'The report', control: 'area' },
    }),
    reason: optional(
      reason('For the journal.', {
        option: ['--reason <text>', 'for the journal; by default that the provider reported it'],
      }),
    ),
    dryRun: optional(
      flag({
        description: 'Show what it would do, and change nothing.',
        option: ['--dry-run', 'show what it would do, and change nothing'],
        form: { label: 'Dry run: change nothing' },
      }),
    ),
  },
  isRead: false,
  audited: ({ provider, text, reason, dryRun = false }) => ({
    provider,
    bytes: Buffer.byteLength(text),
    sha256: createHash('sha256').update(text).digest('hex'),
    ...(reason === undefined ? {} : { reason }),
    dryRun,
  }),
  concluded: ({ lines, dryRun }: ReportDocument) => `${dryRun ? 'would book ' : ''}${counted(lines)}`,
  async run(
    context: OrderContext,
    { provider: name, text, reason = 'the report of the provider', dryRun = false },
  ): Promise<ReportDocument> {
    const { store, orders, operator } = context
    const providers = await store.query(partiesOfKind, { kind: 'provider' })
    const provider =
      providers.find((one) => one.name === name) ?? providers.find((one) => one.name === oneSpelling(name))
    if (provider === undefined) {
      throw new OperationError('not_found', `There is no provider ${name}.`, {
        hint: 'provider list shows their names.',
      })
    }
    const networks = (await store.query(networksOfProvider, { providerId: provider.id })).map(
      (one) => one.network_id,
    )
    const read = readReport(text)
    const known = await findAll(store, read.rows, networks)
    const faults = [...read.faults, ...known.faults]
    const booking: Booking = {
      context: orders.context,
      actor: { kind: 'operator', name: operator },
      reason,
      provider,
      providers: await ableProviders(store, providers),
      denials: await denialsOf(store),
      commissions: await store.query(commissionTermsOfProvider, { providerId: provider.id }),
      isDryRun: dryRun || faults.length > 0,
    }
    const booked = await bookReport(store, known.rows, booking)
    const all = [...faults, ...booked.faults].sort((left, right) => left.line - right.line)
    if (all.length > 0) throw refusalOf(all)
    if (!dryRun) {
      for (const { order, result } of booked.lines) if (result === 'cleared') await orders.tryExpire(order)
    }
    const mentioned = new Set(known.rows.map(({ orderId }) => orderId))
    return {
      provider: name,
      dryRun,
      lines: booked.lines,
      unmentioned: await unmentionedBy(store, booking, mentioned),
    }
  },
})

/** `2 paid, 1 cleared`. */
export function counted(lines: readonly BookedLine[]): string {
  const results = ['paid', 'cleared', 'noted', 'unchanged'] as const
  const counts = results.flatMap((result) => {
    const count = lines.filter((line) => line.result === result).length
    return count === 0 ? [] : [`${count} ${result}`]
  })
  return counts.length === 0 ? 'nothing' : counts.join(', ')
}

function refusalOf(faults: readonly Fault[]): OperationError {
  const lines = faults.length === 1 ? 'One line is' : `${faults.length} lines are`
  return new OperationError('invalid', `Nothing of the report is booked: ${lines} not right.`, {
    details: faults.map(({ line, problem }) => `line ${line}: ${problem}`),
    hint: 'Ask the provider for a corrected report and send that: what has been booked stays booked.',
  })
}

/** The orders and networks that the rows name. */
async function findAll(
  store: Store,
  rows: readonly ReportRow[],
  networks: readonly string[],
): Promise<{ rows: KnownRow[]; faults: Fault[] }> {
  const known: KnownRow[] = []
  const faults: Fault[] = []
  const firstLines = new Map<string, number>()
  for (const one of rows) {
    const { line } = one
    const code = one.order.replace(/[ -]/g, '')
    const [order] = await (/^\d{15}$/.test(code)
      ? store.query(orderByCode, { code })
      : store.query(orderById, { id: one.order.toLowerCase() }))
    const first = order && firstLines.get(order.id)
    const networkId = one.payment?.network || (networks.length === 1 ? networks[0] : '') || ''
    if (order === undefined) faults.push({ line, problem: `there is no order ${one.order}` })
    else if (first !== undefined) faults.push({ line, problem: `line ${first} is about this order too` })
    else if (one.payment !== null && !networks.includes(networkId)) {
      const problem =
        networkId === ''
          ? `no network is given, and the provider has ${networks.length}`
          : `the network ${networkId} is not this provider's`
      faults.push({ line, problem })
    } else {
      firstLines.set(order.id, line)
      known.push({ ...one, orderId: order.id, networkId })
    }
  }
  return { rows: known, faults }
}

/** Nobody starts a payment without a network. */
export async function ableProviders(
  store: Store,
  providers: readonly { id: string; name: string; created_at: number }[],
): Promise<Booking['providers']> {
  const able: { id: string; name: string; since: number }[] = []
  for (const { id, name, created_at: since } of providers) {
    const networks = await store.query(networksOfProvider, { providerId: id })
    if (networks.length > 0) able.push({ id, name, since })
  }
  return able
}

export async function denialsOf(store: Store): Promise<Map<string, Set<string>>> {
  const denials = new Map<string, Set<string>>()
  for (const { id, event_json } of await store.query(quarantineReports, {})) {
    const { providerId }: { providerId?: unknown } = JSON.parse(event_json)
    if (typeof providerId !== 'string') continue
    const said = denials.get(id) ?? new Set()
    denials.set(id, said.add(providerId))
  }
  return denials
}

async function unmentionedBy(
  store: Store,
  { provider, denials }: Booking,
  mentioned: ReadonlySet<string>,
): Promise<ReportDocument['unmentioned']> {
  const found: ReportDocument['unmentioned'] = []
  for (let after = ''; found.length < maxUnmentioned; ) {
    const page = await store.query(quarantinedOrders, { after, limit: 500 })
    for (const { id, code, status } of page) {
      if (!mentioned.has(id) && !denials.get(id)?.has(provider.id)) found.push({ id, code, status })
    }
    const last = page.at(-1)
    if (last === undefined || page.length < 500) break
    after = last.id
  }
  return found
}
