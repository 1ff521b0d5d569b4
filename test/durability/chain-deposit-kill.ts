/**
 * `kill -9` at random while a hundred deposits arrive on every chain: each is credited exactly once.
 * `node test/durability/chain-deposit-kill.ts KILLS` kills more often.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Blockchain, blockchains } from '../../machines/blockchains.ts'
import { systemClock } from '../../node/system-clock.ts'
import { openSqliteStore } from '../../persistence/sqlite/engine.ts'
import { statement } from '../../persistence/statement.ts'
import type { LocalWallet, ManualTransfer } from '../support/chains/local-chain.ts'
import { type Networks, startNetworks } from '../support/chains/networks.ts'
import { type ForeignOrder, ForeignWorld, foreignParties } from '../support/foreign-world.ts'
import { send, startTestNode } from '../support/node.ts'
import { startReceiver } from '../support/webhook-receivers.ts'
import { problemsAfter } from './kept.ts'
import { startNodeProcess } from './node-process.ts'
import { seededRandom } from './random.ts'

const kills = Number(process.argv[2] ?? 3)
const orders = 100
const chains = blockchains

const folder = mkdtempSync(join(tmpdir(), 'chain-deposit-kill-'))
const file = join(folder, 'node.db')
const random = seededRandom(kills)

interface Payment {
  readonly blockchain: Blockchain
  readonly wallet: LocalWallet
  readonly transfer: ManualTransfer
}

test.after(() => rmSync(folder, { recursive: true, force: true }))

/** Time goes by itself here. */
const clock = { ...systemClock, advance() {}, jump() {} }

/** A hundred orders with their transactions, made by a node that then stops. */
async function prepare(networks: Networks): Promise<Payment[]> {
  const receiver = await startReceiver((response) => response.end())
  const env = { VENTANILLA_LIMITS_REQUESTSPERMINUTE: '1000000' }
  const node = await startTestNode({ clock, directory: folder, parties: foreignParties, env })
  const worlds = chains.map(
    (blockchain) => new ForeignWorld({ clock, networks, receiver, directory: folder, blockchain, node }),
  )
  const payments: Payment[] = []
  // Each network makes its wallets one after another.
  await Promise.all(
    worlds.map(async (world, lane) => {
      const made: ForeignOrder[] = []
      for (let count = lane; count < orders; count += chains.length)
        made.push(await world.order({ send: `${1 + count}.25` }))
      for (const { id, wallet } of made) {
        const { transaction } = await world.built(id)
        const transfer = world.chain.decode(transaction)
        payments.push({ blockchain: world.blockchain, wallet: { address: wallet }, transfer })
      }
    }),
  )
  await node.stop()
  await receiver.close()
  return shuffled(payments)
}

function shuffled<One>(all: readonly One[]): One[] {
  const keyed = all.map((one) => [random.fraction(), one] as const)
  return keyed.sort(([a], [b]) => a - b).map(([, one]) => one)
}

/** By hand: what was built would be too old by then, and the node that could make it anew is dead. */
async function pay(networks: Networks, { blockchain, wallet, transfer }: Payment): Promise<void> {
  const chain = networks.chain(blockchain)
  await chain.pay(wallet, transfer)
  await chain.finalize()
}

test(`killed ${kills} times while ${orders} deposits arrive, each is credited once`, async () => {
  const networks = await startNetworks({ clock: () => systemClock.now(), pollSeconds: 0.1 })
  try {
    writeFileSync(join(folder, 'ventanilla.json'), JSON.stringify({ chains: networks.settings }))
    const payments = await prepare(networks)
    const share = Math.ceil(payments.length / kills)
    const killedAfter: number[] = []
    for (let kill = 0; kill < kills; kill++) {
      const node = startNodeProcess(folder)
      assert.ok(await node.listening, 'it did not start')
      let paid = kill * share
      const paying = (async () => {
        for (const payment of payments.slice(paid, paid + share)) {
          await pay(networks, payment)
          paid += 1
        }
      })()
      // Some of them arrive while it lives, and the others while there is no node.
      await delay(random.below(600))
      await node.kill()
      killedAfter.push(paid)
      await paying
    }
    console.log(`killed after ${killedAfter.join(', ')} of ${payments.length} payments`)
    assert.ok(new Set(killedAfter).size > kills / 2)
    for (const chain of networks.chains.values()) await chain.pass(120_000)
    await settle()
    assert.equal(await problemsAfter(file, []), [])
  } finally {
    await networks.close()
  }
})

const waiting = { as: 'mk_shop', path: '/api/v1/merchants/orders/pay-out/?status=CREATED' }

/** One last life, until no order waits; then what was written is looked at. */
async function settle(): Promise<void> {
  const node = startNodeProcess(folder)
  const url = await node.listening
  assert.ok(url)
  for (let tries = 0; tries < 1_200; tries++) {
    const { json } = await send(url, clock, waiting)
    if (json.results.length === 0) break
    await delay(100)
  }
  await node.kill()
  const store = openSqliteStore({ file, clock: systemClock })
  const all = statement<Record<never, never>>()('kill.deposits', ({ db }) =>
    db
      .selectFrom('foreign_orders')
      .innerJoin('orders', 'orders.id', 'foreign_orders.order_id')
      .leftJoin('deposits', 'deposits.order_id', 'foreign_orders.order_id')
      .select([
        'orders.id',
        'orders.status',
        'expected_minor',
        'received_minor',
        'credited_minor',
        'outcome',
      ]),
  )
  const rows = await store.query(all, {})
  await store.close()
  assert.is(rows.length, orders)
  for (const row of rows) {
    assert.equal([row.status, row.outcome], ['READY', 'credited'], row.id)
    assert.equal([row.received_minor, row.credited_minor], [row.expected_minor, row.expected_minor], row.id)
  }
}

test.run()
