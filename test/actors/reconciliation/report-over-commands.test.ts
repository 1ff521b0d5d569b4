/** A provider's report, by the command and in the console. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { formatInstant } from '../../../machines/time.ts'
import { quarantineOpenOrders } from '../../../persistence/queries/quarantine.ts'
import { addOperators, onSqlite, visitorAs } from '../../support/console.ts'
import { payOutBody, startTestNode, type TestNode } from '../../support/node.ts'
import { ventanilla } from '../../support/terminal.ts'

let node: TestNode
const ids: string[] = []
const status = async (id: string) => (await node.core.orders.find(id))?.order.status

test.before(async () => {
  node = await startTestNode(onSqlite())
  await addOperators(node)
  await node.apply({
    providers: [{ name: 'Network A', networks: [{ id: '0001', currency: 'MXN' }, 'a_shops'] }],
  })
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
const day = () => formatInstant(node.clock.now()).slice(0, 10)
const command = (file: string, ...args: string[]) =>
  ventanilla(world(), 'order', 'report', file, '--provider', 'Network A', '--day', day(), ...args)
const { price } = payOutBody()
const text = (id: string | undefined) =>
  `order,outcome,amount,paid_at,reference\n${id},paid,${price},${formatInstant(node.clock.now() - 1000)},r-1\n`

test('the command says what a report would do, does it, and what is left is listed with whom it waits for', async () => {
  const [first = '', second = ''] = ids
  writeFileSync(join(node.directory, 'report.csv'), text(first))
  const network = ['--network', '0001']
  const dry = await command('report.csv', ...network, '--dry-run')
  assert.match(dry.out, /quarantined +1 are booked|quarantined +1 is booked/)
  assert.match(dry.out, /only looked at/)
  assert.is(await status(first), 'READY')
  const done = await command('report.csv', ...network)
  assert.match(done.out, /state +applied/)
  assert.is(await status(first), 'COMPLETED')
  const left = await ventanilla(world(), 'order', 'quarantined')
  assert.ok(left.out.includes(second) && !left.out.includes(first))
  assert.match(left.out, /Network A, Network B/)
})

test('a report without its day is asked for it, and a line that cannot be booked is told', async () => {
  const without = await ventanilla(world(), 'order', 'report', 'report.csv', '--provider', 'Network A')
  assert.equal([without.code, /--day D of a network’s report\./.test(without.err)], [2, true])
  writeFileSync(join(node.directory, 'wrong.csv'), text(ids[1]).replace(String(price), '999.00'))
  const wrong = await command('wrong.csv', '--network', '0001', '--dry-run')
  assert.match(wrong.out, /It is quarantined, and its price is 1000.00 MXN\./)
})

test('the console’s page of quarantined orders sends a report where reports are looked at', async () => {
  const visitor = await visitorAs(node, 'operator')
  const { text: page } = await visitor.get('/quarantined')
  assert.match(page, /action="\/reconciliation\/read"/)
  assert.match(page, /Network A, Network B/)
  const viewer = await visitorAs(node, 'viewer')
  assert.not.match((await viewer.get('/quarantined')).text, /action="\/reconciliation\/read"/)
})

test.run()
