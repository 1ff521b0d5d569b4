import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type ChangedOrder,
  orderCancel,
  orderConfirm,
  orderRelease,
} from '../../../actors/orders/change-operations.ts'
import { orderShow } from '../../../actors/orders/operations.ts'
import { operatorOf } from '../../support/operations.ts'
import { assertInvariants } from '../../support/order-invariants.ts'
import { graceMs, hourMs, inOrderWorld, readyOrder } from '../../support/order-world.ts'

const play = inOrderWorld(test)
const unknownId = '00000000-0000-4000-8000-000000000000'

play('an order is shown by id or code, with its journal, its money and its webhooks', async (world) => {
  const { ask, refusal } = operatorOf(world)
  const { id, code } = await readyOrder(world)
  await world.start(id, 'A')
  await world.start(id, 'B')
  await world.confirm(id, 'A')
  const order = await ask(orderShow, { id: id.toUpperCase() })
  assert.equal(
    [order.status, order.revision, order.locks, order.paid, order.lock],
    [
      'COMPLETED',
      4,
      1,
      '2026-03-01T12:01:00.000Z',
      { provider: 'Network A', network: '000A', since: '2026-03-01T12:01:00.000Z' },
    ],
  )
  assert.equal(
    order.journal.map(({ actor, key, event, from, to, outcome, details }) => [
      actor,
      key,
      event,
      from,
      to,
      outcome,
      details,
    ]),
    [
      [
        'merchant:Shop',
        'mk_shop',
        'order.create',
        null,
        'CREATED',
        'accepted',
        {
          price: '1000.00',
          currency: 'MXN',
          expiry: '2026-03-02T12:00:00.000Z',
          merchantOrderId: order.merchantOrderId,
        },
      ],
      ['funding', null, 'funds.reserve', 'CREATED', 'READY', 'accepted', {}],
      [
        'provider:Network A',
        'pk_a',
        'payment.start',
        'READY',
        'PAYMENT_STARTED',
        'accepted',
        { provider: 'Network A', networkId: '000A' },
      ],
      [
        'provider:Network B',
        'pk_b',
        'payment.start',
        'PAYMENT_STARTED',
        'PAYMENT_STARTED',
        'locked_by_other',
        { provider: 'Network B', networkId: '000B' },
      ],
      [
        'provider:Network A',
        'pk_a',
        'payment.confirm',
        'PAYMENT_STARTED',
        'COMPLETED',
        'accepted',
        { provider: 'Network A' },
      ],
    ],
  )
  assert.equal(order.postings, [
    {
      at: '2026-03-01T12:00:00.000Z',
      kind: 'reserve',
      from: 'available of Shop',
      to: 'reserved of Shop',
      amount: '1000.00',
      currency: 'MXN',
    },
    {
      at: '2026-03-01T12:01:00.000Z',
      kind: 'settle',
      from: 'reserved of Shop',
      to: 'provider of Network A',
      amount: '1000.00',
      currency: 'MXN',
    },
  ])
  assert.equal(
    order.webhooks.map(({ order: of, status, state, attempts, lastAnswer, dueAt }) => [
      of,
      status,
      state,
      attempts,
      lastAnswer,
      dueAt,
    ]),
    [[id, 'COMPLETED', 'pending', 0, null, '2026-03-01T12:01:00.000Z']],
  )
  assert.equal([order.deposits, order.exceptions], [[], []])
  const grouped = code.replace(/(\d{4})(?=\d)/g, '$1 ')
  assert.equal(await ask(orderShow, { id: grouped }), order)
  for (const unknown of [unknownId, '123456789012345', 'nonsense']) {
    const error = await refusal('order.show', { id: unknown })
    assert.equal([error.code, error.message], ['not_found', `There is no order ${unknown}.`])
  }
})

play('an operator cancels an order with a reason, in the journal under their name', async (world) => {
  const { ask } = operatorOf(world)
  const { id, code } = await readyOrder(world)
  const order = await ask(orderCancel, { id: code, reason: 'asked by the merchant' })
  assert.equal([order.id, order.status], [id, 'CANCELLED'])
  const last = order.journal.at(-1)
  assert.equal(
    [last?.actor, last?.event, last?.details],
    ['operator:ana', 'operator.cancel', { reason: 'asked by the merchant', force: false }],
  )
  assert.is(await world.balance({}), 100_000n)
  await assertInvariants(world)
})

