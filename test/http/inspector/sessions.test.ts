/** Whoever may no longer look is told nothing more, however the session has ended. */
import { once } from 'node:events'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import WebSocket from 'ws'
import type { Role } from '../../../actors/foundation/roles.ts'
import { hashPassword } from '../../../actors/people/passwords.ts'
import { listFileHref } from '../../../http/console/list-links.ts'
import { ordersPage } from '../../../http/console/pages/orders.ts'
import { endSessionsOf } from '../../../persistence/queries/people.ts'
import {
  type ConsoleVisitor,
  dispatchOf,
  onSqlite,
  password,
  tokenOf,
  visitorAs,
} from '../../support/console.ts'
import { startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'
import { newOrder } from '../../support/orders.ts'

let node: TestNode
test.before(async () => {
  node = await startTestNode(onSqlite())
})
test.after(() => stopTestNode(node))

let added = 0

/** Another operator for each test, because most of them do not survive it. */
async function addOperator(role: Role): Promise<string> {
  const name = `operator-${++added}`
  const password_hash = await hashPassword(password, { N: 2 ** 4, r: 8, p: 1 })
  const at = node.clock.now()
  const values = { name, role, password_hash, password_at: at, created_at: at, signed_in_at: null }
  await node.core.store.step({
    rows: {},
    decide: () => ({
      answer: null,
      writes: [{ insert: 'people', values: { ...values, disabled_at: null } }],
    }),
  })
  return name
}

async function listen(headers: Record<string, string>) {
  const socket = new WebSocket(`${node.operatorUrl.replace('http', 'ws')}/inspect/ws`, { headers })
  const heard: string[] = []
  socket.on('message', (message) => heard.push(String(message)))
  const closed = once(socket, 'close').then(([code]) => Number(code))
  await once(socket, 'open')
  return { socket, heard, closed }
}

type Change = (name: string, visitor: ConsoleVisitor) => Promise<unknown>

const ask = (name: string, input: object) => dispatchOf(node)(name, input, 'ana')
const endings: Record<string, Change> = {
  'is disabled': (name) => ask('operator.disable', { name }),
  'is given a lesser role': (name) => ask('operator.change', { name, role: 'viewer' }),
  'is given another password': (name) =>
    ask('operator.reset', { name, password: 'una noche bastante larga' }),
  'changes the password': (name) =>
    dispatchOf(node)('operator.password', { password, newPassword: 'una noche bastante larga' }, name),
  'signs out': (_, visitor) => visitor.post('/sign-out', {}),
  'signs out everywhere': (_, visitor) => visitor.post('/account/sign-out-everywhere', {}),
  'is signed out by another node': (name) => node.core.store.execute(endSessionsOf, { name }),
  'has done nothing for half an hour': async () => node.clock.advance(31 * 60_000),
  'has been signed in for twelve hours': async (_, visitor) => {
    for (let hour = 0; hour < 37; hour++) {
      node.clock.advance(20 * 60_000)
      await visitor.get('/')
    }
  },
}

for (const [name, end] of Object.entries(endings))
  test(`the stream of an operator who ${name} ends, and tells nothing of what comes after`, async () => {
    const operator = await addOperator('operator')
    const visitor = await visitorAs(node, operator)
    const { heard, closed } = await listen({ Cookie: visitor.cookie ?? '' })
    await node.until(async () => heard.length > 0)
    await end(operator, visitor)
    const { id } = await newOrder(node, 'PAY_IN')
    assert.is(await closed, 1008)
    assert.not.match(heard.join('\n'), id)
  })

test('a stream goes on while its session does, and that of the token for ever', async () => {
  const visitor = await visitorAs(node, await addOperator('operator'))
  const streams = [
    await listen({ Cookie: visitor.cookie ?? '' }),
    await listen({ Authorization: `Bearer ${tokenOf(node)}` }),
  ]
  for (const { heard } of streams) await node.until(async () => heard.length > 0)
  await ask('operator.disable', { name: await addOperator('administrator') })
  const { id } = await newOrder(node, 'PAY_IN')
  for (const { heard, socket } of streams) {
    await node.until(async () => heard.join('\n').includes(id))
    socket.terminate()
  }
})

test('a file that is being sent is broken off', async () => {
  const operator = await addOperator('operator')
  const visitor = await visitorAs(node, operator)
  const { render } = ordersPage
  let read = 0
  // The list is longer than one page, and the session ends between two.
  ordersPage.render = async (request) => {
    if (read++ > 0) await ask('operator.disable', { name: operator })
    const { blocks, ...shown } = await render(request)
    const list = blocks.filter(({ kind }) => kind !== 'next')
    return { ...shown, blocks: [...list, { kind: 'next', href: '/orders' }] }
  }
  const response = await fetch(`${node.operatorUrl}${listFileHref('/orders', 'orders')}`, {
    headers: { Cookie: visitor.cookie ?? '' },
  })
  const sent = await response.text().catch((error: Error) => error.message)
  ordersPage.render = render
  assert.is(sent, 'terminated')
})

test.run()
