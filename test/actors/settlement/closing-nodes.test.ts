/** Two nodes close the days of several weeks beside the orders that both are told: each day once, no line twice, none lost. */
import { Client } from 'pg'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createClosing } from '../../../actors/settlement/closing-worker.ts'
import { openStore } from '../../../persistence/index.ts'
import { LeadershipLost, type Store } from '../../../persistence/store.ts'
import { seededRandom } from '../../durability/random.ts'
import { problemsIn } from '../../support/agreed-terms.ts'
import { isOnPostgres } from '../../support/database.ts'
import {
  hourMs,
  inOrderWorld,
  type OrderWorld,
  refOf,
  registryOf,
  shop,
  tills,
} from '../../support/order-world.ts'
import { agree, anchor } from '../../support/statement-world.ts'

const play = inOrderWorld(test)
const planned = Array.from({ length: 23 }, (_, index) => `2026-03-${String(index + 1).padStart(2, '0')}`)
/** The last one's late payments belong to the day after it. */
const days = planned.slice(0, -2)

interface Node {
  store: Store
  pass(store?: Store): Promise<void>
}

function nodeOn(store: Store, { clock }: OrderWorld, errors: unknown[]): Node {
  const orders = registryOf(store, clock)
  const log = { info() {}, error: (facts: object) => errors.push(facts) }
  const closing = createClosing({ orders, clock, isTrusted: () => true, isStopping: () => false, log })
  return {
    store,
    async pass(own = store) {
      await closing(own)
    },
  }
}

/** Paid at the till, by whichever node hears of it. */
async function confirmBy({ clock }: OrderWorld, { store }: Node, id: string, till: 'A' | 'B'): Promise<void> {
  const { id: providerId } = tills[till]
  const order = await refOf(store, id)
  const told = await registryOf(store, clock).tell({
    order,
    actor: tills[till],
    type: 'payment.confirm',
    providerId,
  })
  assert.is(told.outcome, 'accepted')
}

/** @param close what both nodes do about days that have ended, at once */
async function playDays(
  world: OrderWorld,
  nodes: readonly [Node, Node],
  close: (nodes: readonly [Node, Node]) => Promise<void>,
): Promise<Map<string, string[]>> {
  const random = seededRandom(20260301)
  const paid = new Map<string, string[]>([shop, tills.A, tills.B].map(({ id }) => [id, []]))
  for (const party of paid.keys()) await agree(world.store, party, planned)
  for (const day of days) {
    const locked: { id: string; till: 'A' | 'B' }[] = []
    for (let count = 0; count < 4; count++) {
      const till = random.chance(0.5) ? ('A' as const) : ('B' as const)
      const { id } = await world.order({ direction: 'PAY_IN', priceMinor: BigInt(100 + random.below(9_000)) })
      await world.start(id, till)
      locked.push({ id, till })
      for (const party of [shop.id, tills[till].id]) paid.get(party)?.push(id)
    }
    // Two before the day ends, two in the moment in which it is closed.
    const confirm = ({ id, till }: (typeof locked)[number], index: number) =>
      confirmBy(world, index % 2 === 0 ? nodes[0] : nodes[1], id, till)
    for (const [index, one] of locked.slice(0, 2).entries()) await confirm(one, index)
    world.clock.advance(17 * hourMs)
    const isClosed = day !== '2026-03-09' && day !== '2026-03-10'
    await Promise.all([...locked.slice(2).map(confirm), ...(isClosed ? [close(nodes)] : [])])
    await anchor(world.store)
    world.clock.advance(7 * hourMs)
  }
  world.clock.advance(24 * hourMs)
  for (let pass = 0; pass < 3; pass++) {
    await close(nodes)
    await anchor(world.store)
  }
  return paid
}

async function assertClosed(world: OrderWorld, paid: Map<string, string[]>): Promise<void> {
  const statements = await world.rows('statements')
  const lines = await world.rows('statement_lines')
  for (const [party, orders] of paid) {
    const own = statements
      .filter(({ party_id }) => party_id === party)
      .toSorted((a, b) => a.number - b.number)
    assert.equal(
      own.map(({ number }) => number),
      own.map((_, index) => index + 1),
    )
    const closed = own.map(({ to_day }) => to_day)
    assert.equal(closed, [...new Set(closed)].toSorted(), `${party}: each day once`)
    assert.ok(own.every(({ sealed_at }) => sealed_at !== null))
    const told = lines.filter(({ party_id }) => party_id === party).map(({ order_id }) => order_id)
    assert.equal(told.toSorted(), orders.toSorted(), `${party}: each line once`)
  }
  assert.is(statements.filter(({ party_id }) => party_id === shop.id).length, days.length + 1)
  assert.equal(await problemsIn(world), [])
}

async function withNodes(
  world: OrderWorld,
  run: (nodes: readonly [Node, Node], errors: unknown[]) => Promise<void>,
): Promise<void> {
  // SQLite has one node: there the two passes meet in its batches.
  const other = isOnPostgres ? await openStore(world.url, { clock: world.clock }) : world.store
  const errors: unknown[] = []
  try {
    await run([nodeOn(world.store, world, errors), nodeOn(other, world, errors)], errors)
  } finally {
    if (other !== world.store) await other.close()
  }
}

play('two that close at once, as if nothing kept them apart, close each day once', (world) =>
  withNodes(world, async (nodes, errors) => {
    const close = async () => void (await Promise.all(nodes.map((node) => node.pass())))
    await assertClosed(world, await playDays(world, nodes, close))
    assert.equal(errors, [])
  }),
)

if (isOnPostgres) {
  play('whoever leads closes, and one that was cut off in its pass writes nothing more', (world) =>
    withNodes(world, async (nodes, errors) => {
      const client = new Client({ connectionString: world.url })
      await client.connect()
      let lost = 0
      let led = 0
      const lead = async ({ store, pass }: Node) => {
        const own = await store.lead('closing')
        if (own === null) return
        led += 1
        await pass(own).catch((error: unknown) => {
          if (!(error instanceof LeadershipLost)) throw error
          lost += 1
        })
      }
      const cut = () =>
        client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = 'ventanilla leader'`)
      let isCut = false
      const close = async () => {
        isCut = !isCut
        const [first, second] = isCut ? nodes : [nodes[1], nodes[0]]
        // The other takes over while the first is in its pass, or has just ended it.
        await Promise.all([lead(first), cut().then(() => lead(second))])
        await lead(second)
        await lead(first)
      }
      try {
        await assertClosed(world, await playDays(world, nodes, close))
      } finally {
        await client.end()
      }
      assert.equal(errors, [])
      assert.ok(led >= days.length && lost <= led)
    }),
  )
}

test.run()
