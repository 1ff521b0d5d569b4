/** What stands in the file of an archive: whole, readable with its key, and proof against any change. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Store } from '../../../persistence/store.ts'
import { type ArchiveWorld, archiveOf } from '../../support/archive.ts'
import { changedStore, commit, hourMs, type OrderWorld, orderWorlds } from '../../support/order-world.ts'
import { archivedIds, paidAndLast } from './archived-orders.ts'

const inWorld = orderWorlds(test)

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

play('a crash between the line and the removal leaves a line too many', async (world, archive) => {
  const { paid } = await paidAndLast(world)
  await archive.deliver()
  const step: Store['step'] = (asked) =>
    asked.isEssential === false ? world.store.step(asked) : Promise.reject(new Error('the power failed'))
  const failing = changedStore(world.store, { step })
  await archive.archive({ store: failing })
  assert.equal([archive.lines().length, await archivedIds(world)], [1, []])
  assert.equal((await archive.check()).spare, 1)
  await archive.archive()
  assert.equal([archive.lines().length, await archivedIds(world)], [2, [paid]])
  const { entries: _, ...check } = await archive.check()
  assert.equal(check, { ok: true, orders: 1, spare: 1, problems: [] })
  assert.is((await archive.show(paid))?.consumer?.email, 'ana@example.com')
})

play(
  'an order that changes while its line is being written is archived another time',
  async (world, archive) => {
    const { paid } = await paidAndLast(world)
    await archive.deliver()
    const webhook = (await world.rows('webhooks')).find(({ order_id }) => order_id === paid)
    const changes = [
      () => world.start(paid, 'B'),
      () =>
        commit(world.store, [
          { update: 'webhooks', key: { id: webhook?.id ?? '' }, set: { last_answer: 'sent again' } },
        ]),
    ]
    for (const [index, change] of changes.entries()) {
      let isChanged = false
      const append = async () => {
        isChanged = true
        await change()
      }
      await archive.archive({ files: { append } })
      assert.ok(isChanged)
      assert.equal(await archivedIds(world), [], `change ${index}`)
      // Its own entry may be the newest now, which would keep it.
      await world.order({ expiryAt: world.clock.now() + 400 * 24 * hourMs })
    }
    // A row that came beside it: the database itself refuses.
    const exception = {
      ...{ id: 'e1', kind: 'webhook_dead', state: 'open' as const, order_id: paid, reason: '' },
      ...{ evidence_json: '{}', opened_at: 1, revision: 1 },
    }
    const opened = { insert: 'exceptions', values: exception } as const
    await archive.archive({ files: { append: () => commit(world.store, [opened]) } })
    assert.equal([await archivedIds(world), archive.errors.length], [[], 1])
    await commit(world.store, [{ delete: 'exceptions', key: { id: 'e1' } }])
    await archive.archive()
    assert.equal(await archivedIds(world), [paid])
    assert.match(JSON.stringify((await archive.show(paid))?.rows), /sent again/)
    assert.is((await archive.check()).ok, true)
  },
)

play('what is personal is not in the file, and is shown with the key', async (world, archive) => {
  const { paid } = await paidAndLast(world)
  const { code } = await world.row(paid)
  await archive.deliver()
  await archive.archive()
  const [line = ''] = archive.lines()
  assert.not.match(line, /ana@example|5512345678/)
  const shown = await archive.show(code)
  assert.equal(shown?.consumer, { email: 'ana@example.com', phone_number: '+525512345678' })
  assert.equal([shown?.order.id, shown?.order.status, shown?.order.price], [paid, 'COMPLETED', '1000.00'])
  assert.match(JSON.stringify(shown?.rows.webhooks), /consumer_email.{5}ana@example\.com/)
  assert.match(JSON.stringify(shown?.rows.attempts), /thanks, ana@example\.com/)
  assert.is(await archive.show('nobody'), null)
})

play('an order is read again whatever separators its texts have', async (world, archive) => {
  await world.deposit(900_000n)
  const description = 'one\u2028two\u2029three\u0085four\r\nfive'
  const { id } = await world.order({ description })
  await world.cancel(id)
  await world.order({ expiryAt: world.clock.now() + 400 * 24 * hourMs })
  await archive.deliver()
  await archive.archive()
  assert.equal(await archivedIds(world), [id])
  assert.is((await archive.show(id))?.order.description, description)
  assert.equal((await archive.check()).problems, [])
})

play('a line that is changed, gone or brought from elsewhere is found', async (world, archive) => {
  const { paid } = await paidAndLast(world)
  await archive.deliver()
  await archive.archive()
  const [line = ''] = archive.lines()
  const problemsOf = async (...lines: string[]) => {
    archive.rewrite(lines)
    const { ok, problems } = await archive.check()
    assert.is(ok, problems.length === 0)
    return problems.join('; ')
  }
  assert.is(await problemsOf(line, line), '', 'a copy is harmless')
  assert.match(
    await problemsOf(line.replace('"100000"', '"999999"')),
    /^.*line 1: it is not as this node has sealed/,
  )
  assert.match(await problemsOf(), new RegExp(`^order ${paid}: its line is not there`))
  archive.rewrite([line])
  const [account] = await world.rows('archived_balances')
  const { account_id = '', balance_minor = 0n } = account ?? {}
  const set = { balance_minor: balance_minor + 1n }
  await commit(world.store, [{ update: 'archived_balances', key: { account_id }, set }])
  assert.match((await archive.check()).problems.join('; '), /the archived postings come to/)
  const names = (await archive.problems()).map(({ name }) => name)
  assert.equal(names, ['ledger', 'archive'])
})

play(
  'an entry that is missing of an archived order is found in the database alone',
  async (world, archive) => {
    await paidAndLast(world)
    await archive.deliver()
    await archive.archive()
    const [entry] = await world.rows('archived_entries')
    await commit(world.store, [{ delete: 'archived_entries', key: { position: entry?.position ?? 0 } }])
    assert.equal(
      (await archive.problems()).map(({ name }) => name),
      ['archive'],
    )
    assert.match((await archive.check()).problems.join('; '), /is not what the anchors cover/)
  },
)

play('an order that does not verify is kept, and keeps no other', async (world, archive) => {
  const first = await paidAndLast(world)
  const second = await paidAndLast(world)
  await archive.deliver()
  await commit(world.store, [
    { update: 'orders', key: { id: first.paid }, set: { description: 'x', revision: 9 } },
  ])
  await archive.archive()
  assert.equal(await archivedIds(world), [second.paid])
  assert.match(JSON.stringify(archive.errors), /"order":".*","problems":\["it has revision 9/)
})

test.run()
