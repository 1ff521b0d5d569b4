/** What a form has done is told once, to who did it: no link can say that something was done. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { addOperators, visitorAs } from '../../support/console.ts'
import { startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'

let node: TestNode

test.before(async () => {
  node = await startTestNode()
  await addOperators(node)
})

test.after(() => stopTestNode(node))

const toast = /<p class="toast[^>]*><strong>([^<]*)</

test('what was done is told on the page that follows, to this session alone, and not for long', async () => {
  const visitor = await visitorAs(node, 'administrator')
  await visitor.get('/merchants/Shop')
  const form = { name: 'Shop', kind: 'merchant', reason: 'a leaked key', form_page: '/merchants/Shop' }
  const sent = await visitor.post('/party/freeze', form)
  const location = sent.headers.get('location') ?? ''
  assert.match(location, /^\/merchants\/Shop\?done=party\.freeze\*[0-9a-z]+\*[\w-]{22}$/)
  const [, told = ''] = toast.exec((await visitor.get(location)).text) ?? []
  assert.ok(told.length > 5, told)
  const other = await visitorAs(node, 'viewer')
  assert.not.match((await other.get(location)).text, toast)
  const forged = ['/?done=party.freeze', location.replace('party.freeze', 'payment.order'), `${location}A`]
  for (const link of forged) assert.not.match((await visitor.get(link)).text, toast, link)
  node.clock.advance(61_000)
  assert.not.match((await visitor.get(location)).text, toast)
})

test.run()
