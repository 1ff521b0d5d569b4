/** The forms of payments: what a browser sends of an untouched form moves money the usual way, and a preview moves none. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { addOperators, type ConsoleVisitor, dispatchOf, visitorAs } from '../../support/console.ts'
import { startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'
import { orderIn } from '../../support/orders.ts'
import { closerOf } from '../../support/statement-world.ts'

let node: TestNode
let visitor: ConsoleVisitor

test.before(async () => {
  node = await startTestNode()
  await node.apply({ banks: [{ name: 'main', currency: 'MXN' }] })
  await addOperators(node)
  visitor = await visitorAs(node, 'administrator')
})

test.after(() => stopTestNode(node))

/** The value that a browser sends of a choice that nobody has touched. */
function firstChoice(page: string, form: string, name: string): string | undefined {
  const [, fields = ''] = page.split(`action="${form}"`)
  const [, options = ''] = fields.split(`name="${name}"`)
  return /<option[^>]*value="([^"]*)"/.exec(options)?.[1]
}

async function entries(): Promise<{ direction: string; kind: string }[]> {
  const listed = (await dispatchOf(node)('bank.list', {}, 'test')) as {
    entries: { direction: string; kind: string }[]
  }
  return listed.entries
}

test('a charge of which nobody chose the way goes out, once it is more than looked at', async () => {
  const { text } = await visitor.get('/bank')
  const direction = firstChoice(text, '/bank/record', 'direction')
  assert.is(direction, '')
  const form = {
    kind: 'charge',
    direction: '',
    bank: 'main',
    reference: 'COM 1',
    amount: '35.00',
    valueDay: '',
    exception: '',
    reason: 'monthly',
    form_page: '/bank',
  }
  const shown = await visitor.post('/bank/record', { ...form, dryRun: 'yes' })
  assert.match(shown.text, /What would be booked/)
  assert.equal(await entries(), [])
  assert.is((await visitor.post('/bank/record', form)).status, 303)
  assert.equal(
    (await entries()).map((entry) => [entry.kind, entry.direction]),
    [['charge', 'out']],
  )
  await visitor.get('/bank')
  const again = await visitor.post('/bank/record', form)
  assert.is(again.status, 409)
  assert.match(again.text, /was booked already: charge of 35\.00 MXN/)
})

test('a preview that is asked for in other words than a form’s, or twice, is refused and books nothing', async () => {
  await visitor.get('/bank')
  const form = {
    ...{ kind: 'charge', bank: 'main', reference: 'COM 2', amount: '1.00', reason: 'monthly' },
    form_page: '/bank',
  }
  const before = await entries()
  for (const dryRun of ['true', 'on', '1', 'Yes', 'no']) {
    const { status, text } = await visitor.post('/bank/record', { ...form, dryRun })
    assert.is(status, 400, dryRun)
    assert.match(text, /dryRun: must be true or false/)
  }
  const twice = await visitor.post('/bank/record', [
    ...Object.entries({ ...form, dryRun: 'yes' }),
    ['dryRun', ''],
  ])
  assert.is(twice.status, 415)
  assert.match(twice.text, /Nothing was done/)
  assert.equal(await entries(), before)
})

test('a form is carried out once: pressed twice, or sent again from the page before', async () => {
  const formIn = (page: string, action: string) => {
    const [, inputs = ''] = page.split(`action="${action}"`)
    return /name="form_id" value="([^"]+)"/.exec(inputs)?.[1] ?? ''
  }
  const { text } = await visitor.get('/bank')
  const form = {
    ...{ kind: 'interest', direction: 'in', bank: 'main', amount: '1.00', valueDay: '', exception: '' },
    ...{ reason: 'monthly', form_page: '/bank', form_id: formIn(text, '/bank/record') },
  }
  assert.match(form.form_id, /^[0-9a-f-]{36}-\d+$/)
  // Only shown, or refused: it is sent again as it is.
  assert.is((await visitor.post('/bank/record', { ...form, reference: 'INT 1', dryRun: 'yes' })).status, 200)
  assert.is((await visitor.post('/bank/record', { ...form, reference: '' })).status, 400)
  const pressed = await Promise.all(
    ['INT 1', 'INT 2'].map((reference) => visitor.post('/bank/record', { ...form, reference })),
  )
  assert.equal(pressed.map(({ status }) => status).toSorted(), [303, 409])
  await visitor.get('/bank')
  const late = await visitor.post('/bank/record', { ...form, reference: 'INT 3' })
  assert.is(late.status, 409)
  assert.match(late.text, /Sent already/)
  const other = formIn((await visitor.get('/bank')).text, '/bank/record')
  assert.is.not(other, form.form_id)
  assert.is((await visitor.post('/bank/record', { ...form, form_id: other, reference: 'INT 4' })).status, 303)
})

