/** The room of settlement: what an operator finds there in the morning, and a statement from its closing to its payment. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { settlementStoppedFact } from '../../../actors/anchors/restore-watch.ts'
import {
  type ConsoleVisitor,
  type ConsoleWorld,
  startConsoleWorld,
  visitorAs,
} from '../../support/console.ts'
import { closerOf } from '../../support/statement-world.ts'

let world: ConsoleWorld
let visitor: ConsoleVisitor

test.before(async () => {
  world = await startConsoleWorld()
  await world.node.apply({ banks: [{ name: 'main', currency: 'MXN' }] })
  visitor = await visitorAs(world.node, 'administrator')
})

test.after(() => world.stop())

const statement = '/statement?kind=provider&party=Network+A&currency=MXN&number=1'
const form = { party: 'Network A', kind: '', currency: 'MXN', form_page: '/settlement' }

/** The cells of a table's rows, as text. */
function rowsOf(page: string, label: string): string[][] {
  const [, rest = ''] = page.split(`aria-label="${label}"><thead`)
  const [body = ''] = (rest.split('<tbody')[1] ?? '').split('</tbody>')
  const text = (markup: string) =>
    markup
      .replace(/<small>/g, ' ')
      .replace(/<[^>]*>/g, '')
      .trim()
  return body
    .split('<tr')
    .slice(1)
    .map((row) => [...row.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = '']) => text(cell)))
}

test('a closing is looked at first, and closes nothing', async () => {
  await visitor.get('/settlement')
  const shown = await visitor.post('/statement/close', { ...form, dryRun: 'yes' })
  assert.match(shown.text, /Statement 1 as it would be/)
  assert.match(shown.text, /1,000\.00 MXN/)
  assert.match((await visitor.get('/statements')).text, /No matching statements/)
})

test('a closed account leads to its statement, which is sealed in time', async () => {
  await visitor.get('/settlement')
  const closed = await visitor.post('/statement/close', form)
  assert.is(closed.status, 303)
  assert.is(closed.headers.get('location')?.split('*')[0], `${statement}&done=statement.close`)
  assert.match((await visitor.get(statement)).text, /It is not sealed yet/)
  const { core, clock } = world.node
  await closerOf({ ...core, clock }).pass()
  const { text } = await visitor.get(statement)
  assert.equal(rowsOf(text, 'What it adds up'), [
    ['opening', '–', '–', '–', '–', '0.00'],
    ['pay-out, settle', '1', '1,000.00', '0.00', '0.00', '–'],
    ['closing', '–', '–', '–', '–', '1,000.00'],
  ])
  const [line] = rowsOf(text, 'Lines')
  assert.equal([line?.[3], line?.[5], line?.[8]], ['pay-out, settle network 0001', '1,000.00', '1,000.00'])
  assert.match(text, /<dt>Digest<\/dt><dd><code><bdi>[0-9a-f]{64}</)
  assert.match(text, /the operator pays/)
})

test('what is due is told with its party, and is gone once it is paid', async () => {
  const before = await visitor.get('/settlement')
  assert.equal(
    rowsOf(before.text, 'Due').map((row) => row.slice(0, 3)),
    [['Network A', '1,000.00 MXN', '–']],
  )
  assert.equal(
    rowsOf(before.text, 'Open').map(([currency, side, overdue, today]) => [currency, side, overdue, today]),
    [['MXN', 'pay', '–', '1,000.00 MXN']],
  )
  world.node.clock.advance(86_400_000)
  // A session does not last so long.
  visitor = await visitorAs(world.node, 'administrator')
  const next = await visitor.get('/settlement')
  assert.match(rowsOf(next.text, 'Open')[0]?.[2] ?? '', /^1,000\.00 MXN since 2026-03-01$/)
  assert.match((await visitor.get('/statements?state=overdue')).text, /1 MXN/)
  await world.ask(
    'apply',
    {
      providers: [
        {
          name: 'Network A',
          settles: [{ currency: 'MXN', timeZone: 'UTC', every: 'day', account: 'CLABE 1' }],
        },
      ],
    },
    'test',
  )
  const order = { party: 'Network A', bank: 'main', reason: 'due' }
  const { payment } = (await world.ask('payment.order', order, 'test')) as { payment: { id: string } }
  const ordered = await visitor.get('/settlement')
  assert.match(ordered.text, /Nothing is due/)
  assert.equal(
    rowsOf(ordered.text, 'On their way').map((row) => row.slice(0, 3)),
    [['ordered', '1', '1,000.00 MXN']],
  )
  const settled = rowsOf((await visitor.get(statement)).text, 'What settled it')
  assert.equal(
    settled.map((row) => row.slice(1)),
    [[`…${payment.id.slice(-8)} payment`, '1,000.00 MXN']],
  )
  assert.match((await visitor.get('/statements?state=overdue')).text, /No matching statements/)
})

