/**
 * The node beside what a user would write instead, and beside the limit: whole lives of orders a second (a creation, a
 * start and a confirmation, each answered after a durable commit), and the processor time that a life takes.
 */
import { hasPostgres, type PostgresServer } from '../support/postgres.ts'
import { median, printTable, spread } from './figures.ts'
import { closedLoop, type LoadResult, type Work } from './load.ts'
import { creation, pair, readyCodes } from './orders.ts'
import { newDatabase, startDatabase } from './postgres.ts'
import { processorMsOf } from './processor.ts'
import { type RunningServer, startServer } from './servers/running.ts'

const connections = 64

const programs = {
  'the node': 'node.ts',
  limit: 'limit.ts',
  'Koa + Kysely + SQLite': 'simple.ts',
  'Koa + Kysely + PostgreSQL': 'simple.ts',
  "the same with the node's rows": 'plain.ts',
} as const

type Name = keyof typeof programs
const plain: readonly Name[] = ['Koa + Kysely + SQLite', 'Koa + Kysely + PostgreSQL']
const slow: readonly Name[] = [...plain, "the same with the node's rows"]

interface Figures {
  creations: number[]
  pairs: number[]
  lives: number[]
  /** Of a life, in µs; a database server's are in it. */
  processorUs: number[]
  /** Of the load generator, which shares the machine, for a request. */
  generatorUs: number[]
  residentMb: number[]
}

interface Peer {
  name: Name
  server: RunningServer
  database: PostgresServer | null
  figures: Figures
}

export async function benchPeers({ rounds = 3, units = 3000 } = {}): Promise<void> {
  const database = hasPostgres('the comparison with PostgreSQL') ? await startDatabase() : null
  const peers: Peer[] = []
  try {
    for (const name of Object.keys(programs) as Name[]) {
      const isPostgres = name === 'Koa + Kysely + PostgreSQL'
      if (isPostgres && database === null) continue
      peers.push(await start(name, isPostgres ? database : null))
    }
    console.log(`${connections} connections, ${rounds} rounds of up to ${units} lives with each, in turn`)
    for (const peer of peers) await measure(peer, 'warm', units, noFigures())
    for (let round = 0; round < rounds; round++) {
      // Who is first changes: what the machine does in a round's beginning is nobody's cost.
      for (const peer of round % 2 === 0 ? peers : peers.toReversed()) {
        await measure(peer, `${round}`, units, peer.figures)
      }
    }
    report(peers)
  } finally {
    for (const { server } of peers) await server.stop()
  }
}

async function start(name: Name, database: PostgresServer | null): Promise<Peer> {
  const args = database === null ? [] : [await newDatabase(database)]
  return { name, server: await startServer(programs[name], { args }), database, figures: noFigures() }
}

/** One commit a request is slow, and a round of it is not to take minutes. */
function unitsOf(name: Name, units: number): number {
  return slow.includes(name) ? Math.ceil(units / 3) : units
}

async function measure(peer: Peer, run: string, units: number, into: Figures): Promise<void> {
  const { name, server } = peer
  const count = unitsOf(name, units)
  const made = await measured(peer, count, creation(run))
  const codes = await readyCodes(server, count)
  const paid = await measured(peer, count, pair(codes))
  into.creations.push(made.rate)
  into.pairs.push(paid.rate)
  into.lives.push(1 / (1 / made.rate + 1 / paid.rate))
  into.processorUs.push(made.processorUs + paid.processorUs)
  into.generatorUs.push((made.generatorUs + paid.generatorUs) / 3)
  into.residentMb.push((await server.memory()).residentMb)
}

interface Measured {
  /** A second. */
  rate: number
  /** Of one unit. */
  processorUs: number
  generatorUs: number
}

async function measured({ server, database }: Peer, units: number, work: Work): Promise<Measured> {
  const used = async () => (await server.processorMs()) + (database ? processorMsOf(database.pid()) : 0)
  const before = await used()
  const own = process.cpuUsage()
  const done: LoadResult = await closedLoop(server.port, { connections, units }, work)
  const { user, system } = process.cpuUsage(own)
  return {
    rate: done.count / done.seconds,
    processorUs: (1000 * ((await used()) - before)) / units,
    generatorUs: (user + system) / units,
  }
}

function report(peers: readonly Peer[]): void {
  const rounds = peers[0]?.figures.lives.length ?? 0
  const betterOf = (what: 'pairs' | 'lives') =>
    Array.from({ length: rounds }, (_, round) =>
      Math.max(
        ...peers.filter(({ name }) => plain.includes(name)).map((one) => one.figures[what][round] ?? 0),
      ),
    )
  const ofBetter = ({ figures }: Peer, what: 'pairs' | 'lives') => {
    const better = betterOf(what)
    return spread(
      figures[what].map((value, round) => value / (better[round] ?? Number.NaN)),
      2,
    )
  }
  printTable(
    [
      'server',
      'creations/s',
      'pairs/s',
      'lives/s',
      'pairs: of plain',
      'lives: of plain',
      'processor µs',
      'MB',
    ],
    peers.map((peer) => [
      peer.name,
      spread(peer.figures.creations),
      spread(peer.figures.pairs),
      spread(peer.figures.lives),
      ofBetter(peer, 'pairs'),
      ofBetter(peer, 'lives'),
      spread(peer.figures.processorUs),
      median(peer.figures.residentMb).toFixed(0),
    ]),
  )
  const generator = median(peers.flatMap(({ figures }) => figures.generatorUs)).toFixed(0)
  console.log(
    'Medians and ranges over the rounds. *Of plain* is of the better of the two plain services, with tables of their own, in the same round. ' +
      'Processor time is of one life, with its database server and without the load generator, whose own is ' +
      `${generator} µs a request.`,
  )
}

function noFigures(): Figures {
  return { creations: [], pairs: [], lives: [], processorUs: [], generatorUs: [], residentMb: [] }
}
