/** Reports of networks in a world of orders, sent as files are. */
import { createHash } from 'node:crypto'
import type { Upload, Uploads } from '../../actors/foundation/uploads.ts'
import { type BankRuns, createBankRuns } from '../../actors/reconciliation/bank-runs.ts'
import { readBank } from '../../actors/reconciliation/read-bank.ts'
import { readReportCsv } from '../../actors/reconciliation/read-csv.ts'
import { findReportedDay } from '../../actors/reconciliation/report-day.ts'
import { createReportRuns, type ReportRuns } from '../../actors/reconciliation/report-runs.ts'
import type { RunDocument } from '../../actors/reconciliation/run-document.ts'
import type { Row, Write } from '../../persistence/store.ts'
import { commit, type OrderWorld, type Till, tills } from './order-world.ts'

/** Files in memory, named by what is in them. */
export class HeldFiles implements Uploads {
  readonly texts = new Map<string, Buffer>()

  add(text: string | Buffer): Upload {
    const bytes = Buffer.from(text)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const id = `${this.texts.size}-${sha256.slice(0, 8)}`
    this.texts.set(id, bytes)
    return { id, path: id, bytes: bytes.length, sha256 }
  }

  readonly maxBytes = 2 ** 25

  async inFolder(): Promise<never> {
    throw new Error('there is no folder')
  }

  async adopt(): Promise<never> {
    throw new Error('nothing is adopted here')
  }

  async receive(): Promise<never> {
    throw new Error('nothing is received here')
  }

  find(id: string): Upload | null {
    const bytes = this.texts.get(id)
    return bytes === undefined
      ? null
      : { id, path: id, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
  }

  async read(id: string): Promise<Buffer | null> {
    return this.texts.get(id) ?? null
  }

  async drop(id: string): Promise<void> {
    this.texts.delete(id)
  }
}

export interface Reports {
  files: HeldFiles
  runs: ReportRuns
  /** Looks at a file of network A. */
  look(text: string | Buffer, day: string, network?: string): Promise<RunDocument>
  /** Looks at it, and applies it. */
  send(text: string | Buffer, day: string, network?: string): Promise<RunDocument>
}

/** Networks A and B, in pesos. */
export function addNetworks(world: OrderWorld, changes: Partial<Row<'networks'>> = {}): Promise<void> {
  return commit(
    world.store,
    (['A', 'B'] as const).map(
      (till): Write => ({
        insert: 'networks',
        values: { network_id: `000${till}`, provider_id: tills[till].id, currency: 'MXN', ...changes },
      }),
    ),
  )
}

/** What operations are given of files. */
export function filesOf(
  world: Pick<OrderWorld, 'store' | 'orders'> & { clock: { now(): number } },
  onError: (error: unknown) => void = () => {},
  chunkBytes = 1000,
): { uploads: HeldFiles; reports: ReportRuns; statements: BankRuns; patienceMs: number } {
  const files = new HeldFiles()
  async function* bytesOf(path: string) {
    const bytes = files.texts.get(path)
    if (bytes === undefined) throw new Error(`there is no file ${path}`)
    for (let start = 0; start < bytes.length; start += chunkBytes)
      yield bytes.subarray(start, start + chunkBytes)
  }
  const reports = createReportRuns({
    store: world.store,
    clock: world.clock,
    orders: world.orders,
    uploads: files,
    read: (path, rules) => readReportCsv(bytesOf(path), rules),
    onError,
  })
  const statements = createBankRuns({
    store: world.store,
    uploads: files,
    readBankFile: (path, rules) => readBank(bytesOf(path), rules),
    onError,
  })
  return { uploads: files, reports, statements, patienceMs: 60_000 }
}

export function reportsOf(world: OrderWorld): Reports {
  const errors: unknown[] = []
  const { uploads: files, reports: runs } = filesOf(world, (error) => errors.push(error))
  const look = async (text: string | Buffer, day: string, network = '000A') => {
    const provider = network === '000B' ? 'Network B' : 'Network A'
    const found = await findReportedDay(world.store, { provider, network, day })
    const { run } = await runs.begin(found, files.add(text).id, 'ana')
    await runs.settled(run)
    if (errors.length > 0) throw errors[0]
    return runs.show(run)
  }
  return {
    files,
    runs,
    look,
    async send(text, day, network) {
      const looked = await look(text, day, network)
      if (looked.state !== 'ready') throw new Error(JSON.stringify(looked.faults))
      await runs.apply(looked.run, 'ana')
      await runs.settled(looked.run)
      if (errors.length > 0) throw errors[0]
      return runs.show(looked.run)
    },
  }
}

const header = 'order,outcome,amount,paid_at,reference'
const at = '2026-03-01T12:00:00Z'

/** A report as networks send it where nothing else was agreed on. */
export const file = (lines: readonly string[]): string => [header, ...lines, ''].join('\r\n')
export const payment = (name: string, amount = '1000.00', reference = ''): string =>
  `${name},paid,${amount},${at},${reference}`

/** An order that a till has paid, or collected. */
export async function paid(
  world: OrderWorld,
  till: Till = 'A',
  direction: 'PAY_OUT' | 'PAY_IN' = 'PAY_IN',
): Promise<Row<'orders'>> {
  if (direction === 'PAY_OUT') await world.deposit(100_000n)
  const order = await world.order({ direction })
  await world.start(order.id, till)
  await world.confirm(order.id, till)
  return world.row(order.id)
}

/** What a network’s terms say of its reports. */
export function mapping(changes: object): string {
  const columns = {
    order: 'order',
    reference: 'reference',
    amount: 'amount',
    paidAt: 'paid_at',
    outcome: 'outcome',
    number: null,
  }
  const usual = {
    separator: null,
    encoding: 'utf-8',
    columns,
    dates: null,
    decimal: '.',
    timeZone: 'UTC',
    total: null,
    toleratedDays: 1,
  }
  return JSON.stringify({
    ...usual,
    outcomes: { paid: ['paid'], reversed: ['reversed'], notPaid: ['not_paid'] },
    ...changes,
  })
}
