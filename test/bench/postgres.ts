/**
 * The node on PostgreSQL, alone and three of them, beside what most would write instead: pairs of start and
 * confirmation a second, the processor time they take, and latencies of all three under the same load.
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { generateMasterKey } from '../../actors/keys/vault.ts'
import { hasPostgres, type PostgresServer, startPostgres } from '../support/postgres.ts'
import { median, printTable, quantile, spread } from './figures.ts'
import { closedLoop, openLoop } from './load.ts'
import { creation, pair, readyCodes } from './orders.ts'
import { processorMsOf } from './processor.ts'
import { type RunningServer, startServer } from './servers/running.ts'

const connections = 64
const names = ['the node', 'three nodes', 'Koa + Kysely + pg'] as const
type Name = (typeof names)[number]
const comparison: Name = 'Koa + Kysely + pg'

interface Figures {
  creations: number[]
  pairs: number[]
  /** Of one pair, in µs: of the programs, and of the database server. */
  processorUs: number[]
  databaseUs: number[]
  p50: number[]
  p99: number[]
}

interface Variant {
  name: Name
  servers: RunningServer[]
  ports: number[]
  /** Those that are measured next. */
  codes: string[]
  figures: Figures
}

export async function benchPostgres({ rounds = 5, units = 300 } = {}): Promise<void> {
  if (!hasPostgres('the bench of PostgreSQL')) return
  const database = await startDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'ventanilla-bench-'))
  const variants: Variant[] = []
  try {
    for (const name of names) variants.push(await start(name, database, folder))
    console.log(`${connections} connections, ${rounds} rounds of ${units} pairs with each, in turn`)
    for (const variant of variants) await measureRate(variant, database, 'warm', units, noFigures())
    for (let round = 0; round < rounds; round++) await measure(variants, database, round, units)
    report(variants)
  } finally {
    for (const { servers } of variants) for (const server of servers) await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function start(name: Name, database: PostgresServer, folder: string): Promise<Variant> {
  const url = await newDatabase(database)
  const servers: RunningServer[] = []
  if (name === comparison) servers.push(await startServer('plain.ts', { args: [url] }))
  else {
    const key = join(folder, `${randomUUID()}.key`)
    writeFileSync(key, generateMasterKey(), { mode: 0o600 })
    const args = ['--database', url, '--key', key]
    const count = name === 'three nodes' ? 3 : 1
    while (servers.length < count) servers.push(await startServer('node.ts', { args }))
  }
  return { name, servers, ports: servers.map(({ port }) => port), codes: [], figures: noFigures() }
}

/** As an operator has it: on a disk, and cleaned as it goes. */
export function startDatabase(): Promise<PostgresServer> {
  return startPostgres({ autovacuum: 'on', shared_buffers: '256MB', max_wal_size: '4GB' }, tmpdir())
}

export async function newDatabase(database: PostgresServer): Promise<string> {
  const name = `bench_${randomUUID().replaceAll('-', '')}`
  const client = new Client({ connectionString: database.url('postgres') })
  await client.connect()
  await client.query(`CREATE DATABASE ${name} TEMPLATE template0`)
  await client.end()
  return database.url(name)
}

async function measure(
  variants: readonly Variant[],
  database: PostgresServer,
  round: number,
  units: number,
): Promise<void> {
  // Who is first changes: what the machine does in a round's beginning is nobody's cost.
  const inTurn = variants.map((_, turn) => variants[(round + turn) % variants.length])
  const rates: number[] = []
  for (const variant of inTurn) {
    if (variant === undefined) continue
    const rate = await measureRate(variant, database, `${round}`, units, variant.figures)
    if (variant.name !== 'three nodes') rates.push(rate)
  }
  // The same load for all: what the slower one of the two that are compared bears.
  const ratePerSecond = 0.7 * Math.min(...rates)
  for (const variant of inTurn) {
    if (variant === undefined) continue
    const { ports, codes, figures } = variant
    const calm = await openLoop(ports, { connections, units, ratePerSecond }, pair(codes))
    figures.p50.push(quantile(calm.latencies, 0.5))
    figures.p99.push(quantile(calm.latencies, 0.99))
  }
}

/** Makes orders for both measurements of a round, and finishes half of them as fast as it goes. */
async function measureRate(
  variant: Variant,
  database: PostgresServer,
  run: string,
  units: number,
  into: Figures,
): Promise<number> {
  const { servers, ports } = variant
  const [first] = servers
  if (first === undefined) throw new Error(`${variant.name}: no server`)
  const made = await closedLoop(ports, { connections, units: units * 2 }, creation(run))
  into.creations.push(made.count / made.seconds)
  const codes = await readyCodes(first, units * 2)
  variant.codes = codes.slice(units)
  const used = async () => {
    const each = await Promise.all(servers.map((server) => server.processorMs()))
    return { programs: each.reduce((sum, ms) => sum + ms, 0), database: processorMsOf(database.pid()) }
  }
  const before = await used()
  const { count, seconds } = await closedLoop(ports, { connections, units }, pair(codes.slice(0, units)))
  const after = await used()
  into.pairs.push(count / seconds)
  into.processorUs.push((1000 * (after.programs - before.programs)) / count)
  into.databaseUs.push((1000 * (after.database - before.database)) / count)
  return count / seconds
}

function report(variants: readonly Variant[]): void {
  const bare = variants.find(({ name }) => name === comparison)?.figures ?? noFigures()
  const of = (values: readonly number[], others: readonly number[]) =>
    spread(
      values.map((value, round) => value / (others[round] ?? Number.NaN)),
      2,
    )
  printTable(
    [
      'server',
      'creations/s',
      'pairs/s',
      'of the comparison',
      'processor µs',
      'database µs',
      'p50 ms',
      'p99 ms',
    ],
    variants.map(({ name, figures }) => [
      name,
      spread(figures.creations),
      spread(figures.pairs),
      of(figures.pairs, bare.pairs),
      spread(figures.processorUs),
      spread(figures.databaseUs),
      spread(figures.p50, 1),
      spread(figures.p99, 1),
    ]),
  )
  const [alone] = variants
  const latency = alone === undefined ? '' : of(alone.figures.p99, bare.p99)
  console.log(
    'Medians and ranges over the rounds. Latencies of a pair in an open loop at 70 % of the rate of the slower ' +
      `one of the node and the comparison: the node's p99 is ${latency} of the comparison's. Processor time is of ` +
      `one pair; the node's ${alone ? median(alone.figures.processorUs).toFixed(0) : ''} µs include its workers.`,
  )
}

function noFigures(): Figures {
  return { creations: [], pairs: [], processorUs: [], databaseUs: [], p50: [], p99: [] }
}
