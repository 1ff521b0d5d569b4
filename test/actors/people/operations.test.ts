import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { OperationError } from '../../../actors/foundation/operation.ts'
import { type Asker, authorityOf } from '../../../actors/operations/authority.ts'
import { createDispatch, type Dispatch } from '../../../actors/operations/dispatch.ts'
import { operationsOf } from '../../../actors/operations/index.ts'
import { overview } from '../../../actors/operations/overview.ts'
import { operatorAdd } from '../../../actors/people/operations.ts'
import { createSessions, formToken, isFormToken, sessionTimes } from '../../../actors/people/sessions.ts'
import type { Role } from '../../../persistence/schema-people.ts'
import { statement } from '../../../persistence/statement.ts'
import { addOperators, password } from '../../support/console.ts'
import { payOutBody, startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'

const address = '127.0.0.1'

const as = (role: Role): Asker => ({ role, hasFactor: false, factorAt: null })

let node: TestNode
let dispatch: Dispatch

test.before(async () => {
  node = await startTestNode()
  dispatch = createDispatch(operationsOf('sandbox'), { ...node.core, clock: node.clock })
  await addOperators(node)
})

test.after(() => stopTestNode(node))

const sessions = () => createSessions({ store: node.core.store, clock: node.clock })

async function refusal(work: Promise<unknown>): Promise<OperationError> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (error instanceof OperationError) return error
  throw new Error(`it was not refused: ${error}`)
}

const unchosen = { language: null, timeZone: null }

async function signIn(name: string): Promise<string> {
  const token = await sessions().signIn({ name, password, address })
  if (token === null) throw new Error(`${name} was not let in`)
  return token
}

test('who signs in with the right password is known by a token, and nobody else', async () => {
  const token = await signIn(' Viewer ')
  const { id: _, ...session } = (await sessions().find(token)) ?? { id: '' }
  const unproved = { hasFactor: false, factorAt: null, standing: 'in' }
  assert.equal(session, { name: 'viewer', role: 'viewer', ...unchosen, ...unproved })
  assert.is(await sessions().signIn({ name: 'viewer', password: `${password} `, address }), null)
  for (const name of ['nobody', 'viewer\0', ''])
    assert.is(await sessions().signIn({ name, password, address }), null)
  assert.is(await sessions().find(`${token}x`), null)
  const rows = await node.core.store.query(
    statement<Record<never, never>>()('test.sessions', ({ db }) => db.selectFrom('sessions').selectAll()),
    {},
  )
  assert.not.ok(JSON.stringify(rows).includes(token), 'the database knows no token')
})

test('a session ends when it is idle, and after half a day in any case', async () => {
  const idle = await signIn('viewer')
  node.clock.advance(sessionTimes.idleMs - 1)
  assert.ok(await sessions().find(idle))
  node.clock.advance(sessionTimes.idleMs + 1)
  assert.is(await sessions().find(idle), null)

  const busy = await signIn('viewer')
  for (let passed = 0; passed < sessionTimes.absoluteMs; passed += sessionTimes.idleMs) {
    assert.ok(await sessions().find(busy))
    node.clock.advance(sessionTimes.idleMs)
  }
  node.clock.advance(1)
  assert.is(await sessions().find(busy), null)
})

test('a new password, and being disabled, end what was begun before', async () => {
  await dispatch(operatorAdd.name, { name: 'luis', role: 'viewer', password }, 'test')
  const before = await signIn('luis')
  const answer = (await dispatch('operator.reset', { name: 'luis' }, 'test')) as { password: string }
  assert.is(await sessions().find(before), null)
  assert.is(await sessions().signIn({ name: 'luis', password, address }), null)
  const made = await sessions().signIn({ name: 'luis', password: answer.password, address })
  assert.ok(made !== null && (await sessions().find(made)))
  await dispatch('operator.disable', { name: 'luis' }, 'test')
  assert.is(await sessions().find(made), null)
  assert.is(await sessions().signIn({ name: 'luis', password: answer.password, address }), null)
  await dispatch('operator.enable', { name: 'luis' }, 'test')
  assert.is(await sessions().find(made), null, 'what was ended stays so')
  assert.ok(await sessions().signIn({ name: 'luis', password: answer.password, address }))
})

test('another role holds from the next request on', async () => {
  const token = await signIn('luis').catch(() => null)
  assert.is(token, null)
  await dispatch('operator.reset', { name: 'luis', password }, 'test')
  const session = await signIn('luis')
  await dispatch('operator.change', { name: 'luis', role: 'operator' }, 'test')
  assert.is((await sessions().find(session))?.role, 'operator')
})

test('operators change their own password, and have to know the present one', async () => {
  const next = 'noch eine lange Nacht'
  const wrong = await refusal(
    dispatch('operator.password', { password: next, newPassword: next }, 'luis', as('operator')),
  )
  assert.is(wrong.code, 'refused')
  await dispatch('operator.password', { password, newPassword: next }, 'luis', as('operator'))
  assert.ok(await sessions().signIn({ name: 'luis', password: next, address }))
})

test('no password is in the audit log', async () => {
  const { entries } = (await dispatch('audit.list', {}, 'test')) as { entries: unknown[] }
  assert.ok(JSON.stringify(entries).includes('operator.password'))
  assert.not.match(JSON.stringify(entries), /lange Nacht/)
})

