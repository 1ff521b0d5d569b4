/**
 * The program whose power is cut. Its shim logs what it does to its files, and the marks of what it has told.
 *
 * `play ORDERS` starts on nothing, plays orders, stops and starts again, and is killed by the shim between the
 * writes and the sync of a commit. `go on ORDERS` starts after that: it looks at every order before anything
 * else is written, as the holder of a lost answer would, and plays on.
 */
import { openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { readOrderFacts } from '../../actors/verification/order-facts.ts'
import { openReader } from '../../persistence/index.ts'
import { openSqliteStore } from '../../persistence/sqlite/engine.ts'
import { fakeClock } from '../support/clock.ts'
import { latestFront, withFront } from '../support/fronts.ts'
import { startTestNode } from '../support/node.ts'
import { playOrders, type Told } from './story.ts'

const [phase, orders] = process.argv.slice(2)
const root = String(process.env.WRITE_LOG_ROOT)
const directory = join(root, 'data')
const control = openSync(String(process.env.WRITE_LOG_CONTROL), 'a')
const command = (text: string) => writeSync(control, text)
const tell = (told: Told) => command(`mark ${JSON.stringify(told)}`)
const load = { count: Number(orders), connections: 6 }

if (phase === 'play') {
  // A log so short that the thread that moves it writes beside the one that commits.
  const first = await startTestNode({ directory, logPages: 200, env: withFront })
  await playOrders(first, load, tell)
  await first.stop()
  const second = await startTestNode({ directory, logPages: 200, parties: null, env: withFront })
  command('arm sync KILL 40 0')
  let answers = 0
  await playOrders(second, { ...load, count: 1_000_000 }, (told) => {
    tell(told)
    // Fronts are killed in between: the one that comes next tells nothing that is not synced, either.
    answers++
    if (answers % 15 === 0) void latestFront().terminate()
  })
} else {
  await lookAtAll()
  const node = await startTestNode({ directory, parties: null, env: withFront })
  await playOrders(node, load, tell)
  await node.stop()
}

async function lookAtAll(): Promise<void> {
  const file = join(directory, 'node.db')
  const store = openSqliteStore({ file, clock: fakeClock() })
  const reader = await openReader(`sqlite:${file}`)
  for (const { order } of await readOrderFacts(reader, '', 1_000_000)) {
    tell({ id: order.id, status: order.status, revision: order.revision })
  }
  await reader.close()
  await store.close()
}
