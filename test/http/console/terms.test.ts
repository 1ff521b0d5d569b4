/** The pages of terms and calendars: what is in force, and forms that change what is to come (protocol 15.2). */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { addOperators, type ConsoleVisitor, visitorAs } from '../../support/console.ts'
import { startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'

const shopTerms = '/terms?kind=merchant&party=Shop'
const tillTerms = '/terms?kind=provider&party=Network+A'
let node: TestNode
let visitor: ConsoleVisitor

test.before(async () => {
  node = await startTestNode()
  await addOperators(node)
  visitor = await visitorAs(node, 'administrator')
})

test.after(() => stopTestNode(node))

test('closed days are imported, told before they are', async () => {
  const days = { name: 'mx-banks', text: 'date,note\n2026-12-25,Navidad\n' }
  const told = await visitor.post('/calendar/import', { ...days, dryRun: 'yes' })
  assert.match(told.text, /What the import would do/)
  assert.match((await visitor.get('/calendars')).text, /There is no calendar yet/)
  assert.match((await visitor.post('/calendar/import', days)).text, /The days are imported/)
  assert.match((await visitor.get('/calendars')).text, /Navidad/)
  const wrong = await visitor.post('/calendar/import', { ...days, text: 'date\n2026-02-30\n' })
  assert.match(wrong.text, /line 2: “2026-02-30” is no date/)
})

test('viewers look, and have no form', async () => {
  const viewer = await visitorAs(node, 'viewer')
  for (const path of [`${shopTerms}&form=fee`, `${tillTerms}&form=exposure`, '/calendars?form=bank'])
    assert.not.match((await viewer.get(path)).text, /<form[^>]*action="\/(apply|calendar)|<dialog/)
})

test.run()