test('a password is long, and more than the name', async () => {
  const short = await refusal(
    dispatch(operatorAdd.name, { name: 'eva', role: 'viewer', password: 'short' }, 'test'),
  )
  assert.is(short.code, 'invalid')
  const name = 'maximiliana.ruiz'
  const same = await refusal(dispatch(operatorAdd.name, { name, role: 'viewer', password: name }, 'test'))
  assert.is(same.code, 'invalid')
  const twice = await refusal(dispatch(operatorAdd.name, { name: 'viewer', role: 'viewer' }, 'test'))
  assert.is(twice.code, 'conflict')
})

const ofOneself = [
  'operator.password',
  'operator.setOwn',
  'session.end',
  'list.setColumns',
  'list.saveFilter',
  'list.removeFilter',
]

test('a role may ask for what is its own and nothing above it, whatever the operation', async () => {
  const ranks: Role[] = ['viewer', 'operator', 'administrator']
  const seen = new Set<string>()
  for (const operation of operationsOf('sandbox')) {
    const { role: least } = authorityOf(operation)
    seen.add(least)
    for (const role of ranks.slice(0, ranks.indexOf(least))) {
      const error = await refusal(dispatch(operation.name, { nonsense: true }, role, as(role)))
      assert.is(error.code, 'forbidden', `${operation.name} as ${role}`)
    }
    if (!operation.isRead && !ofOneself.includes(operation.name)) {
      assert.is.not(least, 'viewer', `${operation.name} changes something`)
    }
  }
  assert.is(seen.size, 3)
  for (const name of ['key.rotate', 'apply', 'deposit.add', 'payment.due', 'operator.add']) {
    assert.is((await refusal(dispatch(name, {}, 'ana', as('operator')))).code, 'forbidden', name)
  }
})

test('viewers see no code of an order, and no body of a webhook', async () => {
  const made = await node.request({
    as: 'mk_shop',
    path: '/api/v1/merchants/orders/pay-out/',
    body: payOutBody(),
  })
  const { id } = made.json
  await node.until(async () => (await node.core.orders.find(id))?.order.status === 'READY')
  const { code } = (await dispatch('order.show', { id }, 'operator', as('operator'))) as { code: string }
  assert.match(code, /^\d{15}$/)
  for (const [name, input] of [
    ['order.show', { id }],
    ['order.list', {}],
    ['overview.show', {}],
  ] as const) {
    const shown = JSON.stringify(await dispatch(name, input, 'viewer', as('viewer')))
    assert.not.ok(shown.includes(code), name)
  }
  await dispatch('order.cancel', { id, reason: 'test' }, 'operator', as('operator'))
  await node.until(async () => {
    const { webhooks } = (await dispatch('webhook.list', {}, 'test')) as { webhooks: unknown[] }
    return webhooks.length > 0
  })
  const { webhooks } = (await dispatch('webhook.list', {}, 'test')) as { webhooks: { id: string }[] }
  const shown = { id: webhooks[0]?.id }
  const whole = (await dispatch('webhook.show', shown, 'o', as('operator'))) as { body: string }
  assert.match(whole.body, /ana@example\.com/)
  assert.not.match(JSON.stringify(await dispatch('webhook.show', shown, 'v', as('viewer'))), /ana@example/)
})

test('the overview counts as the orders move', async () => {
  const shown = (await dispatch(overview.name, {}, 'viewer', as('viewer'))) as Awaited<
    ReturnType<typeof overview.run>
  >
  const cancelled = shown.orders.find(({ status }) => status === 'CANCELLED')
  assert.equal(cancelled, { status: 'CANCELLED', payOut: 1, payIn: 0 })
  assert.is(
    shown.orders.reduce((sum, { payOut }) => sum + payOut, 0),
    1,
  )
  const today = shown.days.at(-1)
  assert.equal([today?.created, today?.completed, today?.failed], [1, 0, 1])
  assert.is(shown.days.length, 14)
  const available = shown.money.find(({ currency }) => currency === 'MXN')?.balances
  assert.is(available?.find(({ kind }) => kind === 'available')?.amount, '100000.00')
})

test('a form’s token belongs to one session', () => {
  assert.ok(isFormToken(formToken('one'), 'one'))
  assert.not.ok(isFormToken(formToken('one'), 'two'))
  assert.not.ok(isFormToken('', 'one'))
})

/** What is asked for → language and zone afterwards, or why not. */
const choices: [input: Record<string, string>, expected: [string | null, string | null] | string][] = [
  [{ language: 'es', zone: 'America/Mexico_City' }, ['es', 'America/Mexico_City']],
  [{ language: 'pt' }, ['pt', 'America/Mexico_City']],
  [{ zone: 'America/Sao_Paulo' }, ['pt', 'America/Sao_Paulo']],
  [{ zone: 'America/Nowhere' }, 'invalid'],
  [{ zone: '-03:00' }, 'invalid'],
  [{ language: 'de' }, 'invalid'],
  [{}, 'invalid'],
  [{ language: 'default' }, [null, 'America/Sao_Paulo']],
  [{ zone: 'default' }, [null, null]],
]

test('operators choose their language and zone, and administrators those of others', async () => {
  await dispatch('operator.reset', { name: 'luis', password }, 'test')
  const token = await signIn('luis')
  const asks = [
    (input: object) => dispatch('operator.setOwn', input, 'luis', as('viewer')),
    (input: object) => dispatch('operator.set', { name: 'luis', ...input }, 'ana', as('administrator')),
  ]
  for (const ask of asks) {
    for (const [input, expected] of choices) {
      const text = JSON.stringify(input)
      if (typeof expected === 'string') assert.is((await refusal(ask(input))).code, expected, text)
      else {
        await ask(input)
        const { language, timeZone } = (await sessions().find(token)) ?? {}
        assert.equal([language, timeZone], expected, text)
      }
    }
  }
})

test.run()