test('what closes by itself is told with its time', async () => {
  const rows = rowsOf((await visitor.get('/settlement')).text, 'Closing next')
  assert.equal(
    rows.map((row) => row.slice(1)),
    [['Network A', 'MXN', '2026-03-02', 'UTC']],
  )
})

test('a stop after a restore is said on top, and ended there', async () => {
  const at = world.node.clock.now()
  await world.node.core.store.step({
    rows: {},
    decide: () => ({
      answer: null,
      writes: [{ insert: 'facts', values: { name: settlementStoppedFact, value: String(at) } }],
    }),
  })
  const { text } = await visitor.get('/settlement')
  assert.match(text, /Settlement is stopped since a backup was restored/)
  assert.is(
    (await visitor.post('/settlement/resume', { reason: 'all is booked', form_page: '/settlement' })).status,
    303,
  )
  assert.not.match((await visitor.get('/settlement')).text, /Settlement is stopped/)
})

test('filters that say nothing sensible are told, and name nobody’s statement', async () => {
  for (const [query, status] of [
    ['?party=Nobody', 404],
    ['?from=tomorrow', 400],
    ['?currency=pesos', 400],
    ['?cursor=x', 400],
    ['?kind=anybody&state=anything', 200],
  ] as const) {
    assert.is((await visitor.get(`/statements${query}`)).status, status, query)
  }
  assert.is((await visitor.get(statement.replace('number=1', 'number=9'))).status, 404)
  assert.is((await visitor.get('/statement')).status, 400)
})

test('a viewer looks, and closes nothing', async () => {
  const viewer = await visitorAs(world.node, 'viewer')
  assert.not.match((await viewer.get('/settlement')).text, /Close the day of an account/)
  assert.is((await viewer.post('/statement/close', form)).status, 403)
})

test('a withdrawal is looked at first, and leads to its statement', async () => {
  const settles = { currency: 'MXN', timeZone: 'UTC', every: 'request', account: 'CLABE 1' }
  assert.match((await visitor.get('/settlement')).text, /Nobody can withdraw: of the merchants/)
  const others = [
    { name: 'Daily', settles: [{ ...settles, every: 'day' }] },
    { name: 'Unbanked', settles: [{ currency: 'MXN', every: 'request' }] },
  ]
  await world.node.apply({ merchants: [{ name: 'Shop', settles: [settles] }, ...others] })
  const asked = {
    merchant: 'Shop',
    currency: 'MXN',
    amount: '10.00',
    reason: 'by mail',
    form_page: '/settlement',
  }
  const offered = (await visitor.get('/settlement')).text
  assert.match(offered, /Withdraw for a merchant/)
  const [, names = ''] = /<select[^>]* name="merchant"[^>]*>(.*?)<\/select>/s.exec(offered) ?? []
  assert.match(names, /Shop/)
  assert.not.match(names, /Daily|Unbanked/)
  const shown = await visitor.post('/withdrawal/request', { ...asked, dryRun: 'yes' })
  assert.match(shown.text, /Withdrawal as it would be/)
  assert.match(shown.text, /10\.00 MXN/)
  const refused = await visitor.post('/withdrawal/request', { ...asked, amount: '100000000.00' })
  assert.match(refused.text, /Shop can withdraw [\d.]+ MXN at most/)
  const done = await visitor.post('/withdrawal/request', asked)
  assert.is(
    done.headers.get('location')?.split('*')[0],
    '/statement?kind=merchant&party=Shop&currency=MXN&number=1&done=withdrawal.request',
  )
  // The rest, on a day on which nothing comes.
  const { core, clock } = world.node
  clock.advance(86_400_000)
  visitor = await visitorAs(world.node, 'administrator')
  await visitor.get('/settlement')
  assert.is((await visitor.post('/withdrawal/request', asked)).status, 303)
  await closerOf({ ...core, clock }).pass()
  const { text } = await visitor.get('/statement?kind=merchant&party=Shop&currency=MXN&number=2')
  assert.match(text, /It has no lines: nothing came since the one before/)
  assert.not.match(text, /not stored yet/)
})

test.run()
