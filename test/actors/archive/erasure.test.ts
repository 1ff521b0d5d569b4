/** A consumer's data are erased wherever they are, and everything that proves an order stays. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { eraseOrder } from '../../../actors/erasure/erase.ts'
import { personalErase } from '../../../actors/erasure/operations.ts'
import { auditList } from '../../../actors/foundation/audit.ts'
import { orderReplay } from '../../../actors/inspection/operations.ts'
import { forgetAnswers } from '../../../actors/orders/answer-retention.ts'
import type { TableName } from '../../../persistence/schema.ts'
import type { Store } from '../../../persistence/store.ts'
import { type ArchiveWorld, archiveOf } from '../../support/archive.ts'
import { operatorOf } from '../../support/operations.ts'
import {
  changedStore,
  commit,
  hourMs,
  journalKey,
  type OrderWorld,
  orderWorlds,
  shop,
} from '../../support/order-world.ts'

const inWorld = orderWorlds(test)
const reason = 'request 17'
const ana = /ana@example|525512345678/i

function play(name: string, run: (world: OrderWorld, archive: ArchiveWorld) => Promise<void>): void {
  test(name, () =>
    inWorld(async (world) => {
      const archive = archiveOf(world)
      try {
        await run(world, archive)
      } finally {
        archive.close()
      }
    }),
  )
}

const tables: readonly TableName[] = [
  ...(['orders', 'consumers', 'journal', 'postings', 'webhooks', 'webhook_attempts'] as const),
  ...(['repeated_messages', 'idempotency_keys', 'exceptions', 'audit', 'facts', 'archived_orders'] as const),
]

/** The tables that say who Ana is. */
async function whereAnaIs(world: OrderWorld): Promise<string[]> {
  const found: string[] = []
  for (const table of tables) {
    const rows = JSON.stringify(await world.rows(table), (_, value) =>
      typeof value === 'bigint' ? `${value}` : value,
    )
    if (ana.test(rows)) found.push(table)
  }
  return found
}

/** Paid out to Ana, its webhook delivered, with the answers of all that is kept for repetitions. */
async function paid(world: OrderWorld, archive: ArchiveWorld, email = 'ana@example.com'): Promise<string> {
  await world.deposit(100_000n)
  const payloadDigest = 'digest'
  const guard = {
    partyId: shop.id,
    idempotency: { key: `creation ${++made}`, payloadDigest },
    bindsRevision: false,
  }
  const order = { ...newOrder(world), consumerEmail: email, consumerPhoneNumber: '+525512345678' }
  const created = await world.orders.create(order, guard)
  if (created.outcome !== 'created') throw new Error(created.outcome)
  await world.fund()
  await world.start(created.order.id, 'A')
  await world.confirm(created.order.id, 'A')
  await archive.deliver()
  return created.order.id
}

let made = 0
const newOrder = (world: OrderWorld) => ({
  merchant: shop,
  direction: 'PAY_OUT' as const,
  orderType: 'LocalCurrencyOrder',
  merchantOrderId: `erased-${++made}`,
  country: 'MX',
  priceMinor: 100_000n,
  currency: 'MXN',
  description: 'Refund of order 1234',
  notifyUrl: 'https://shop.example/hooks',
  returnUrl: 'https://shop.example/done',
  expiryAt: world.clock.now() + 24 * hourMs,
})

play('the data of one order are gone, and it proves itself as before', async (world, archive) => {
  const id = await paid(world, archive)
  const personal = ['consumers', 'webhooks', 'webhook_attempts', 'idempotency_keys']
  assert.equal(await whereAnaIs(world), personal)
  const { ask } = operatorOf(world)
  assert.equal(await ask(personalErase, { order: id, reason }), { erased: [id], before: [], open: [] })
  assert.equal(await whereAnaIs(world), [])

  const found = await world.orders.find(id)
  assert.equal([found?.consumer.email, found?.consumer.phone_number], ['', ''])
  const [webhook] = await world.rows('webhooks')
  const body = JSON.parse(webhook?.body ?? '{}')
  assert.equal(
    [body.id, body.status, body.consumer_email, body.consumer_phone_number],
    [id, 'COMPLETED', '', ''],
  )
  const [answer] = await world.rows('idempotency_keys')
  const stored = JSON.parse(answer?.answer_json ?? '{}')
  assert.equal([stored.status, JSON.parse(stored.body).consumer_email], [201, ''])
  const last = (await world.rows('journal')).at(-1)
  assert.equal(
    [last?.actor, last?.event_json, last?.outcome],
    ['operator:ana', '{"type":"personal.erase"}', 'accepted'],
  )
  const { steps } = await ask(orderReplay, { id })
  assert.ok(steps.every(({ differs }) => !differs))
  assert.equal(await archive.problems(), [])
  assert.equal(await ask(personalErase, { order: id, reason }), { erased: [], before: [id], open: [] })
})

