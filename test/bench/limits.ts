/**
 * What limits, stored answers and the journal cost: start+confirm pairs a second over HTTP of the node, and of the
 * same node without one of them, in turn. `npm run bench -- limits`.
 */
import { printTable, quantile, spread } from './figures.ts'
import { closedLoop } from './load.ts'
import { creation, pair, readyCodes } from './orders.ts'
import { type RunningServer, startServer } from './servers/running.ts'

const connections = 64
const parts = ['limits', 'stored answers', 'journal'] as const

interface Figures {
  perSecond: number[]
  /** Processor time of the server for one pair, in µs: what others do on the machine changes it little. */
  processorUs: number[]
}

interface Variant {
  name: string
  server: RunningServer
  figures: Figures
}

export async function benchLimits({ rounds = 20, units = 1000 } = {}): Promise<void> {
  console.log(`${connections} connections, ${rounds} rounds of ${units} pairs with each, in turn`)
  const variants: Variant[] = [variant('the node', await startServer('node.ts'))]
  for (const part of parts) {
    variants.push(variant(`without ${part}`, await startServer('without.ts', { args: [part] })))
  }
  for (const { server } of variants) await measure(server, 'warm', units, noFigures())
  for (let round = 0; round < rounds; round++) {
    // Who is first changes: what the machine does in a round's beginning is nobody's cost.
    for (let turn = 0; turn < variants.length; turn++) {
      const next = variants[(round + turn) % variants.length]
      if (next !== undefined) await measure(next.server, `${round}`, units, next.figures)
    }
  }
  for (const { server } of variants) await server.stop()
  report(variants)
}

async function measure(server: RunningServer, run: string, units: number, into: Figures): Promise<void> {
  await closedLoop(server.port, { connections, units }, creation(run))
  const codes = await readyCodes(server, units)
  const before = await server.processorMs()
  const { count, seconds } = await closedLoop(server.port, { connections, units }, pair(codes))
  into.perSecond.push(count / seconds)
  into.processorUs.push((1000 * ((await server.processorMs()) - before)) / count)
}

function report([node, ...others]: readonly Variant[]): void {
  if (node === undefined) return
  printTable(
    ['server', 'start+confirm/s', 'so it costs %', 'processor µs', 'so it costs %'],
    [
      [node.name, spread(node.figures.perSecond), '', spread(node.figures.processorUs), ''],
      ...others.map(({ name, figures }) => [
        name,
        spread(figures.perSecond),
        costs(figures.perSecond, node.figures.perSecond),
        spread(figures.processorUs),
        costs(node.figures.processorUs, figures.processorUs),
      ]),
    ],
  )
  console.log('Costs are of two figures of one round: the median, and between which half of the rounds lie.')
}

/** In per cent: how much less `less` is than `more`, round by round. */
function costs(more: readonly number[], less: readonly number[]): string {
  const values = more.map((value, round) => 100 * (1 - (less[round] ?? Number.NaN) / value))
  const [low, middle, high] = [0.25, 0.5, 0.75].map((part) => quantile(values, part).toFixed(1))
  return `${middle} (${low}–${high})`
}

function variant(name: string, server: RunningServer): Variant {
  return { name, server, figures: noFigures() }
}

function noFigures(): Figures {
  return { perSecond: [], processorUs: [] }
}
