/**
 * Many orders at the same time: each has a reference of its own, and finds its own deposit by it, though a few wallets
 * pay them all with the same amount. `node test/durability/many-orders.ts ORDERS`.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { statement } from '../../persistence/statement.ts'
import type { DecodedTransfer, LocalWallet } from '../support/chains/local-chain.ts'
import { startNetworks } from '../support/chains/networks.ts'
import { fakeClock } from '../support/clock.ts'
import { ForeignWorld, foreignParties } from '../support/foreign-world.ts'
import { startTestNode } from '../support/node.ts'
import { startReceiver } from '../support/webhook-receivers.ts'

const orders = Number(process.argv[2] ?? 150)
const walletsOfChain = 5
const send = '5.00'

interface Made {
  readonly id: string
  readonly transfer: DecodedTransfer
}

test(`${orders} orders have ${orders} references, and each finds its own deposit`, async () => {
  const clock = fakeClock()
  // Webhooks to one receiver are spaced in time, so that it has to go by.
  const ticking = setInterval(() => clock.advance(20), 20)
  const directory = mkdtempSync(join(tmpdir(), 'ventanilla-many-'))
  const networks = await startNetworks({ clock: () => clock.now(), pollSeconds: 0.1 })
  const receiver = await startReceiver((response) => response.end())
  writeFileSync(join(directory, 'ventanilla.json'), JSON.stringify({ chains: networks.settings }))
  const env = { VENTANILLA_LIMITS_REQUESTSPERMINUTE: '1000000' }
  const node = await startTestNode({ clock, directory, parties: foreignParties, env })
  const worlds = [...networks.chains.keys()].map(
    (blockchain) => new ForeignWorld({ clock, networks, receiver, directory, blockchain, node }),
  )
  try {
    const share = Math.ceil(orders / worlds.length)
    const made = (
      await Promise.all(worlds.map((world, index) => make(world, Math.min(share, orders - index * share))))
    ).flat()
    const references = made.flatMap(({ transfer }) => transfer.references)
    assert.is(new Set(references).size, orders)
    // Those of each chain in another order than they were made in.
    await Promise.all(
      worlds.map(async (world) => {
        const own = made.filter(({ transfer }) => transfer.assetId === world.chain.asset.id)
        for (const { transfer } of own.toReversed())
          await world.chain.pay({ address: transfer.from }, transfer)
      }),
    )
    clock.advance(120_000)
    for (const world of worlds) await world.pass(0)
    await untilAll(() => new Set(statusesTold(receiver, 'READY')).size, orders)
    const rows = await node.core.store.query(credits, {})
    assert.is(rows.length, orders)
    for (const { id, status, reference, references_json, outcome } of rows) {
      assert.equal([status, outcome], ['READY', 'credited'], id)
      assert.equal(JSON.parse(references_json ?? ''), [reference], id)
    }
  } finally {
    clearInterval(ticking)
    await node.stop()
    await receiver.close()
    await networks.close()
    rmSync(directory, { recursive: true, force: true })
  }
})

const credits = statement<Record<never, never>>()('many.credits', ({ db }) =>
  db
    .selectFrom('foreign_orders')
    .innerJoin('orders', 'orders.id', 'foreign_orders.order_id')
    .leftJoin('deposits', 'deposits.order_id', 'foreign_orders.order_id')
    .select(['orders.id', 'orders.status', 'reference', 'references_json', 'outcome']),
)

/** All at once, as far as one merchant's connections go. */
async function make(world: ForeignWorld, count: number): Promise<Made[]> {
  const wallets: LocalWallet[] = []
  for (let made = 0; made < walletsOfChain; made++)
    wallets.push(await world.chain.newWallet(world.units(send) * BigInt(count)))
  const ids: string[] = []
  const lanes = wallets.map(async (wallet, lane) => {
    for (let index = lane; index < count; index += walletsOfChain)
      ids.push((await world.order({ send, wallet })).id)
  })
  await Promise.all(lanes)
  await untilAll(() => ids.filter((id) => world.told(id).length > 0).length, count)
  return ids.map((id) => ({ id, transfer: world.chain.decode(world.told(id)[0]?.transaction ?? '') }))
}

function statusesTold({ received }: { received: readonly { body: string }[] }, status: string): string[] {
  return received.flatMap(({ body }) => {
    const order: { id: string; status: string } = JSON.parse(body)
    return order.status === status ? [order.id] : []
  })
}

async function untilAll(counted: () => number, wanted: number): Promise<void> {
  const deadline = performance.now() + 120_000
  while (counted() < wanted) {
    if (performance.now() > deadline) throw new Error(`${counted()} of ${wanted} came`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

test.run()