play('an order that has not ended keeps them', async (world, archive) => {
  await world.deposit(100_000n)
  const open = await world.order()
  const { refusal, ask } = operatorOf(world)
  const error = await refusal('personal.erase', { order: open.id, reason })
  assert.equal(
    [error.code, error.message],
    ['refused', "The order is READY: its consumer's data is still needed."],
  )
  const ended = await paid(world, archive)
  assert.equal(await ask(personalErase, { consumer: 'ana@example.com', reason }), {
    erased: [ended],
    before: [],
    open: [{ order: open.id, status: 'READY' }],
  })
  assert.is((await world.orders.find(open.id))?.consumer.email, 'ana@example.com')
})

play(
  'a consumer is erased by e-mail or telephone, in the archive too, and nobody else is',
  async (world, archive) => {
    const archived = await paid(world, archive)
    const other = await paid(world, archive, 'eva@example.com')
    await world.deposit(100_000n)
    const otherKept = await world.order({
      ...{ consumerEmail: 'eva@example.com', consumerPhoneNumber: '' },
      expiryAt: world.clock.now() + 400 * 24 * hourMs,
    })
    await forgetAnswers(world.store, {
      clock: { now: () => world.clock.now() + 1e9 },
      isTrusted: () => true,
      toleranceMs: 0,
    })
    await archive.archive()
    assert.equal((await world.rows('archived_orders')).map(({ id }) => id).sort(), [archived, other].sort())
    const lines = archive.lines()
    const { ask } = operatorOf(world)
    const kept = await paid(world, archive)
    assert.equal(await ask(personalErase, { consumer: ' ANA@example.com', reason }), {
      erased: [kept, archived],
      before: [],
      open: [],
    })
    const shown = await archive.show(archived)
    assert.equal([shown?.consumer, shown?.erased !== null], [null, true])
    assert.not.match(JSON.stringify(shown), ana)
    assert.is((await archive.show(other))?.consumer?.email, 'eva@example.com')
    assert.equal(archive.lines(), lines, 'no line is rewritten')
    assert.is((await archive.check()).ok, true)
    assert.equal((await ask(personalErase, { consumer: '+525512345678', reason })).erased, [other])
    assert.is((await world.orders.find(otherKept.id))?.consumer.email, 'eva@example.com')
    assert.equal(await archive.problems(), [])
  },
)

play('what was erased before is not in the archive either', async (world, archive) => {
  const id = await paid(world, archive)
  await world.order({ expiryAt: world.clock.now() + 400 * 24 * hourMs })
  const { ask } = operatorOf(world)
  await ask(personalErase, { order: id, reason })
  await world.order({ expiryAt: world.clock.now() + 400 * 24 * hourMs })
  await archive.archive()
  const shown = await archive.show(id)
  assert.equal([shown?.order.status, shown?.consumer], ['COMPLETED', null])
  const [left] = await world.rows('archived_orders')
  assert.equal([left?.personal_key, left?.email_digest, left?.phone_digest], [null, null, null])
  assert.equal(await ask(personalErase, { order: id, reason }), { erased: [], before: [id], open: [] })
  assert.is((await archive.check()).ok, true)
})

play('while a webhook is being sent nothing is erased', async (world, archive) => {
  const id = await paid(world, archive)
  const [webhook] = await world.rows('webhooks')
  const key = { id: webhook?.id ?? '' }
  const lease_until_at = world.clock.now() + 1000
  const sending = { state: 'pending' as const, settled_at: null, lease_until_at }
  await commit(world.store, [{ update: 'webhooks', key, set: sending }])
  const { refusal } = operatorOf(world)
  assert.is((await refusal('personal.erase', { order: id, reason })).code, 'conflict')
  assert.is((await world.orders.find(id))?.consumer.email, 'ana@example.com')
})

play('the audit log says what was asked for, and not whose data they were', async (world, archive) => {
  await paid(world, archive)
  const { ask, refusal } = operatorOf(world)
  await ask(personalErase, { consumer: 'ana@example.com', reason })
  const { entries } = await ask(auditList, { operation: 'personal.erase' })
  assert.equal(
    entries.map(({ input, outcome }) => [input, outcome]),
    [[{ consumer: '***', reason }, 'done: 1 orders']],
  )
  assert.is((await refusal('personal.erase', { reason })).code, 'invalid')
  assert.is((await refusal('personal.erase', { order: 'a', consumer: 'b', reason })).code, 'invalid')
})

play('an answer that comes while an order is looked up is not left behind', async (world, archive) => {
  await world.deposit(100_000n)
  const { id } = await world.order()
  await world.cancel(id)
  const step: Store['step'] = async (decided) => {
    await archive.deliver()
    return world.store.step(decided)
  }
  const operator = { kind: 'operator', name: 'ana' } as const
  const erase = (store: Store) => eraseOrder({ store, journalKey, operator }, id)
  assert.equal(await erase(changedStore(world.store, { step })), { ok: false, reason: 'being_sent' })
  assert.equal(await erase(world.store), { ok: true, isNew: true })
  assert.equal(await whereAnaIs(world), [])
})

test.run()
