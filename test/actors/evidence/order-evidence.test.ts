/** What an order's evidence file has in it, for whom, and that plain programs check it as it says itself. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { eraseOrder } from '../../../actors/erasure/erase.ts'
import { checkEvidence, readPublicKey } from '../../../actors/evidence/manifest.ts'
import { evidenceKey, evidenceRotate, orderEvidence } from '../../../actors/evidence/operations.ts'
import { readZip } from '../../../actors/evidence/zip.ts'
import { listArchiveFiles } from '../../../node/archive-files.ts'
import { archiveOf } from '../../support/archive.ts'
import { unpacked } from '../../support/evidence.ts'
import { type Operator, operatorOf } from '../../support/operations.ts'
import { inOrderWorld, journalKey, type OrderWorld, operator } from '../../support/order-world.ts'
import { addNetworks, reportsOf } from '../../support/reported-day.ts'

const play = inOrderWorld(test)

async function paidOrder(world: OrderWorld): Promise<string> {
  await addNetworks(world)
  await world.deposit(200_000n)
  const order = await world.order()
  await world.start(order.id, 'A')
  await world.confirm(order.id, 'A')
  const line = `${order.code},paid,1000.00,2026-03-01T12:00:00Z,F-1`
  await reportsOf(world).send(`order,outcome,amount,paid_at,reference\n${line}\n`, '2026-03-01')
  return order.id
}

async function take(asker: Operator, id: string, contact = false) {
  const { zip, ...made } = await asker.ask(orderEvidence, { id, ...(contact ? { contact } : {}) })
  const bytes = Buffer.from(zip, 'base64')
  const read = readZip(bytes)
  if (!read.ok) throw new Error(read.problem)
  const texts = new Map(read.entries.map((entry) => [entry.name, Buffer.from(entry.bytes).toString()]))
  const json = (name: string) => JSON.parse(texts.get(`${name}.json`) ?? 'null')
  return { bytes, made, texts, json, all: [...texts.values()].join('\n') }
}

play('all that is recorded of an order is in it, without its code and whom it is for', async (world) => {
  const id = await paidOrder(world)
  const asker = operatorOf(world)
  const { texts, json, all } = await take(asker, id)
  assert.equal(
    [...texts.keys()],
    [
      ...['README.txt', 'chain.json', 'claims.json', 'exceptions.json', 'journal.json', 'order.json'],
      ...['postings.json', 'public-key.pem', 'reports.json', 'statements.json', 'webhooks.json'],
      ...['manifest.sha256', 'manifest.sig'],
    ],
  )
  const row = await world.row(id)
  assert.equal([json('order').id, json('order').price, json('order').provider], [id, '1000.00', 'Network A'])
  assert.is(json('order').consumer, null)
  const journal = (await world.rows('journal')).filter(({ order_id }) => order_id === id)
  assert.equal(
    json('journal').map(({ hash }: { hash: string }) => hash),
    journal.map(({ hash }) => hash),
  )
  assert.is(json('order').journalHead, journal.at(-1)?.hash)
  assert.is(
    json('postings').length,
    (await world.rows('postings')).filter((one) => one.order_id === id).length,
  )
  assert.equal(
    json('reports').map(({ network, day, outcome, amount }: Record<string, string>) => [
      network,
      day,
      outcome,
      amount,
    ]),
    [['000A', '2026-03-01', 'matched', '1000.00']],
  )
  assert.is(json('webhooks')[0].body.consumer_email, '')
  assert.not.match(all, row.code)
  assert.not.match(all, 'ana@example.com')
  assert.not.match(all, 'PRIVATE')
})

play('with the contact where it is asked for, and never once it was erased', async (world) => {
  const id = await paidOrder(world)
  const archive = archiveOf(world)
  await archive.deliver()
  const asker = operatorOf(world)
  const { json, all } = await take(asker, id, true)
  assert.is(json('order').consumer.email, 'ana@example.com')
  assert.match(all, 'thanks, ana@example.com')
  await eraseOrder({ store: world.store, journalKey, operator }, id)
  for (const contact of [true, false]) {
    const erased = await take(asker, id, contact)
    assert.not.match(erased.all, 'ana@example.com')
  }
  archive.close()
})

play(
  'the same order gives the same bytes, and a new key others that the old one does not pass',
  async (world) => {
    const id = await paidOrder(world)
    const asker = operatorOf(world)
    const first = await take(asker, id)
    assert.equal((await take(asker, id)).bytes, first.bytes)
    const { current } = await asker.ask(evidenceKey, {})
    const key = readPublicKey(current?.publicKey ?? '')
    assert.ok(key !== null && current?.fingerprint === first.made.fingerprint)
    assert.equal(checkEvidence(first.bytes, key).problems, [])
    const { fingerprint } = await asker.ask(evidenceRotate, {})
    const later = await take(asker, id)
    assert.is(later.made.fingerprint, fingerprint)
    assert.is(checkEvidence(later.bytes, key).ok, false)
    const keys = await asker.ask(evidenceKey, {})
    assert.equal(
      [keys.current?.fingerprint, keys.before.map((one) => one.fingerprint)],
      [fingerprint, [current.fingerprint]],
    )
    assert.ok(keys.before[0]?.until)
  },
)

play('an archived order has the same evidence, from its line', async (world) => {
  const id = await paidOrder(world)
  // The last entry of all journals stays where it is.
  await world.order({ direction: 'PAY_IN' })
  const archive = archiveOf(world)
  await archive.deliver()
  const before = await take(operatorOf(world), id, true)
  await archive.archive({ waitMs: 500 * 24 * 3_600_000 })
  assert.not.ok(
    (await world.rows('orders')).some((order) => order.id === id),
    'it is archived',
  )
  const asker = operatorOf({ ...world, archiveFiles: () => listArchiveFiles(archive.folder) })
  const after = await take(asker, id, true)
  for (const name of ['journal', 'postings', 'webhooks', 'exceptions', 'reports'])
    assert.equal(after.json(name), before.json(name), name)
  const { archived, ...order } = after.json('order')
  assert.ok(archived)
  assert.equal({ ...order, archived: null }, before.json('order'))
  archive.close()
})

play('plain openssl and sha256sum check it by the very commands that it prints', async (world) => {
  const id = await paidOrder(world)
  const { bytes, made } = await take(operatorOf(world), id)
  const { folder, run, unpack, remove } = unpacked(bytes)
  const said = run()
  assert.match(said, 'Signature Verified Successfully')
  assert.match(said, 'order.json: OK')
  assert.match(said, made.fingerprint)
  for (const [name, content] of [
    ['order.json', '{}'],
    ['more.json', '{}'],
    ['manifest.sha256', `${'0'.repeat(64)}  order.json\n`],
  ] as const) {
    writeFileSync(join(folder, name), content)
    assert.throws(run, undefined, name)
    unpack()
    rmSync(join(folder, 'more.json'), { force: true })
    run()
  }
  remove()
})

test.run()
