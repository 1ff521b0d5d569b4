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

export async function benchUnsigned({ repetitions = 200, seconds = 4, rounds = 5 } = {}): Promise<void> {
  const server = await startServer('node.ts')
  await closedLoop(server.port, { connections: 8, units: 200 }, creation('warm'))
  const [order] = await server.readyOrders(1)
  const messageDate = () => (Date.now() / 1000).toFixed(3)
  const known = () => ({ key: merchant.key, messageDate: messageDate(), id: order?.id ?? '' })
  const plain = Buffer.from('GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n')
  const costs = [
    await costOf(server, server.port, { name: 'a plain /healthz, to compare', bytes: plain }, repetitions),
  ]
  for (const shape of publicShapes(known())) costs.push(await costOf(server, server.port, shape, repetitions))
  for (const shape of operatorShapes()) {
    costs.push(await costOf(server, server.operatorPort, shape, repetitions))
  }
  const dearest = costs.toSorted((left, right) => right.processorMs - left.processorMs)
  printTable(
    ['shape', 'processor ms', 'memory kB'],
    dearest
      .slice(0, 20)
      .map(({ name, processorMs, memoryKb }) => [name, processorMs.toFixed(2), memoryKb.toFixed(0)]),
  )
  const most = costs.toSorted((left, right) => right.memoryKb - left.memoryKb).slice(0, 5)
  printTable(
    ['shape', 'memory kB'],
    most.map(({ name, memoryKb }) => [name, memoryKb.toFixed(0)]),
  )
  console.log(`${costs.length} shapes, ${repetitions} requests of each, one after another`)
  await benchBeside(server, publicShapes(known()), seconds, rounds)
  await server.stop()
}

async function costOf(
  server: RunningServer,
  port: number,
  shape: HostileShape,
  repetitions: number,
): Promise<Cost> {
  // A first few make what is made once.
  for (let index = 0; index < 5; index++) await sendOnce(port, shape.bytes)
  const memory = await server.memory()
  const before = await server.processorMs()
  let peak = 0
  for (let index = 0; index < repetitions; index++) await sendOnce(port, shape.bytes)
  const processorMs = ((await server.processorMs()) - before) / repetitions
  const after = await server.memory()
  peak = Math.max(after.heapMb + after.externalMb - memory.heapMb - memory.externalMb, 0)
  return { name: shape.name, processorMs, memoryKb: (peak * 1000) / repetitions }
}

function sendOnce(port: number, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    socket.on('error', () => {})
    socket.on('data', () => {})
    socket.once('close', () => resolve())
  })
}

/** Pairs a second without and with a hundred connections that send one shape after another, in turn. */
async function benchBeside(
  server: RunningServer,
  shapes: readonly HostileShape[],
  seconds: number,
  rounds: number,
): Promise<void> {
  const slowdowns: number[] = []
  for (let round = 0; round < rounds; round++) {
    const alone = await pairMs(server, `alone ${round}`, seconds)
    const attack = startAttack(server.port, shapes)
    const before = { at: performance.now(), used: await server.processorMs() }
    const beside = await pairMs(server, `beside ${round}`, seconds)
    const used = ((await server.processorMs()) - before.used) / (performance.now() - before.at)
    const sent = await attack.stop()
    console.log(
      `round ${round}: ${alone.toFixed(2)} ms, beside ${beside.toFixed(2)} ms, ${sent} hostile, the node busy for ${(100 * used).toFixed(0)} % of a processor`,
    )
    slowdowns.push(beside / alone - 1)
  }
  const median = (100 * quantile(slowdowns, 0.5)).toFixed(1)
  console.log(`a signed pair takes ${median} % longer beside 100 hostile connections (median of ${rounds})`)
}

async function pairMs(server: RunningServer, run: string, units: number): Promise<number> {
  const count = units * 50
  await closedLoop(server.port, { connections: 4, units: count }, creation(run))
  const codes = await readyCodes(server, count)
  const { seconds } = await closedLoop(server.port, { connections: 1, units: count }, pair(codes))
  return (1000 * seconds) / count
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
