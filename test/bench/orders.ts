/**
 * How fast the node is, and against what: creations and start+confirm pairs a second with 64 connections, and
 * latencies in an open loop at 70 % of that; the same, interleaved, for the limit server and for the node with
 * one commit a request.
 */
import { median, printTable, quantile, spread } from './figures.ts'
import { closedLoop, openLoop, type Work } from './load.ts'
import { merchant, networkId, provider } from './servers/protocol.ts'
import { type RunningServer, startServer } from './servers/running.ts'

const connections = 64

const variants = {
  node: { program: 'node.ts', args: [] },
  'node, one commit a request': { program: 'node.ts', args: ['--single'] },
  limit: { program: 'limit.ts', args: [] },
} as const

type VariantName = keyof typeof variants

interface Figures {
  creations: number[]
  pairs: number[]
  p50: number[]
  p99: number[]
  residentMb: number[]
}

export async function benchOrders({
  rounds = 5,
  units = 4000,
}: {
  rounds?: number
  units?: number
} = {}): Promise<void> {
  const names = Object.keys(variants) as VariantName[]
  const figures = Object.fromEntries(names.map((name) => [name, emptyFigures()])) as Record<
    VariantName,
    Figures
  >
  console.log(`${connections} connections, ${rounds} rounds of ${units} pairs`)
  for (let round = 0; round < rounds; round++) {
    for (const name of names) await measure(name, figures[name], units, round)
  }
  report(names, figures)
}

async function measure(name: VariantName, into: Figures, units: number, round: number): Promise<void> {
  const { program, args } = variants[name]
  const isSlow = name === 'node, one commit a request'
  const count = isSlow ? Math.ceil(units / 8) : units
  const server = await startServer(program, { args })
  await closedLoop(server.port, { connections, units: Math.ceil(count / 4) }, creation(`${round}-warm`))
  const created = await closedLoop(server.port, { connections, units: count * 2 }, creation(`${round}`))
  into.creations.push(created.count / created.seconds)

  const codes = await readyCodes(server, count * 2)
  const pairs = await closedLoop(server.port, { connections, units: count }, pair(codes.slice(0, count)))
  const rate = pairs.count / pairs.seconds
  into.pairs.push(rate)
  const calm = await openLoop(
    server.port,
    { connections, units: count, ratePerSecond: rate * 0.7 },
    pair(codes.slice(count)),
  )
  into.p50.push(quantile(calm.latencies, 0.5))
  into.p99.push(quantile(calm.latencies, 0.99))
  into.residentMb.push((await server.memory()).residentMb)
  await server.stop()
}

/** The newest ones; orders are funded a moment after their creation. */
export async function readyCodes(server: RunningServer, count: number): Promise<string[]> {
  for (;;) {
    const codes = await server.codes(count)
    if (codes.length >= count) return codes
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

export function creation(run: string): Work {
  return async (connection, index) => {
    const body = JSON.stringify({
      order_type: 'LocalCurrencyOrder',
      country: 'MX',
      price: '1000.00',
      price_currency: 'MXN',
      description: 'Refund of order 1234',
      merchant_order_id: `bench-${run}-${index}`,
      notify_url: 'http://127.0.0.1:9/hooks',
      return_url: 'https://shop.example/done',
      expiry: '2099-01-01T00:00:00Z',
      consumer_email: 'ana@example.com',
    })
    const path = '/api/v1/merchants/orders/pay-out/'
    const answer = await connection.send({ credential: merchant, path, body })
    if (answer.status !== 201) throw new Error(`a creation was answered ${answer.status}: ${answer.body}`)
  }
}

export function pair(codes: readonly string[]): Work {
  const body = JSON.stringify({ network_id: networkId, price: '1000.00', price_currency: 'MXN' })
  return async (connection, index) => {
    for (const action of ['start', 'confirm']) {
      const path = `/api/v1/providers/orders/pay-out/${codes[index]}/${action}-payment/`
      const answer = await connection.send({ credential: provider, path, body })
      if (answer.status !== 200) throw new Error(`a ${action} was answered ${answer.status}: ${answer.body}`)
    }
  }
}

function report(names: readonly VariantName[], figures: Record<VariantName, Figures>): void {
  const ratio = (name: VariantName) => {
    const ratios = figures[name].pairs.map(
      (value, round) => value / (figures.limit.pairs[round] ?? Number.NaN),
    )
    return spread(ratios, 2)
  }
  printTable(
    ['server', 'creations/s', 'start+confirm/s', 'of the limit', 'p50 ms', 'p99 ms', 'MB'],
    names.map((name) => [
      name,
      spread(figures[name].creations),
      spread(figures[name].pairs),
      ratio(name),
      spread(figures[name].p50, 1),
      spread(figures[name].p99, 1),
      median(figures[name].residentMb).toFixed(0),
    ]),
  )
  console.log('Medians and ranges over the rounds. Latencies of a pair in an open loop at 70 % of its rate.')
}

function emptyFigures(): Figures {
  return { creations: [], pairs: [], p50: [], p99: [], residentMb: [] }
}
