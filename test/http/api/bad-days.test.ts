/** An operator's bad days as merchants and providers see them, over signed requests. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { OperationError } from '../../../actors/foundation/operation.ts'
import { sign } from '../../../actors/keys/signature.ts'
import { operationsOf } from '../../../actors/operations/index.ts'
import { keyRevoke, keyRotate } from '../../../actors/operations/keys.ts'
import { orderRelease } from '../../../actors/orders/change-operations.ts'
import { orderCancelAll } from '../../../actors/orders/sweep-operations.ts'
import { partyFreeze, partyUnfreeze } from '../../../actors/parties/operations.ts'
import { exceptionList, exceptionResolve, exceptionShow } from '../../../actors/resolutions/operations.ts'
import { readTokenFile } from '../../../node/token-file.ts'
import { hourMs, minuteMs, onABadDay, payOuts, type World } from '../../support/bad-days.ts'
import { isOnPostgres } from '../../support/database.ts'
import { payOutBody, type TestNode } from '../../support/node.ts'

/** What this file reads of the operator listener's documents. */
interface OperatorAnswer {
  revision: number
  exceptions: { id: string; revision: number }[]
  error: { code: string }
}

onABadDay('a till is dead after the start: the operator releases, and another till pays', async (world) => {
  const { id, code } = await world.ready()
  assert.is((await world.act(code, 'start')).status, 200)
  assert.is((await world.act(code, 'start', 'pk_b')).status, 409)
  await world.operator.ask(orderRelease, { id, provider: 'Network A', reason: 'its till is dead' })
  assert.is((await world.act(code, 'confirm')).status, 400, 'the dead till is back, and holds nothing')
  assert.is((await world.act(code, 'start', 'pk_b')).status, 200)
  assert.is((await world.act(code, 'confirm', 'pk_b')).status, 200)
})

