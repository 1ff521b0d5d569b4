/**
 * What `verify` costs those who are served meanwhile: latencies of a start and its confirmation in an open loop at
 * 70 % of the rate, on a database of about 20,000 orders, with verifications running one after another and with
 * none. `npm run bench -- verify`.
 */
import { printTable, quantile, spread } from './figures.ts'
import { closedLoop, openLoop } from './load.ts'
import { creation, pair, readyCodes } from './orders.ts'
import { type RunningServer, startServer } from './servers/running.ts'

const connections = 64
const load = 0.7

interface Figures {
  p50: number[]
  p99: number[]
}

export async function benchVerify({ orders = 20_000, rounds = 4 } = {}): Promise<void> {
  const server = await startServer('node.ts')
  await closedLoop(server.port, { connections, units: orders }, creation('verified'))
  const codes = await readyCodes(server, orders)
  // A fifth of them tells the rate; the others are for the rounds, two each.
  const units = Math.floor((orders * 0.8) / (2 * rounds))
  const measured = codes.splice(0, orders - 2 * rounds * units)
  const { count, seconds } = await closedLoop(
    server.port,
    { connections, units: measured.length },
    pair(measured),
  )
  const ratePerSecond = (load * count) / seconds
  console.log(`${orders} orders; ${rounds} rounds of ${units} pairs at ${ratePerSecond.toFixed(0)} a second`)

  const [alone, beside]: [Figures, Figures] = [noFigures(), noFigures()]
  const verifications: number[] = []
  for (let round = 0; round < rounds; round++) {
    for (const isVerifying of round % 2 === 0 ? [false, true] : [true, false]) {
      const calls = pair(codes.splice(0, units))
      const loop = openLoop(server.port, { connections, units, ratePerSecond }, calls)
      const verifying = isVerifying ? verifyUntil(server, loop) : Promise.resolve([])
      const { latencies } = await loop
      verifications.push(...(await verifying))
      const into = isVerifying ? beside : alone
      into.p50.push(quantile(latencies, 0.5))
      into.p99.push(quantile(latencies, 0.99))
    }
  }
  await server.stop()
  report(alone, beside, verifications)
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

function report(alone: Figures, beside: Figures, verifications: readonly number[]): void {
  const rise = (of: (figures: Figures) => number[]) =>
    spread(
      of(beside).map((value, round) => value - (of(alone)[round] ?? Number.NaN)),
      1,
    )
  printTable(
    ['start+confirm', 'p50 ms', 'p99 ms'],
    [
      ['alone', spread(alone.p50, 1), spread(alone.p99, 1)],
      ['while verify runs', spread(beside.p50, 1), spread(beside.p99, 1)],
      ['rise', rise(({ p50 }) => p50), `${rise(({ p99 }) => p99)}; the aim is less than 10`],
    ],
  )
  console.log(`${verifications.length} verifications, of ${spread(verifications, 1)} s each.`)
}

function noFigures(): Figures {
  return { p50: [], p99: [] }
}