play('a locked order is cancelled by force only, and its money waits in suspense', async (world) => {
  const { ask, refusal } = operatorOf(world)
  const { id } = await readyOrder(world)
  await world.start(id, 'A')
  const refused = await refusal('order.cancel', { id, reason: 'till is dead' })
  assert.equal(
    [refused.code, refused.message],
    ['refused', 'Network A holds the order since 2026-03-01T12:01:00.000Z: cash may be on the counter.'],
  )
  assert.match(refused.hint ?? '', /--force/)
  const order = await ask(orderCancel, { id, reason: 'till is dead', force: true })
  assert.equal(
    [order.status, order.postings.at(-1)?.to, order.exceptions.map(({ kind, state }) => [kind, state])],
    ['CANCELLED', 'suspense of Shop', [['cancelled_while_locked', 'open']]],
  )
  await assertInvariants(world)
})

play('an operator confirms for the provider that holds the order, and says why', async (world) => {
  const { ask } = operatorOf(world)
  const { id } = await readyOrder(world)
  await world.start(id, 'A')
  const input = { id, provider: 'Network A', reason: 'receipt seen, till is dead' }
  const order = await ask(orderConfirm, input)
  const last = order.journal.at(-1)
  assert.equal([order.status, order.lock?.provider, last?.actor], ['COMPLETED', 'Network A', 'operator:ana'])
  assert.equal(last?.details, { provider: 'Network A', reason: 'receipt seen, till is dead' })
  assert.is(await world.balance({ kind: 'provider', ownerId: 'network-a' }), 100_000n)
  const again = await ask(orderConfirm, input)
  assert.equal(again, order, 'a repeated confirmation changes nothing')
  await assertInvariants(world)
})

play('an operator releases for the provider that holds the order', async (world) => {
  const { ask } = operatorOf(world)
  const { id } = await readyOrder(world)
  await world.start(id, 'A')
  const order = await ask(orderRelease, { id, provider: 'Network A', reason: 'customer left' })
  assert.equal([order.status, order.lock], ['READY', null])
  assert.is((await world.start(id, 'B')).outcome, 'accepted')
  await assertInvariants(world)
})

play('what a change would book is what it books, and to look changes nothing', async (world) => {
  const { ask, refusal } = operatorOf(world)
  const said = { provider: 'Network A', reason: 'the till is dead' }
  const changes: Record<string, (input: { id: string; dryRun?: boolean }) => Promise<ChangedOrder>> = {
    confirm: (input) => ask(orderConfirm, { ...input, ...said }),
    release: (input) => ask(orderRelease, { ...input, ...said }),
    cancel: (input) => ask(orderCancel, { ...input, reason: said.reason, force: true }),
  }
  for (const direction of ['PAY_OUT', 'PAY_IN'] as const) {
    for (const [name, change] of Object.entries(changes)) {
      await world.deposit(100_000n)
      const { id } = await world.order({ direction })
      await world.start(id, 'A')
      const before = await ask(orderShow, { id })
      const { books = [], ...shown } = await change({ id, dryRun: true })
      assert.equal(shown, before, `${name} of ${direction} is only looked at`)
      assert.equal(await ask(orderShow, { id }), before)
      const after = await change({ id })
      assert.is(after.books, undefined)
      assert.equal(
        after.postings.slice(before.postings.length).map(({ at: _, ...posting }) => posting),
        books.map(({ debit: from, credit: to, ...posting }) => ({ ...posting, from, to })),
        `${name} of ${direction}`,
      )
    }
  }
  const { id } = await readyOrder(world)
  const dry = await refusal('order.confirm', { id, ...said, dryRun: true })
  assert.is(dry.message, 'The order is READY and cannot be confirmed.')
  assert.not.ok((await world.rows('audit')).some(({ input_json }) => input_json.includes('dryRun')))
  await assertInvariants(world)
})

play('what an order refuses is told in a sentence', async (world) => {
  const { refusal } = operatorOf(world)
  const { id } = await readyOrder(world)
  const forB = { id, provider: 'Network B', reason: 'x' }
  const forA = { ...forB, provider: 'Network A' }
  const messages = async (name: string, input: object) => (await refusal(name, input)).message
  assert.is(await messages('order.confirm', forA), 'The order is READY and cannot be confirmed.')
  assert.is(await messages('order.release', forA), 'The order is READY and cannot be released.')
  await world.start(id, 'A')
  const notHolder = 'for this provider: Network A holds it.'
  assert.is(await messages('order.confirm', forB), `The order cannot be confirmed ${notHolder}`)
  assert.is(await messages('order.release', forB), `The order cannot be released ${notHolder}`)
  assert.is(await messages('order.confirm', { ...forA, provider: 'Nobody' }), 'There is no provider Nobody.')
  assert.is(await messages('order.cancel', { id: unknownId, reason: 'x' }), `There is no order ${unknownId}.`)
  world.clock.advance(24 * hourMs + graceMs)
  const late = await refusal('order.confirm', forA)
  assert.is(late.message, 'The order became EXPIRED while Network A held it; its money waits in suspense.')
  assert.is(late.hint, `Resolve its exception: exception list --order ${id}`)
  assert.is(
    await messages('order.cancel', { id, reason: 'x' }),
    'The order is EXPIRED and cannot be cancelled.',
  )
  await assertInvariants(world)
})

