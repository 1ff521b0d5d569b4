import { createHmac } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { actorName, appendEntry, chainHash, type SealedEntry } from '../../../actors/orders/journal.ts'
import type { Row } from '../../../persistence/store.ts'
import { assertJournal } from '../../support/order-invariants.ts'
import {
  inOrderWorld,
  journalKey,
  type OrderWorld,
  operator,
  shop,
  tills,
} from '../../support/order-world.ts'

const play = inOrderWorld(test)

const entry: SealedEntry = {
  order_id: 'order',
  sequence: 2,
  entry_at: 1_795_780_800_000,
  actor: 'provider:Network A',
  credential_key: 'pk_a',
  event_json: '{"type":"payment.start","providerId":"network-a","networkId":"0001"}',
  from_status: 'READY',
  to_status: 'PAYMENT_STARTED',
  outcome: 'accepted',
}

test('a hash is the HMAC of the hash before it and of all the entry says', () => {
  const text =
    'before["order",2,1795780800000,"provider:Network A","pk_a",' +
    '"{\\"type\\":\\"payment.start\\",\\"providerId\\":\\"network-a\\",\\"networkId\\":\\"0001\\"}",' +
    '"READY","PAYMENT_STARTED","accepted"]'
  const expected = createHmac('sha256', 'key').update(text).digest('base64url')
  assert.is(chainHash('key', 'before', entry), expected)
})

const changes: Partial<SealedEntry>[] = [
  { order_id: 'other' },
  { sequence: 3 },
  { entry_at: entry.entry_at + 1 },
  { actor: 'provider:Network B' },
  { credential_key: null },
  { event_json: '{}' },
  { from_status: null },
  { to_status: 'READY' },
  { outcome: 'not_holder' },
]

test('there is another hash for another key, another hash before, and whatever else of an entry differs', () => {
  const hashes = [
    chainHash('key', 'before', entry),
    chainHash('other', 'before', entry),
    chainHash('key', '', entry),
    ...changes.map((change) => chainHash('key', 'before', { ...entry, ...change })),
  ]
  assert.is(changes.length, Object.keys(entry).length)
  assert.is(new Set(hashes).size, hashes.length)
})

test('an entry is appended after the head, and becomes it', () => {
  const head = { id: 'order', journal_count: 1, journal_head: 'before' }
  const appended = appendEntry('key', head, {
    actor: tills.A,
    event: { type: 'payment.confirm', at: 5, providerId: 'network-a' },
    from: 'PAYMENT_STARTED',
    to: 'COMPLETED',
    outcome: 'accepted',
  })
  assert.ok('insert' in appended.write && appended.write.insert === 'journal')
  const { hash, ...unsealed } = appended.write.values as Row<'journal'>
  assert.equal([unsealed.sequence, unsealed.entry_at, unsealed.order_id], [2, 5, 'order'])
  // The time has a column of its own.
  assert.is(unsealed.event_json, '{"type":"payment.confirm","providerId":"network-a"}')
  assert.equal([appended.journal_count, appended.journal_head], [2, hash])
  assert.is(hash, chainHash('key', 'before', unsealed))
})

test('people read who acted', () => {
  const actors = [shop, tills.B, operator, { kind: 'clock' }, { kind: 'funding' }] as const
  assert.equal(actors.map(actorName), [
    'merchant:Shop',
    'provider:Network B',
    'operator:ana',
    'clock',
    'funding',
  ])
})

/** An order that was refused, started, refused and paid, with its journal. */
async function paidOrder(world: OrderWorld) {
  await world.deposit(100_000n)
  const { id } = await world.order()
  await world.confirm(id, 'B')
  await world.start(id, 'A')
  await world.start(id, 'B')
  await world.confirm(id, 'A')
  return { order: await world.row(id), journal: await world.rows('journal') }
}

/** `assert.throws` lets an assertion pass through, and that is what tells of a bad journal. */
function verifies(order: Row<'orders'>, journal: readonly Row<'journal'>[]): boolean {
  try {
    assertJournal(order, journal)
    return true
  } catch {
    return false
  }
}

play('a journal that is as it was written verifies', async (world) => {
  const { order, journal } = await paidOrder(world)
  assert.is(journal.length, 6)
  assert.ok(verifies(order, journal))
})

play('a journal in which an entry was changed, removed, added or moved does not', async (world) => {
  const { order, journal } = await paidOrder(world)
  const changed = (index: number, change: Partial<Row<'journal'>>) =>
    journal.map((one, at) => (at === index ? { ...one, ...change } : one))
  const [first, second, third] = journal
  assert.ok(first && second && third)
  const { hash: _, ...forged } = { ...third, actor: 'operator:ana' }
  const tampered: [what: string, journal: Row<'journal'>[]][] = [
    ['another actor', changed(2, { actor: 'provider:Network A' })],
    ['another time', changed(0, { entry_at: 1 })],
    ['a refusal made an acceptance', changed(4, { outcome: 'accepted' })],
    [
      'an entry forged without the key',
      changed(2, { ...forged, hash: chainHash('guess', second.hash, forged) }),
    ],
    [
      'a chain forged from the key but not from the head',
      changed(2, { hash: chainHash(journalKey, '', forged) }),
    ],
    ['a missing entry', journal.filter((one) => one !== third)],
    ['a missing last entry', journal.slice(0, -1)],
    ['a missing first entry', journal.slice(1)],
    ['an entry twice', [...journal, { ...third, sequence: 7 }]],
    ['two entries that changed places', changed(1, { ...third, sequence: 2 })],
    ['none', []],
  ]
  for (const [what, entries] of tampered) assert.not(verifies(order, entries), what)
})

play('the database itself refuses to change an entry', async (world) => {
  await paidOrder(world)
  const [first] = await world.rows('journal')
  assert.ok(first)
  let error: unknown
  await world.store
    .step({
      rows: {},
      decide: () => ({
        answer: null,
        writes: [
          { update: 'journal', key: { order_id: first.order_id, sequence: 1 }, set: { actor: 'nobody' } },
        ],
      }),
    })
    .catch((thrown: unknown) => {
      error = thrown
    })
  assert.match(String(error), /append-only/)
})

test.run()
