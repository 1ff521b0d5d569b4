/** What pages tell in words: where one went wrong, what can be done now, whose ids are whose. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { shownSettings } from '../../../node/settings/shown.ts'
import { ConsoleVisitor, type ConsoleWorld, startConsoleWorld, visitorAs } from '../../support/console.ts'

let world: ConsoleWorld

test.before(async () => {
  world = await startConsoleWorld()
})

test.after(() => world.stop())

test('an address of nothing answers a page that leads on, and a program its own answer', async () => {
  const { node } = world
  const viewer = await visitorAs(node, 'viewer')
  for (const path of ['/nothing', '/orders/', '/order', '/merchants', '/%E0%A4%A']) {
    const { status, text, headers } = await viewer.get(path, { Accept: 'text/html,*/*;q=0.8' })
    assert.is(status, 404, path)
    assert.match(headers.get('content-type') ?? '', /^text\/html/)
    assert.match(text, /nothing at this address[\s\S]*/)
    assert.match(text, /<li><a href="\/">Console<\/a><\/li>/)
    assert.match(text, /aria-label="Console"/)
  }
  const asked = await fetch(`${node.operatorUrl}/nothing`)
  assert.is(asked.status, 404)
  assert.match(await asked.text(), /^\{"error":\{"code":"not_found"/)
  const method = await fetch(`${node.operatorUrl}/api/operations/order.list`, {
    headers: { Accept: 'text/html' },
  })
  assert.is(method.status, 405)
  const stranger = new ConsoleVisitor(node.operatorUrl)
  const { status, headers } = await stranger.get('/nothing', { Accept: 'text/html' })
  assert.equal([status, headers.get('location')], [302, '/sign-in?to=%2Fnothing'])
})

test('a wrong password keeps the name, and what is to be written next is ready for it', async () => {
  const visitor = new ConsoleVisitor(world.node.operatorUrl)
  const first = await visitor.get('/sign-in')
  assert.match(first.text, /name="name"[^>]*autofocus/)
  const { status, text } = await visitor.signIn('viewer', 'a wrong one')
  assert.is(status, 401)
  assert.match(text, /name="name"[^>]*value="viewer"/)
  assert.match(text, /name="password"[^>]*autofocus/)
  assert.not.match(text, /a wrong one/)
})

test('of pausing and resuming webhooks, what can be done is offered', async () => {
  const operator = await visitorAs(world.node, 'operator')
  const offered = async () => {
    const { text } = await operator.get('/merchants/Shop')
    return [/action="\/webhook\/pause"/.test(text), /action="\/webhook\/resume"/.test(text)]
  }
  assert.equal(await offered(), [true, false])
  await operator.post('/webhook/pause', { merchant: 'Shop' })
  assert.equal(await offered(), [false, true])
  assert.match(operator.page, /paused since 2026-03-01/)
  await operator.post('/webhook/resume', { merchant: 'Shop' })
  assert.equal(await offered(), [true, false])
})

test('evidence names providers, and the audit log says in words what was asked', async () => {
  const { ask, node } = world
  const administrator = await visitorAs(node, 'administrator')
  const { exceptions } = (await ask('exception.list', {}, 'test')) as {
    exceptions: { id: string; kind: string }[]
  }
  const stranded = exceptions.find(({ kind }) => kind === 'expired_while_locked')
  const { text } = await administrator.get(`/exceptions/${stranded?.id}`)
  assert.match(text, /Lock › provider<[\s\S]{0,200}<a href="\/providers\/Network%20A">/)
  assert.not.match(text, /providerId/)
  const audit = (await administrator.get('/audit')).text
  assert.match(audit, /reason: Made twice/)
  assert.not.match(audit, /&quot;reason&quot;/)
})

test('settings say what they mean, and those that are not as by default come first', async () => {
  const { text } = await (await visitorAs(world.node, 'administrator')).get('/settings')
  const changed = shownSettings(world.node.settings).filter(({ isDefault }) => !isDefault)
  assert.ok(changed.length > 0)
  // What is of a chain that is off is not set, and nothing else than usual.
  assert.not.ok(changed.some(({ path }) => path.startsWith('chains.')))
  const firstDefault = text.indexOf('<small>default</small>')
  for (const { path, meaning } of changed) {
    const place = text.indexOf(`>${path}<`)
    assert.ok(place > 0 && place < firstDefault, path)
    assert.ok(meaning.length > 0)
  }
})

test('a dead webhook counts as the exception that it opens, and a list names its merchant and URL', async () => {
  const viewer = await visitorAs(world.node, 'viewer')
  const { text } = await viewer.get('/')
  assert.match(text, /href="\/webhooks">Webhooks<\/a>/)
  assert.match(text, /href="\/exceptions">Exceptions <span class="count">2<\/span>/)
  const { text: list } = await viewer.get('/webhooks?state=dead')
  assert.match(list, /<a href="\/merchants\/Shop">[\s\S]*http:\/\/127\.0\.0\.1:\d+\/gone/)
})

test('viewers see neither the contact nor the checkout of an order, and others both', async () => {
  const path = `/orders/${world.orders.completed}`
  const mine = await (await visitorAs(world.node, 'operator')).get(path)
  assert.match(mine.text, /ana@example\.com/)
  assert.match(mine.text, /\/checkout\/[0-9a-f-]{36}/)
  const theirs = await (await visitorAs(world.node, 'viewer')).get(path)
  assert.not.match(theirs.text, /ana@example\.com|\/checkout\//)
  assert.match(theirs.text, /Webhooks go to/)
})

test.run()
