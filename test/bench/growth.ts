/**
 * Growth: rates, time to ready and memory of a node with many finished orders, beside one of the same run that has
 * none. `npm run bench -- --orders 1000000`.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { printTable, spread } from './figures.ts'
import { assertRoom, fill } from './filling.ts'
import { closedLoop, type Work } from './load.ts'
import { creation, pair, readyCodes } from './orders.ts'
import { type RunningServer, startServer } from './servers/running.ts'

const connections = 64

interface Side {
  name: string
  folder: string
  readyMs: number[]
  openMs: number[]
  creations: number[]
  creationUs: number[]
  pairs: number[]
  pairUs: number[]
  memoryAtStart: number[]
  memoryAfterLoad: number[]
}

export async function benchGrowth({
  orders = 1_000_000,
  starts = 5,
  rounds = 10,
  units = 1500,
} = {}): Promise<void> {
  assertRoom(tmpdir(), orders)
  const [empty, full] = [side('empty'), side(`${orders.toLocaleString('en')} orders`)]
  try {
    for (const { folder } of [empty, full]) await finishOneOrder(folder)
    console.log(`filling with ${orders.toLocaleString('en')} orders, which takes the longest`)
    const begunAt = performance.now()
    await fill(full.folder, orders)
    const seconds = (performance.now() - begunAt) / 1000
    const gigabytes = statSync(join(full.folder, 'node.db')).size / 1e9
    console.log(`filled in ${seconds.toFixed(0)} s: ${gigabytes.toFixed(2)} GB`)
    console.log(`${starts} starts, then ${rounds} rounds of ${units} creations and pairs with each, in turn`)
    for (let turn = 0; turn < starts; turn++) {
      for (const one of inTurn(empty, full, turn)) await start(one)
    }
    await measureRates(empty, full, { rounds, units })
    report(empty, full)
  } finally {
    for (const { folder } of [empty, full]) rmSync(folder, { recursive: true, force: true })
  }
}

/** Each is first in every other round. */
function inTurn(empty: Side, full: Side, turn: number): readonly Side[] {
  return turn % 2 === 0 ? [empty, full] : [full, empty]
}

function side(name: string): Side {
  return {
    name,
    folder: mkdtempSync(join(tmpdir(), 'ventanilla-bench-')),
    readyMs: [],
    openMs: [],
    creations: [],
    creationUs: [],
    pairs: [],
    pairUs: [],
    memoryAtStart: [],
    memoryAfterLoad: [],
  }
}

export async function finishOneOrder(folder: string): Promise<void> {
  const server = await startServer('node.ts', { folder })
  const one = { connections: 1, units: 1 }
  await closedLoop(server.port, one, creation('first'))
  await closedLoop(server.port, one, pair(await readyCodes(server, 1)))
  await server.stop()
}

async function start(into: Side): Promise<void> {
  const server = await startServer('node.ts', { folder: into.folder })
  into.readyMs.push(server.readyMs)
  into.openMs.push(server.openMs)
  into.memoryAtStart.push((await server.memory()).residentMb)
  await server.stop()
}

async function measureRates(empty: Side, full: Side, size: { rounds: number; units: number }): Promise<void> {
  const servers = new Map<Side, RunningServer>()
  for (const one of [empty, full]) servers.set(one, await startServer('node.ts', { folder: one.folder }))
  for (let round = -1; round < size.rounds; round++) {
    for (const one of inTurn(empty, full, Math.abs(round))) {
      const server = servers.get(one)
      // The first round warms up.
      const into = round === -1 ? side('warm') : one
      if (server !== undefined) await measure(server, into, `${round}`, size.units)
    }
  }
  for (const [one, server] of servers) {
    one.memoryAfterLoad.push((await server.memory()).residentMb)
    await server.stop()
  }
}

async function measure(server: RunningServer, into: Side, run: string, units: number): Promise<void> {
  const created = await rate(server, units, creation(run))
  into.creations.push(created.perSecond)
  into.creationUs.push(created.processorUs)
  const codes = await readyCodes(server, units)
  const paid = await rate(server, units, pair(codes))
  into.pairs.push(paid.perSecond)
  into.pairUs.push(paid.processorUs)
}

async function rate(server: RunningServer, units: number, work: Work) {
  const before = await server.processorMs()
  const { count, seconds } = await closedLoop(server.port, { connections, units }, work)
  return { perSecond: count / seconds, processorUs: (1000 * ((await server.processorMs()) - before)) / count }
}

function report(empty: Side, full: Side): void {
  const rows: [title: string, of: (one: Side) => number[], differenceIn: '%' | 'ms' | 'MB', aim: string][] = [
    ['creations/s', (one) => one.creations, '%', 'within 10 %'],
    ['processor µs each', (one) => one.creationUs, '%', ''],
    ['start+confirm/s', (one) => one.pairs, '%', 'within 10 %'],
    ['processor µs each', (one) => one.pairUs, '%', ''],
    ['ms from process to ready', (one) => one.readyMs, 'ms', 'under 1,000'],
    ['of that the node', (one) => one.openMs, 'ms', ''],
    ['MB resident, ready', (one) => one.memoryAtStart, 'MB', ''],
    ['MB resident, after load', (one) => one.memoryAfterLoad, 'MB', 'within 50 MB'],
  ]
  printTable(
    ['', empty.name, full.name, 'difference', 'aim'],
    rows.map(([title, of, differenceIn, aim]) => {
      const differences = of(empty).map((value, round) => {
        const difference = (of(full)[round] ?? Number.NaN) - value
        return differenceIn === '%' ? (100 * difference) / value : difference
      })
      const difference = `${spread(differences, 1)} ${differenceIn}`
      return [title, spread(of(empty)), spread(of(full)), difference, aim]
    }),
  )
  console.log('Medians and ranges over the rounds; differences are of two figures of one round.')
}
