/** `/metrics` as Prometheus reads it, and the rules and the dashboard that are made for it. */
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { payOutBody, startTestNode, type TestNode } from '../../support/node.ts'

const folder = join(import.meta.dirname, '../../../docs/monitoring')
let node: TestNode
let text = ''

const path = '/api/v1/merchants/orders/pay-out/'
const metrics = async () => (await fetch(`${node.operatorUrl}/metrics`)).text()
const value = (series: string) =>
  Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.split(' ')
      .at(-1),
  )

test.before(async () => {
  node = await startTestNode()
  for (let index = 0; index < 3; index++) {
    assert.is((await node.request({ as: 'mk_shop', path, body: payOutBody(), at: index })).status, 201)
  }
  await node.until(async () =>
    (await metrics()).includes('ventanilla_orders{status="READY",direction="PAY_OUT"} 3'),
  )
  await fetch(`${node.publicUrl}/api/v1/merchants/orders/pay-out/secret-of-somebody/`)
  text = await metrics()
})
test.after(async () => {
  await node.stop()
  rmSync(node.directory, { recursive: true, force: true })
})

test('requests are counted by the pattern of their route and by status', () => {
  assert.is(value('ventanilla_http_requests_total{route="POST /merchants/orders/pay-out/",status="201"}'), 3)
  assert.ok(value('ventanilla_http_request_duration_seconds_count') >= 4)
  assert.ok(value('ventanilla_http_request_duration_seconds_bucket{le="+Inf"}') >= 4)
  assert.not.match(text, /secret-of-somebody/)
})

test('commits, queues, money, disk and the event loop are told', () => {
  assert.ok(value('ventanilla_commits_total') > 0)
  assert.ok(value('ventanilla_steps_total') >= value('ventanilla_commits_total'))
  assert.is(value('ventanilla_ledger_imbalance{currency="MXN"}'), 0)
  const reserved = 3 * Number(payOutBody().price)
  assert.is(value('ventanilla_ledger_balance{kind="reserved",currency="MXN"}'), reserved)
  assert.is(value('ventanilla_ledger_balance{kind="available",currency="MXN"}'), 100_000 - reserved)
  assert.is(value('ventanilla_exceptions_open'), 0)
  assert.is(value('ventanilla_lock_oldest_seconds'), 0)
  assert.ok(value('ventanilla_database_bytes{part="database"}') > 0)
  assert.ok(value('ventanilla_disk_free_bytes') > 0)
  assert.ok(value('nodejs_eventloop_lag_p99_seconds') >= 0)
})

test('steps of orders are timed until their commit, by event and outcome', async () => {
  const created = '{event="order.create",outcome="created"}'
  assert.is(value(`ventanilla_order_step_duration_seconds_count${created}`), 3)
  assert.ok(value(`ventanilla_order_step_duration_seconds_sum${created}`) > 0)
  // What its merchant's balance holds is funded with its creation: this one waits.
  const { json } = await node.request({ as: 'mk_other', path, body: payOutBody() })
  const deposits = [{ currency: 'MXN', amount: payOutBody().price, reference: 'a' }]
  const credentials = [{ key: 'mk_other' }]
  await node.apply({
    merchants: [{ name: 'Other Shop', contact: 'ops@other.example', credentials, deposits }],
  })
  await node.until(async () => (await node.core.orders.find(json.id))?.order.status === 'READY')
  text = await metrics()
  const funded = '{event="funds.reserve",outcome="funded"}'
  assert.is(value(`ventanilla_order_step_duration_seconds_count${funded}`), 1)
})

test('an event that an order refuses has another outcome than one it accepts', async () => {
  const { json } = await node.request({ as: 'mk_shop', path, body: payOutBody(), at: 9 })
  await node.until(async () => (await node.core.orders.find(json.id))?.order.status === 'READY')
  const code = (await node.core.orders.find(json.id))?.order.code
  const start = (as: string, networkId: string) => {
    const target = `/api/v1/providers/orders/pay-out/${code}/start-payment/`
    return node.request({ as, path: target, body: { network_id: networkId } })
  }
  assert.is((await start('pk_a', '0001')).status, 200)
  assert.is((await start('pk_b', '0002')).status, 409)
  text = await metrics()
  for (const outcome of ['accepted', 'refused']) {
    const labels = `{event="payment.start",outcome="${outcome}"}`
    assert.is(value(`ventanilla_order_step_duration_seconds_count${labels}`), 1, outcome)
  }
})

test('what degrades the node is told while it does', async () => {
  node.core.condition.send({ type: 'degrade', part: 'disk', reason: 'test' })
  text = await metrics()
  assert.is(value('ventanilla_degraded{part="disk"}'), 1)
  node.core.condition.send({ type: 'recover', part: 'disk' })
  assert.not.match(await metrics(), /ventanilla_degraded\{/)
})

test('only GET, and not for pages of strangers', async () => {
  assert.is((await fetch(`${node.operatorUrl}/metrics`, { method: 'POST' })).status, 405)
  const strange = await fetch(`${node.operatorUrl}/metrics`, { headers: { Origin: 'https://evil.example' } })
  assert.is(strange.status, 403)
})

/** Names of our series that a text of PromQL speaks of, without what Prometheus adds to a histogram's. */
function named(expression: string): string[] {
  return [...expression.matchAll(/\b(?:ventanilla|nodejs|process)_\w+/g)].map(([name]) => name)
}

test('rules and dashboard speak only of what there is', () => {
  const told = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name))
  const rules = readFileSync(join(folder, 'alerts.yml'), 'utf8')
  const dashboard: { panels: { title: string; targets: { expr: string }[] }[] } = JSON.parse(
    readFileSync(join(folder, 'grafana.json'), 'utf8'),
  )
  const expressions = [...rules.matchAll(/^ +expr: (.+)$/gm)].map(([, expression]) => expression ?? '')
  assert.ok(expressions.length > 10)
  expressions.push(...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)))
  for (const name of expressions.flatMap(named)) {
    assert.ok(told.has(name.replace(/_(bucket|sum|count)$/, '')) || told.has(name), `${name} is not told`)
  }
})

if (spawnSync('promtool', ['--version']).status === 0) {
  test('Prometheus takes the metrics and the rules, and the rules do what they say', () => {
    const checked = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' })
    assert.is(checked.status === 0 || !/error/i.test(checked.stderr), true, checked.stderr)
    for (const args of [
      ['check', 'rules', 'alerts.yml'],
      ['test', 'rules', 'alerts.test.yml'],
    ]) {
      const run = spawnSync('promtool', args, { cwd: folder, encoding: 'utf8' })
      assert.is(run.status, 0, run.stdout + run.stderr)
    }
  })
} else console.log('SKIP promtool is not installed (Debian: prometheus)')

test.run()
