/** What takes two people, in the console: asked for by a form, counted for the other one, shown with what it would do, and approved. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { addOperator, type ConsoleWorld, startConsoleWorld, visitorAs } from '../../support/console.ts'

let world: ConsoleWorld
test.before(async () => {
  world = await startConsoleWorld()
  await addOperator(world.node, 'luis', 'administrator')
  await addOperator(world.node, 'nina', 'administrator')
  await world.node.core.store.step({
    rows: {},
    decide: () => ({
      answer: null,
      writes: [{ update: 'people', key: { name: 'nina' }, set: { let_in_by: 'person:administrator' } }],
    }),
  })
})
test.after(() => world.stop())

const deposit = {
  merchant: 'Shop',
  reference: 'SPEI 77',
  amount: '5000.00',
  currency: 'MXN',
  reason: 'seen at the bank',
  form_page: '/parties/merchants/Shop',
}

test('a form above the threshold becomes an approval, which somebody else approves on its page', async () => {
  const ana = await visitorAs(world.node, 'administrator')
  await ana.get('/approvals')
  const threshold = {
    currency: 'MXN',
    amount: '1000.00',
    operation: '',
    reason: 'agreed',
    form_page: '/approvals',
  }
  const set = await ana.post('/approval/set-threshold', threshold)
  assert.is(set.status, 303, set.text)
  assert.match((await ana.get('/approvals')).text, /1,?000\.00/)
  const asked = await ana.post('/deposit/add', deposit)
  assert.is(asked.status, 202)
  assert.match(asked.text, /Waiting for approval/)
  assert.match(asked.text, /href="\/approvals\/1"/)
  const own = (await ana.get('/approvals/1')).text
  assert.match(own, /somebody else approves or refuses it/)
  assert.not.match(own, /action="\/approval\/approve"/)
  assert.match(own, /action="\/approval\/withdraw"/)
  assert.not.match((await ana.get('/')).text, /Approvals <span class="count">/)
  // Whoever sends the form all the same is told so.
  const cheat = await ana.post('/approval/approve', { number: '1', form_page: '/approvals/1' })
  assert.is(cheat.status, 403)

  const luis = await visitorAs(world.node, 'luis')
  assert.match((await luis.get('/')).text, /Approvals <span class="count">1<\/span>/)
  const page = (await luis.get('/approvals/1')).text
  assert.match(page, /What it would post/)
  assert.match(page, /5,?000\.00/)
  const viewer = await visitorAs(world.node, 'viewer')
  assert.is((await viewer.get('/approvals/1')).status, 403)
  // Whoever may not approve it reads why, in the place of the button, and may refuse it all the same.
  const hindered = [
    ['nina', /one of you has let the other in, and you count as one person/],
    ['operator', /Approval 1 is for administrators who are signed in/],
  ] as const
  for (const [name, why] of hindered) {
    const hers = (await (await visitorAs(world.node, name)).get('/approvals/1')).text
    assert.match(hers, why)
    assert.not.match(hers, /action="\/approval\/approve"/)
    assert.match(hers, /action="\/approval\/refuse"/)
  }
  assert.match(page, /action="\/approval\/approve"/)
  assert.not.match(page, /You cannot approve it/)
  const operator = await visitorAs(world.node, 'operator')
  await operator.get('/approvals/1')
  const notTheirs = await operator.post('/approval/approve', { number: '1', form_page: '/approvals/1' })
  assert.match(notTheirs.text, /is for administrators/)

  const done = await luis.post('/approval/approve', { number: '1', revision: '1', form_page: '/approvals/1' })
  assert.is(done.status, 303, done.text)
  assert.match((await luis.get('/approvals/1')).text, /carried out/)
  assert.match((await luis.get('/audit')).text, /approved by luis/)
  assert.match((await luis.get('/approvals')).text, /Nothing waits for a second person/)
})

test.run()