test('an operator looks at what is due, and orders nothing', async () => {
  const operator = await visitorAs(node, 'operator')
  assert.is((await operator.get('/payments')).status, 200)
  const ordered = await operator.post('/payment/due', { order: 'yes', bank: 'main', form_page: '/payments' })
  assert.is(ordered.status, 403)
})

test('no kind of party is chosen unless somebody chooses one', async () => {
  const { text } = await visitor.get('/payments')
  assert.is(firstChoice(text, '/payment/receive', 'kind'), '')
  assert.is(firstChoice(text, '/payment/order', 'kind'), '')
})

test('a correction is shown before it is booked, and then listed with its order', async () => {
  const { id: order } = await orderIn(node, 'PAY_OUT', 'COMPLETED')
  const form = {
    ...{ party: 'Network A', kind: '', because: 'goodwill', currency: 'MXN', amount: '2.50', tax: '' },
    ...{ statement: '', line: '', order, reference: 'mail 1', reason: 'a slow till', from: '/adjustments' },
  }
  await visitor.get('/adjustments')
  const shown = await visitor.post('/adjustment/record', { ...form, dryRun: 'yes' })
  assert.match(
    shown.text,
    /What would be booked[\s\S]*fee of Network A[\s\S]*provider of Network A[\s\S]*2\.50/,
  )
  assert.match((await visitor.get('/adjustments')).text, /Nothing was corrected/)
  assert.is((await visitor.post('/adjustment/record', form)).status, 303)
  assert.match(
    (await visitor.get('/adjustments')).text,
    new RegExp(`mail 1[\\s\\S]*2\\.50[\\s\\S]*/orders/${order}`),
  )
  const again = await visitor.post('/adjustment/record', form)
  assert.is(again.status, 409)
  assert.match(again.text, /The correction mail 1 of Network A was booked already/)
})

test('a run is shown with whom it pays, how much together, and who is left out', async () => {
  const settles = { currency: 'MXN', timeZone: 'UTC', every: 'day' }
  const deposits = (amount: string) => [{ currency: 'MXN', amount, reference: 'opening' }]
  const merchants = [
    { name: 'Kiosk', settles: [{ ...settles, account: 'CLABE 1' }], deposits: deposits('70.25') },
    { name: 'Bakery', settles: [{ ...settles, account: 'CLABE 2' }], deposits: deposits('30.00') },
    { name: 'Unbanked', settles: [settles], deposits: deposits('5.00') },
  ]
  await node.apply({ merchants })
  const ask = dispatchOf(node)
  for (const { name } of merchants) await ask('statement.close', { party: name, currency: 'MXN' }, 'test')
  await closerOf({ ...node.core, clock: node.clock }).pass()
  const form = { on: '', bank: 'main', order: 'yes', form_page: '/payments' }
  await visitor.get('/payments')
  const shown = await visitor.post('/payment/due', { ...form, dryRun: 'yes' })
  assert.match(shown.text, /What would be ordered[\s\S]*Nothing was ordered/)
  assert.match(shown.text, /Together[\s\S]{0,80}100\.25 MXN/)
  // Parties are in the order of their ids, which are drawn.
  for (const paid of [/Bakery[\s\S]*CLABE 2[\s\S]*Left out/, /Kiosk[\s\S]*CLABE 1[\s\S]*Left out/])
    assert.match(shown.text, paid)
  assert.match(shown.text, /Left out[\s\S]*Unbanked/)
  const { payments } = (await ask('payment.list', {}, 'test')) as { payments: unknown[] }
  assert.equal(payments, [])
  await visitor.get('/payments')
  const ordered = await visitor.post('/payment/due', form)
  assert.match(ordered.text, /Ordered[\s\S]*The run, and its file[\s\S]*100\.25 MXN/)
})

test.run()