onABadDay(
  'a confirmation comes too late: 422, and the operator sees it where it is decided',
  async (world) => {
    const { node, operator } = world
    const { id, code } = await world.ready({ expiry: '2026-03-01T13:00:00Z' })
    await world.act(code, 'start')
    node.clock.advance(hourMs + 10 * minuteMs)
    for (let time = 0; time < 3; time++) {
      const late = await world.act(code, 'confirm')
      assert.equal([late.status, late.json.errors[0].code], [422, 'ended_while_locked'])
    }
    const { exceptions } = await operator.ask(exceptionList, { state: 'open' })
    const [exception] = exceptions
    assert.equal([exceptions.length, exception?.order, exception?.amount], [1, id, '1000.00'])
    const shown = await operator.ask(exceptionShow, { id: exception?.id ?? '' })
    assert.match(JSON.stringify(shown.evidence), /"lateConfirmations":\{"count":3,.*"key":"pk_a"/)
    const resolving = {
      id: shown.id,
      as: 'honour',
      reason: 'receipt seen',
      revision: shown.revision,
    } as const
    await operator.ask(exceptionResolve, resolving)
    assert.is((await world.act(code, 'confirm')).status, 422, 'the status stays')
    const shop = await node.request({ as: 'mk_shop', path: `${payOuts}${id}/` })
    assert.equal([shop.json.status, shop.json.paid], ['EXPIRED', null])
  },
)

type Ask = (operation: string, input: object) => Promise<{ status: number; json: OperatorAnswer }>

/** As commands ask a node on SQLite, and the console any. */
function overListener(node: TestNode): Ask {
  const file = node.settings.database.engine === 'sqlite' ? node.settings.database.file : ''
  const { url, token } = readTokenFile(file) ?? { url: '', token: '' }
  return async (operation, input) => {
    const answer = await fetch(`${url}/api/operations/${operation}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        'Operator-Name': 'ana',
      },
      body: JSON.stringify(input),
    })
    return { status: answer.status, json: JSON.parse(await answer.text()) }
  }
}

/** As commands do it on PostgreSQL: on the database itself, beside the node. */
function asCommands({ operator }: World): Ask {
  return async (name, input) => {
    const operation = operationsOf('sandbox').find((one) => one.name === name)
    assert.ok(operation, name)
    try {
      const output = await operator.ask(operation, input)
      return { status: 200, json: JSON.parse(JSON.stringify(output)) }
    } catch (error) {
      if (!(error instanceof OperationError) || error.code !== 'conflict') throw error
      return { status: 409, json: { revision: 0, exceptions: [], error: { code: error.code } } }
    }
  }
}

onABadDay('two operators act at once: the second gets 409, and nothing is done twice', async (world) => {
  const ask = isOnPostgres ? asCommands(world) : overListener(world.node)
  const { id, code } = await world.ready()
  await world.act(code, 'start')
  const { json: seen } = await ask('order.show', { id })
  const change = { id, provider: 'Network A', reason: 'till is dead', revision: seen.revision }
  const both = await Promise.all([ask('order.release', change), ask('order.confirm', change)])
  assert.equal(both.map(({ status }) => status).sort(), [200, 409])
  assert.is(both.find(({ status }) => status === 409)?.json.error.code, 'conflict')

  const held = await world.ready()
  await world.act(held.code, 'start')
  await ask('order.cancel', { id: held.id, reason: 'x', force: true })
  const { json: listed } = await ask('exception.list', { order: held.id })
  const [exception] = listed.exceptions
  assert.ok(exception)
  const resolve = { id: exception.id, reason: 'receipt', revision: exception.revision }
  const words = await Promise.all(
    ['honour', 'return'].map((as) => ask('exception.resolve', { ...resolve, as })),
  )
  assert.equal(words.map(({ status }) => status).sort(), [200, 409])
  assert.is(words.find(({ status }) => status === 409)?.json.error.code, 'conflict')
})

onABadDay(
  'a merchant is frozen: no creations, no starts of its orders, and confirmations go on',
  async (world) => {
    const { node, operator } = world
    const waiting = await world.ready()
    const started = await world.ready()
    await world.act(started.code, 'start')
    await operator.ask(partyFreeze, { name: 'Shop', reason: 'its key has leaked' })
    const created = await world.create()
    assert.equal([created.status, created.json.errors[0].code], [403, 'permission_denied'])
    const refused = await world.act(waiting.code, 'start', 'pk_b')
    assert.equal([refused.status, refused.json.errors[0].code], [422, 'merchant_frozen'])
    assert.is((await world.act(started.code, 'confirm')).status, 200)
    assert.is(
      (await node.request({ as: 'mk_shop', path: `${payOuts}${waiting.id}/` })).status,
      200,
      'it may look',
    )
    assert.is((await node.request({ as: 'mk_other', path: payOuts, body: payOutBody(), at: 1 })).status, 201)
    await operator.ask(partyUnfreeze, { name: 'Shop', reason: 'new key in use' })
    assert.equal(
      [(await world.create()).status, (await world.act(waiting.code, 'start', 'pk_b')).status],
      [201, 200],
    )
  },
)

onABadDay('a provider is frozen: no starts, and its confirmations go on', async (world) => {
  const { operator } = world
  const [waiting, started, given] = [await world.ready(), await world.ready(), await world.ready()]
  for (const { code } of [started, given]) await world.act(code, 'start')
  await operator.ask(partyFreeze, { name: 'Network A', reason: 'its tills are not its own' })
  const refused = await world.act(waiting.code, 'start')
  assert.equal([refused.status, refused.json.errors[0].code], [422, 'provider_frozen'])
  assert.is((await world.act(started.code, 'confirm')).status, 200)
  assert.is((await world.act(given.code, 'cancel')).status, 200)
  assert.is((await world.act(waiting.code, 'start', 'pk_b')).status, 200)
})

onABadDay('a merchant’s key has leaked: frozen, swept, rotated, revoked, and open again', async (world) => {
  const { node, operator } = world
  const own = await world.ready()
  node.clock.advance(hourMs)
  const stolen = await world.ready()
  const held = await world.ready()
  await world.act(held.code, 'start')
  await operator.ask(partyFreeze, { name: 'Shop', reason: 'leaked' })
  const since = '2026-03-01T12:30:00Z'
  const swept = await operator.ask(orderCancelAll, { credential: 'mk_shop', since, reason: 'leaked' })
  assert.equal([swept.cancelled, swept.refused, swept.mayCreateMore], [1, 1, false])
  assert.equal(await Promise.all([own, stolen, held].map(({ id }) => world.statusOf(id))), [
    'READY',
    'CANCELLED',
    'PAYMENT_STARTED',
  ])
  const { key, secret } = await operator.ask(keyRotate, { party: 'Shop' })
  await operator.ask(keyRevoke, { key: 'mk_shop', reason: 'leaked' })
  await operator.ask(partyUnfreeze, { name: 'Shop', reason: 'new key' })
  assert.is((await world.create()).status, 403, 'the old key signs nothing')
  const body = JSON.stringify(payOutBody())
  const messageDate = (node.clock.now() / 1000).toFixed(3)
  const answer = await fetch(`${node.publicUrl}${payOuts}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Merchant-Key': key,
      'Message-Date': messageDate,
      'Message-Hash': sign({ key, messageDate, method: 'POST', path: payOuts, body }, secret),
    },
    body,
  })
  assert.is(answer.status, 201)
  const { status } = await world.act(held.code, 'confirm')
  assert.is(status, 200, 'cash that was handed over is confirmed')
})

test.run()
