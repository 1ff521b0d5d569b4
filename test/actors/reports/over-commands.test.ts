/** A provider's report, by the command and in the console. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { formatInstant } from '../../../machines/time.ts'
import { quarantineOpenOrders } from '../../../persistence/queries/quarantine.ts'
import { addOperators, visitorAs } from '../../support/console.ts'
import { payOutBody, startTestNode, type TestNode } from '../../support/node.ts'
import { ventanilla } from '../../support/terminal.ts'

let node: TestNode
const ids: string[] = []
const status = async (id: string) => (await node.core.orders.find(id))?.order.status

test.before(async () => {
  node = await startTestNode()
  await addOperators(node)
  for (let at = 0; at < 3; at++) {
    const path = '/api/v1/merchants/orders/pay-out/'
    ids.push((await node.request({ as: 'mk_shop', path, body: payOutBody(), at })).json.id)
  }
  for (const id of ids) await node.until(async () => (await status(id)) === 'READY')
  await node.core.store.execute(quarantineOpenOrders, { at: node.clock.now() })
  node.clock.advance(60_000)
})
test.after(async () => {
  await node.stop()
  rmSync(node.directory, { recursive: true, force: true })
})

const world = () => ({
  cwd: node.directory,
  env: { VENTANILLA_DATABASE: `sqlite:${join(node.directory, 'node.db')}` },
  clock: node.clock,
})
const command = (...args: string[]) => ventanilla(world(), 'order', 'report', ...args)
const { price } = payOutBody()
const text = (id: string | undefined, network: string) =>
  `order,outcome,amount,paid_at,reference,network\n${id},paid,${price},${formatInstant(node.clock.now() - 1000)},r-1,${network}\n`

test('the command says what a report would do, does it, and lists what it does not speak of', async () => {
  const [first = '', second = ''] = ids
  writeFileSync(join(node.directory, 'report.csv'), text(first, 'a_shops'))
  const dry = await command('report.csv', '--provider', 'Network A', '--dry-run')
  assert.match(dry.out, /^It would be: 1 paid\.\n/)
  assert.is(await status(first), 'READY')
  const done = await command('report.csv', '--provider', 'Network A')
  assert.match(done.out, /^Booked: 1 paid\.\n\nNetwork A does not mention these, which stay quarantined:\n/)
  assert.ok(done.out.includes(second))
  assert.is(await status(first), 'COMPLETED')
})

test('a report that is not right is refused with its lines, and one that is not UTF-8 before it is sent', async () => {
  writeFileSync(join(node.directory, 'wrong.csv'), text('nobody', 'a_shops'))
  const wrong = await command('wrong.csv', '--provider', 'Network A')
  assert.is(wrong.code, 1)
  assert.match(
    wrong.err,
    /Nothing of the report is booked: One line is not right[\s\S]*line 2: there is no order nobody/,
  )
  writeFileSync(join(node.directory, 'latin.csv'), Buffer.from([0x6f, 0xe9]))
  const latin = await command('latin.csv', '--provider', 'Network A')
  assert.equal([latin.code, /is not UTF-8: byte 0x/.test(latin.err)], [2, true])
})

test('the console books a report that is pasted, larger than other forms may be', async () => {
  const visitor = await visitorAs(node, 'operator')
  assert.match((await visitor.get('/quarantined')).text, /Book a provider’s report/)
  const pasted = `${text(ids[1], '0002')}${'\n'.repeat(70_000)}`
  const { status: answered, text: page } = await visitor.post('/order/report', {
    provider: 'Network B',
    text: pasted,
  })
  assert.is(answered, 200)
  assert.match(page, /The report is booked/)
  assert.match(page, /1 paid\./)
  assert.is(await status(ids[1] ?? ''), 'COMPLETED')
  const viewer = await visitorAs(node, 'viewer')
  assert.not.match((await viewer.get('/quarantined')).text, /Book a provider’s report/)
})

test.run()
