/** The forms of payments: what a browser sends of an untouched form moves money the usual way, and a preview moves none. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { addOperators, type ConsoleVisitor, dispatchOf, visitorAs } from '../../support/console.ts'
import { startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'

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

test('no kind of party is chosen unless somebody chooses one', async () => {
  const { text } = await visitor.get('/payments')
  assert.is(firstChoice(text, '/payment/receive', 'kind'), '')
  assert.is(firstChoice(text, '/payment/order', 'kind'), '')
})

test.run()
