/**
 * What a thousand open checkout pages cost those who are served meanwhile: starts and confirmations a second with
 * and without them, in turn. A tenth of the orders that are paid are among those that are looked at, and each of
 * their pages has to learn of it. `npm run bench -- viewers`.
 */
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { printTable, spread } from './figures.ts'
import { closedLoop } from './load.ts'
import { creation, pair, readyCodes } from './orders.ts'
import { startServer } from './servers/running.ts'

const connections = 64
/** So many pages may be open from one address. */
const viewersPerAddress = 100

interface Viewer {
  /** Resolves when the page was told that its order is final. */
  ended: Promise<void>
  close(): void
}

export async function benchViewers({ viewers = 1000, rounds = 10, units = 1500 } = {}): Promise<void> {
  const server = await startServer('node.ts')
  const paidWhileViewed = Math.ceil(units / 10)
  const count = viewers + 2 * rounds * units
  await closedLoop(server.port, { connections, units: count }, creation('viewed'))
  await readyCodes(server, count)
  const orders = await server.readyOrders(count)
  const calm = orders.splice(0, viewers)
  const rates = { without: [] as number[], with: [] as number[] }
  console.log(`${rounds} rounds of ${units} pairs without and with ${viewers} viewers or more`)
  for (let round = 0; round < rounds; round++) {
    for (const isViewed of round % 2 === 0 ? [false, true] : [true, false]) {
      const paid = orders.splice(0, units)
      const viewed = isViewed ? [...paid.slice(0, paidWhileViewed), ...calm] : []
      const open = await Promise.all(viewed.map(({ id }, index) => openViewer(server.port, id, index)))
      const calls = pair(paid.map(({ code }) => code))
      const { count, seconds } = await closedLoop(server.port, { connections, units }, calls)
      rates[isViewed ? 'with' : 'without'].push(count / seconds)
      await Promise.all(open.slice(0, isViewed ? paidWhileViewed : 0).map(({ ended }) => ended))
      for (const viewer of open) viewer.close()
    }
  }
  await server.stop()
  const loss = rates.with.map((rate, round) => (1 - rate / (rates.without[round] ?? Number.NaN)) * 100)
  printTable(
    ['start+confirm', 'pairs/s'],
    [
      ['nobody looks', spread(rates.without)],
      [`${viewers} viewers`, spread(rates.with)],
      ['loss', `${spread(loss, 1)} %; the aim is less than 10`],
    ],
  )
}

/** A page's stream of events. Each hundred of them come from another address, as customers do. */
async function openViewer(port: number, id: string, index: number): Promise<Viewer> {
  const stream = request({
    host: '127.0.0.1',
    port,
    path: `/checkout/${id}/events`,
    localAddress: `127.0.1.${1 + Math.floor(index / viewersPerAddress)}`,
    agent: false,
  })
  stream.end()
  const [response] = (await once(stream, 'response')) as [IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`a viewer was answered ${response.statusCode}`)
  response.setEncoding('utf8')
  let received = ''
  const ended = new Promise<void>((resolve) => {
    response.on('data', (text: string) => {
      received += text
      if (received.includes('event: end')) resolve()
    })
  })
  // Closing it is the bench's own doing.
  response.on('error', () => {})
  return { ended, close: () => stream.destroy() }
}
