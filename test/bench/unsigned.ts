/**
 * What strangers cost: processor time and memory of a request of each hostile shape (`npm run bench -- unsigned`), and
 * what a hundred connections of them leave of start+confirm pairs, and of a visitor's time (`npm run bench -- strangers`).
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { get } from 'node:http'
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

const standardSizes: Sizes = { batches: 7, requests: 3, units: 10, rounds: 9 }
/** At once, while the node's memory is watched. */
const together = 10

export async function benchUnsigned({ batches, requests } = standardSizes) {
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

/** From where a hundred connections of strangers come; who signs is at 127.0.0.1. */
const origins: Readonly<Record<string, readonly string[]>> = {
  'of one address': ['127.0.0.2'],
  'of a hundred addresses': Array.from({ length: 100 }, (_, index) => `127.0.1.${index + 1}`),
  'of the address of who signs': ['127.0.0.1'],
}

interface Beside {
  slowdowns: number[]
  addedMs: number[]
  pageMs: number[]
  healthMs: number[]
}

/** What a pair takes without and with a hundred connections that send one shape after another, in turn. */
export async function benchStrangers({ units, rounds } = standardSizes): Promise<void> {
  const server = await startServer('node.ts')
  const known = await knownTo(server)
  const shapes = publicShapes(known)
  const figures = Object.keys(origins).map(
    (name) => [name, { slowdowns: [], addedMs: [], pageMs: [], healthMs: [] } as Beside] as const,
  )
  const alonePages: number[] = []
  for (let round = 0; round < rounds; round++) {
    for (const [name, { slowdowns, addedMs, pageMs, healthMs }] of figures) {
      const measureAlone = () => pairMs(server, `alone ${name} ${round}`, units)
      // Each comes first in every other round: what a database that grows costs falls on both.
      const first = round % 2 === 0 ? await measureAlone() : null
      const attack = startAttack(server.port, origins[name] ?? [], shapes)
      const beside = await pairMs(server, `beside ${name} ${round}`, units)
      const sent = await attack.stop()
      const alone = first ?? (await measureAlone())
      alonePages.push(...alone.pageMs)
      console.log(
        `round ${round}: a pair takes ${alone.ms.toFixed(2)} ms and ${alone.usedMs.toFixed(2)} of the node’s ` +
          `processor time alone, ${beside.ms.toFixed(2)} and ${beside.usedMs.toFixed(2)} beside ${sent} hostile requests ${name}`,
      )
      slowdowns.push(beside.ms / alone.ms - 1)
      addedMs.push(beside.usedMs - alone.usedMs)
      pageMs.push(...beside.pageMs)
      healthMs.push(...beside.healthMs)
    }
  }
  const ms = (values: readonly number[]) =>
    `${quantile(values, 0.5).toFixed(0)} (${Math.max(...values).toFixed(0)})`
  printTable(
    [
      '100 hostile connections',
      'a pair takes longer by',
      'processor ms more',
      'page ms (most)',
      '/healthz ms (most)',
    ],
    figures.map(([name, { slowdowns, addedMs, pageMs, healthMs }]) => [
      name,
      `${(100 * quantile(slowdowns, 0.5)).toFixed(1)} %`,
      quantile(addedMs, 0.5).toFixed(2),
      ms(pageMs),
      ms(healthMs),
    ]),
  )
  console.log(`Medians of ${rounds} rounds. Without them a page takes ${ms(alonePages)} ms.`)
  await server.stop()
}

interface Pairs {
  ms: number
  usedMs: number
  pageMs: number[]
  healthMs: number[]
}

/** Pairs on one connection; meanwhile one visitor opens pages of orders that nobody has looked at, and health is asked for. */
async function pairMs(server: RunningServer, run: string, units: number): Promise<Pairs> {
  const count = units * 50
  await closedLoop(server.port, { connections: 4, units: count + 20 }, creation(run))
  const codes = await readyCodes(server, count + 20)
  const orders = await server.readyOrders(20)
  const unseen = orders.filter(({ code }) => !codes.slice(0, count).includes(code)).map(({ id }) => id)
  const before = await server.processorMs()
  let isOver = false
  const pageMs: number[] = []
  const healthMs: number[] = []
  const visitor = async () => {
    while (!isOver) {
      pageMs.push(await timed(() => openPage(server.port, unseen.pop() ?? '', nextVisitor())))
      healthMs.push(await timed(() => load(server.port, '/healthz', '127.0.0.4')))
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
  }
  const visited = visitor()
  const { seconds } = await closedLoop(server.port, { connections: 1, units: count }, pair(codes))
  const usedMs = ((await server.processorMs()) - before) / count
  isOver = true
  await visited
  return { ms: (1000 * seconds) / count, usedMs, pageMs, healthMs }
}

let visitors = 0

/** Each visitor comes once, from an address of its own. */
function nextVisitor(): string {
  visitors++
  return `127.0.${2 + Math.floor(visitors / 250)}.${1 + (visitors % 250)}`
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begunAt = performance.now()
  await work()
  return performance.now() - begunAt
}

/** As a browser that was never here: the page, its scripts, and the first line of its live status. */
async function openPage(port: number, id: string, from: string): Promise<void> {
  const page = await load(port, `/checkout/${id}`, from)
  const scripts = [...page.matchAll(/<script[^>]* src="([^"]+)"/g)].map(([, path = '']) => path)
  if (scripts.length === 0) throw new Error(`The page of ${id} has no script: ${page.slice(0, 200)}`)
  await Promise.all(scripts.map((path) => load(port, new URL(path, 'http://node').pathname, from)))
  await load(port, `/checkout/${id}/events`, from, 'data:')
}

/** @returns the text of an answer, as far as what is looked for in it */
function load(port: number, path: string, localAddress: string, until?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path, localAddress, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (more: string) => {
        text += more
        if (until === undefined || !text.includes(until)) return
        response.destroy()
        resolve(text)
      })
      response.on('end', () => resolve(text)).on('error', reject)
    }).on('error', reject)
  })
}

/** In a process of its own: in this one it would take its time from the signed pairs that are measured. */
function startAttack(port: number, addresses: readonly string[], shapes: readonly HostileShape[]) {
  const child = fork(join(import.meta.dirname, 'servers/strangers.ts'), [String(port), ...addresses])
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
