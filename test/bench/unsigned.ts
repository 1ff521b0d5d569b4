/**
 * What strangers cost: processor time and memory of a request of each hostile shape, and what a hundred connections of
 * them leave of start+confirm pairs. `npm run bench -- unsigned`.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { type HostileShape, operatorShapes, publicShapes } from '../support/hostile-shapes.ts'
import { printTable, quantile } from './figures.ts'
import { closedLoop } from './load.ts'
import { creation, pair, readyCodes } from './orders.ts'
import { merchant } from './servers/protocol.ts'
import { type RunningServer, startServer } from './servers/running.ts'

interface Cost {
  name: string
  processorMs: number
  /** Of the process, between before the first and after the last: what one at a time keeps alive. */
  memoryKb: number
}

interface Sizes {
  /** For each shape the median over so many batches of so many requests, one after another. */
  batches: number
  requests: number
  /** Of 50 pairs each, in each round. */
  units: number
  rounds: number
}

const standardSizes: Sizes = { batches: 7, requests: 3, units: 4, rounds: 5 }
/** At once, while the node's memory is watched. */
const together = 10

export async function benchUnsigned({ batches, requests, units, rounds } = standardSizes) {
  const { costs, idle } = await costsOfAll(batches, requests)
  const dearest = costs.toSorted((left, right) => right.processorMs - left.processorMs)
  const most = costs.toSorted((left, right) => right.memoryKb - left.memoryKb)
  const row = ({ name, processorMs, memoryKb }: Cost) => [name, processorMs.toFixed(2), memoryKb.toFixed(0)]
  const [plain] = costs
  printTable(
    ['shape', 'processor ms', 'memory kB'],
    [...(plain === undefined ? [] : [plain]), ...dearest.slice(0, 20)].map(row),
  )
  printTable(['shape', 'processor ms', 'memory kB'], most.slice(0, 5).map(row))
  console.log(
    `${costs.length} shapes, ${batches} batches of ${requests} of each; half of all below ` +
      `${quantile(
        costs.map(({ processorMs }) => processorMs),
        0.5,
      ).toFixed(2)} ms; without them the node used ${(100 * idle).toFixed(1)} % of a processor`,
  )
  await benchBeside(units, rounds)
}

/** On a node whose strangers do not wait for turns. */
async function costsOfAll(batches: number, requests: number): Promise<{ costs: Cost[]; idle: number }> {
  const server = await startServer('node.ts', { args: ['--no-budget'] })
  const known = await knownTo(server)
  const before = { at: performance.now(), used: await server.processorMs() }
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  const idle = ((await server.processorMs()) - before.used) / (performance.now() - before.at)
  const costs: Cost[] = []
  const listeners = [
    { port: server.port, shapes: [plainShape, ...publicShapes(known)] },
    { port: server.operatorPort, shapes: operatorShapes() },
  ]
  for (const { port, shapes } of listeners) {
    for (const { name, bytes } of shapes) {
      const send = () => sendOnce(port, bytes)
      // The first ones make what is made once.
      const peakKb = await server.peakKb(() => Promise.all(Array.from({ length: together }, send)))
      const spent: number[] = []
      for (let batch = 0; batch < batches; batch++) {
        const began = { at: performance.now(), used: await server.processorMs() }
        for (let sent = 0; sent < requests; sent++) await send()
        const used = (await server.processorMs()) - began.used
        spent.push(Math.max(used - idle * (performance.now() - began.at), 0) / requests)
      }
      costs.push({ name, processorMs: quantile(spent, 0.5), memoryKb: peakKb / together })
    }
  }
  await server.stop()
  return { costs, idle }
}

/** What every request costs, to compare. */
const plainShape: HostileShape = {
  name: 'a plain /healthz',
  bytes: Buffer.from('GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n'),
}

/** What strangers may know of a node. */
async function knownTo(server: RunningServer): Promise<Parameters<typeof publicShapes>[0]> {
  await closedLoop(server.port, { connections: 4, units: 20 }, creation('known'))
  const [order] = await server.readyOrders(1)
  return { key: merchant.key, messageDate: (Date.now() / 1000).toFixed(3), id: order?.id ?? '' }
}

function sendOnce(port: number, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket.on('error', () => {})
    socket.on('data', () => {})
    socket.once('close', () => resolve())
  })
}

/** What a pair takes without and with a hundred connections that send one shape after another, in turn. */
async function benchBeside(units: number, rounds: number): Promise<void> {
  const server = await startServer('node.ts')
  const shapes = publicShapes(await knownTo(server))
  const slowdowns: number[] = []
  const added: number[] = []
  for (let round = 0; round < rounds; round++) {
    const alone = await pairMs(server, `alone ${round}`, units)
    const attack = startAttack(server.port, shapes)
    const beside = await pairMs(server, `beside ${round}`, units)
    const sent = await attack.stop()
    console.log(
      `round ${round}: a pair takes ${alone.ms.toFixed(2)} ms and ${alone.usedMs.toFixed(2)} of the node’s processor time ` +
        `alone, ${beside.ms.toFixed(2)} and ${beside.usedMs.toFixed(2)} beside ${sent} hostile requests`,
    )
    slowdowns.push(beside.ms / alone.ms - 1)
    added.push(beside.usedMs - alone.usedMs)
  }
  console.log(
    `a signed pair takes ${(100 * quantile(slowdowns, 0.5)).toFixed(1)} % longer beside 100 hostile connections, ` +
      `and the node ${quantile(added, 0.5).toFixed(2)} ms of processor time more (medians of ${rounds})`,
  )
  await server.stop()
}

async function pairMs(
  server: RunningServer,
  run: string,
  units: number,
): Promise<{ ms: number; usedMs: number }> {
  const count = units * 50
  await closedLoop(server.port, { connections: 4, units: count }, creation(run))
  const codes = await readyCodes(server, count)
  const before = await server.processorMs()
  const { seconds } = await closedLoop(server.port, { connections: 1, units: count }, pair(codes))
  return { ms: (1000 * seconds) / count, usedMs: ((await server.processorMs()) - before) / count }
}

/** In a process of its own: in this one it would take its time from the signed pairs that are measured. */
function startAttack(port: number, shapes: readonly HostileShape[]) {
  const child = fork(join(import.meta.dirname, 'servers/strangers.ts'), [String(port)])
  child.send(shapes.map(({ bytes }) => bytes.toString('base64')))
  return {
    async stop(): Promise<number> {
      const told = once(child, 'message')
      child.send('stop')
      const [sent] = await told
      return sent
    },
  }
}