play('the second of two operators is told that the first was faster', async (world) => {
  const { ask, refusal } = operatorOf(world)
  const { id } = await readyOrder(world)
  const { revision } = await ask(orderShow, { id })
  await world.start(id, 'A')
  const input = { id, reason: 'double', revision }
  const error = await refusal('order.cancel', { ...input, force: true })
  assert.equal(
    [error.code, error.message],
    ['conflict', 'The order has changed since you looked: it is PAYMENT_STARTED now (revision 3).'],
  )
  assert.is((await world.row(id)).status, 'PAYMENT_STARTED')
  const order = await ask(orderRelease, { ...input, provider: 'Network A', revision: 3 })
  assert.is(order.status, 'READY')
})

play('an input that breaks its schema is refused with each bad place', async (world) => {
  const { refusal } = operatorOf(world)
  const cases: [name: string, input: unknown, lines: string[]][] = [
    ['order.cancel', {}, ['id: is missing', 'reason: is missing']],
    ['order.cancel', { id: 'x', reason: '  ' }, ['reason: is empty']],
    ['order.cancel', { id: 'x', reason: 'y', force: 'yes' }, ['force: must be true or false']],
    ['order.confirm', { id: 'x', reason: 'y' }, ['provider: is missing']],
    ['order.list', { limit: 0, page: 2 }, ['page: is unknown', 'limit: must be at least 1']],
    [
      'order.list',
      { status: 'PAID' },
      ['status: must be one of CREATED, READY, PAYMENT_STARTED, COMPLETED, CANCELLED, EXPIRED'],
    ],
    ['order.show', [], ['the input: must be an object']],
    ['webhook.show', { id: null }, ['id: must be a text']],
    ['order.list', { limit: 1.5 }, ['limit: must be a whole number']],
    ['order.list', { limit: 100_000 }, ['limit: must be at most 1000']],
    ['order.cancel', { id: 'x', reason: 'r'.repeat(501) }, ['reason: is longer than 500 characters']],
    ['calendar.import', { name: 'mx', text: '' }, ['text: is empty']],
    ['payment.due', { on: 'today' }, ['on: has another form than it must have']],
  ]
  for (const [name, input, lines] of cases) {
    const error = await refusal(name, input)
    assert.equal([error.code, error.details], ['invalid', lines], `${name} ${JSON.stringify(input)}`)
  }
  const unknown = await refusal('order.destroy', {})
  assert.equal([unknown.code, unknown.message], ['not_found', 'There is no operation order.destroy.'])
  const deep = await refusal(
    'apply',
    JSON.parse(`{"merchants":${'['.repeat(200_000)}${']'.repeat(200_000)}}`),
  )
  assert.is(deep.message, 'The input nests deeper than 32 levels.')
  for (const [name, input, place] of [
    ['merchant.show', { name: 'Shop\0' }, 'name'],
    ['order.cancel', { id: 'o1', reason: 'fraud\0' }, 'reason'],
    ['apply', { merchants: [{ name: 'Shop', pairs: ['MX\0'] }] }, 'merchants[0].pairs[0]'],
  ] as const) {
    const { code, message } = await refusal(name, input)
    assert.equal([code, message], ['invalid', `${place}: has a character 0 in it, which no text here has.`])
  }
})

play('what an operator changes is in the audit log with its ending, what they read is not', async (world) => {
  const { ask, refusal } = operatorOf(world)
  const { id } = await readyOrder(world)
  await ask(orderShow, { id })
  await refusal('order.cancel', {})
  await ask(orderCancel, { id, reason: 'fraud' })
  await refusal('order.cancel', { id, reason: 'fraud' })
  const input = JSON.stringify({ id, reason: 'fraud' })
  assert.equal(
    (await world.rows('audit')).map(({ done_at, operator, operation, input_json, outcome }) => [
      done_at,
      operator,
      operation,
      input_json,
      outcome,
    ]),
    [
      [world.clock.now(), 'ana', 'order.cancel', input, 'done'],
      [
        world.clock.now(),
        'ana',
        'order.cancel',
        input,
        'refused: The order is CANCELLED and cannot be cancelled.',
      ],
    ],
  )
})

test.run()
