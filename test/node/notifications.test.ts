/** A whole node tells of what goes wrong with an order: by mail and by a signed webhook, as its settings say, and the doctor asks the server. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { exceptionId } from '../../actors/exceptions/exception-id.ts'
import { newException } from '../../actors/exceptions/kinds.ts'
import { notificationList } from '../../actors/notifications/operations.ts'
import { notificationChannelSet, notificationRuleSet } from '../../actors/notifications/rule-operations.ts'
import { doctor } from '../../actors/operations/doctor.ts'
import { startMailServer, type TestMailServer } from '../support/mail-server.ts'
import { startTestNode, stopTestNode, type TestNode } from '../support/node.ts'
import { commit } from '../support/order-world.ts'
import { startReceiver } from '../support/webhook-receivers.ts'

let server: TestMailServer
let node: TestNode

test.before(async () => {
  server = await startMailServer()
  const env = {
    VENTANILLA_MAIL_HOST: '127.0.0.1',
    VENTANILLA_MAIL_PORT: String(server.port),
    VENTANILLA_MAIL_SECURITY: 'none',
    VENTANILLA_MAIL_FROM: 'node@pay.example',
  }
  node = await startTestNode({ env })
})

test.after(async () => {
  await stopTestNode(node)
  await server.close()
})

test('an exception that is opened is mailed, and sent to the operator’s webhook, within moments', async () => {
  const receiver = await startReceiver((response) => response.writeHead(200).end())
  const context = { ...node.core, clock: node.clock, operator: 'test' }
  const mail = { name: 'operations', kind: 'email', to: 'ops@pay.example', language: 'pt' } as const
  const hook = { name: 'pager', kind: 'webhook', url: `http://127.0.0.1:${receiver.port}/hook` } as const
  for (const channel of [mail, hook]) {
    await notificationChannelSet.run(context, channel)
    const rule = { name: channel.name, channel: channel.name, events: 'exception.opened' }
    await notificationRuleSet.run(context, rule)
  }
  const id = exceptionId('node', 'one')
  const about = { id, kind: 'bank_unidentified', order_id: null, opened_at: node.clock.now() } as const
  const values = newException({ ...about, reason: 'a reason', evidence: {} })
  await commit(node.core.store, [{ insert: 'exceptions', values }])
  await node.until(async () => server.heard.length > 0 && receiver.received.length > 0)
  const { subject, messageId, text } = await server.read(0)
  assert.is(subject, '[Ventanilla sandbox] Exceção: lançamento bancário não identificado')
  assert.match(text ?? '', new RegExp(`ventanilla exception show ${id}`))
  assert.match(messageId ?? '', /^<[0-9a-f-]{36}@pay\.example>$/)
  assert.is(receiver.received[0]?.headers['merchant-key'], 'notification:pager')
  await node.until(async () => {
    const { notifications } = await notificationList.run(context, {})
    return notifications.length === 2 && notifications.every(({ state }) => state === 'delivered')
  })
  await receiver.close()
})

test('the doctor asks the server, and says what is wrong once it is gone', async () => {
  const context = { ...node.core, clock: node.clock, operator: 'test' }
  const mailOf = async () => (await doctor.run(context, {})).checks.find(({ name }) => name === 'mail')
  assert.is((await mailOf())?.ok, true)
  await server.close()
  const gone = await mailOf()
  assert.is(gone?.ok, false)
  assert.match(gone?.detail ?? '', /^connection: /)
  assert.match(gone?.action ?? '', /mail\.host/)
})

test.run()
