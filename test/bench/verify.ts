/**
 * What `verify` costs those who are served meanwhile: latencies of a start and its confirmation in an open loop at
 * 70 % of the rate, on a database of about 60,000 orders, while verifications run one after another, and half of
 * the same load before and after that, with none. The load lasts about as long as a verification that gives way to
 * it. `npm run bench -- verify`.
 */
import { printTable, quantile, spread } from './figures.ts'
import { closedLoop, openLoop } from './load.ts'
import { creation, pair, readyCodes } from './orders.ts'
import { type RunningServer, startServer } from './servers/running.ts'

const connections = 64
const load = 0.7
/** Their pairs tell the rate. */
const shareMeasured = 0.1

export async function benchVerify({ orders = 60_000 } = {}): Promise<void> {
  const server = await startServer('node.ts')
  await closedLoop(server.port, { connections, units: orders }, creation('verified'))
  const codes = await readyCodes(server, orders)
  const measured = codes.splice(0, orders * shareMeasured)
  const { count, seconds } = await closedLoop(
    server.port,
    { connections, units: measured.length },
    pair(measured),
  )
  const ratePerSecond = (load * count) / seconds
  const units = Math.floor(codes.length / 2)
  console.log(`${orders} orders; ${units} pairs at ${ratePerSecond.toFixed(0)} a second with and without`)

  const run = (part: number) => {
    const calls = pair(codes.splice(0, part))
    return openLoop(server.port, { connections, units: part, ratePerSecond }, calls)
  }
  const half = Math.floor(units / 2)
  const before = await run(half)
  const loop = run(units)
  const verifications = await verifyUntil(server, loop)
  const beside = await loop
  const after = await run(half)
  await server.stop()
  report(before.latencies, beside.latencies, after.latencies, verifications)
}

/** Seconds of each verification that was begun before the load ended. */
async function verifyUntil(server: RunningServer, loop: Promise<unknown>): Promise<number[]> {
  let isOver = false
  const end = loop.then(() => {
    isOver = true
  })
  const taken: number[] = []
  while (!isOver) {
    const { ok, seconds } = await server.verify()
    if (!ok) throw new Error('verify found something wrong')
    taken.push(seconds)
  }
  await end
  return taken
}

function report(
  before: readonly number[],
  beside: readonly number[],
  after: readonly number[],
  verifications: readonly number[],
): void {
  const alone = [...before, ...after]
  const row = (name: string, figure: (probability: number) => number) => [
    name,
    ...[0.5, 0.9, 0.99].map((probability) => figure(probability).toFixed(1)),
  ]
  printTable(
    ['start+confirm', 'p50 ms', 'p90 ms', 'p99 ms; it should rise by less than 10'],
    [
      row('before it', (probability) => quantile(before, probability)),
      row('after it', (probability) => quantile(after, probability)),
      row('both', (probability) => quantile(alone, probability)),
      row('while verify runs', (probability) => quantile(beside, probability)),
      row('rise beside both', (probability) => quantile(beside, probability) - quantile(alone, probability)),
    ],
  )
  console.log(`${verifications.length} verifications, of ${spread(verifications, 1)} s each.`)
}
