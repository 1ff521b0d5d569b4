/** A rate in doubt, seen by the merchant, and accepted by an operator in the console and by command. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { unreachableSolana } from '../../support/chains/unreachable.ts'
import { addOperators, type ConsoleVisitor, onSqlite, visitorAs } from '../../support/console.ts'
import { secretOf, startTestNode, stopTestNode, type TestAnswer, type TestNode } from '../../support/node.ts'
import { type RateServer, startRateServer } from '../../support/rate-sources.ts'
import { type Ran, ventanilla } from '../../support/terminal.ts'

let node: TestNode
let server: RateServer
let administrator: ConsoleVisitor
let viewer: ConsoleVisitor
const own = onSqlite()

const key = ['SOLANA', 'USDC', 'MX', 'MXN']
const page = `/rates/${key.join('/')}`

test.before(async () => {
  server = await startRateServer()
  node = await startTestNode({
    ...own,
    env: { ...own.env, ...unreachableSolana },
    parties: {
      merchants: [
        {
          name: 'Shop',
          credentials: [{ key: 'mk_shop', secret: secretOf('mk_shop') }],
          pairs: [{ country: 'MX', currency: 'MXN', min: '10.00', max: '50000.00' }],
        },
      ],
    },
  })
  await addOperators(node)
  administrator = await visitorAs(node, 'administrator')
  viewer = await visitorAs(node, 'viewer')
})
test.after(async () => {
  await stopTestNode(node)
  await server.close()
})

let asked = 0
const quote = (): Promise<TestAnswer> =>
  node.request({
    as: 'mk_shop',
    path: '/api/v1/merchants/quotes/',
    body: {
      blockchain: 'SOLANA',
      send: '10.00',
      send_currency: 'USDC',
      target_country: 'MX',
      target_currency: 'MXN',
    },
    at: ++asked / 1000,
  })

const run = (...args: string[]): Promise<Ran> =>
  ventanilla({ cwd: node.directory, env: own.env ?? {}, clock: node.clock }, 'rate', ...args)

/** A minute passes, and the source tells something else. */
async function tellNext(rate: string): Promise<void> {
  const before = server.asked()
  server.tell(`{"mxn": ${rate}}`)
  node.clock.advance(60_000)
  node.workers.send({ type: 'worker.wake', id: 'rates' })
  await node.until(async () => server.asked() > before)
}

const isInDoubt = async () => (await quote()).status === 424
const isQuotedAt = (rate: string) => async () => (await quote()).json.rate === rate

test('a rate in doubt is 424 for the merchant, and the console’s form accepts the one it shows', async () => {
  const source = { url: server.url, pointer: '/mxn', timeoutSeconds: 60 }
  await node.apply({
    rates: [{ blockchains: ['SOLANA'], send: 'USDC', country: 'MX', target: 'MXN', source }],
  })
  await node.until(isQuotedAt('17.25'))
  assert.not.match((await administrator.get(page)).text, /rates\/accept/)
  await tellNext('170.775')
  await node.until(isInDoubt)
  const { status, text: told } = await quote()
  assert.is(status, 424)
  assert.not.match(told, /170|17\.25|127\.0\.0\.1/)

  const shown = (await administrator.get(page)).text
  assert.match(shown, /action="\/rate\/accept"/)
  assert.match(shown, /name="rate" value="170\.775"/)
  assert.match(shown, /moved it from 17\.25 to 170\.775/)
  const { text } = await viewer.get(page)
  assert.match(text, /170\.775/)
  assert.not.match(text, /rates\/accept/)

  const [blockchain, send, country, target] = key
  const form = { blockchain, send, country, target, form_page: page } as Record<string, string>
  assert.is((await viewer.post('/rate/accept', { ...form, rate: '170.775', reason: 'r' })).status, 403)
  await tellNext('171')
  await node.until(async () => (await administrator.get(page)).text.includes('value="171"'))
  const stale = await administrator.post('/rate/accept', { ...form, rate: '170.775', reason: 'r' })
  assert.match(stale.text, /The rate in doubt is 171, not 170\.775/)
  const silent = await administrator.post('/rate/accept', { ...form, rate: '171', reason: ' ' })
  assert.match(silent.text, /reason: is empty/)
  assert.ok(await isInDoubt())
  const sent = await administrator.post('/rate/accept', { ...form, rate: '171', reason: 'The peso fell' })
  assert.equal([sent.status, sent.headers.get('location')?.split('*')[0]], [303, `${page}?done=rate.accept`])
  assert.is((await quote()).json.rate, '171.00')
  assert.not.match((await administrator.get(page)).text, /rates\/accept/)
  assert.match((await administrator.get('/audit')).text, /The peso fell/)
})

test('the command accepts the rate in doubt, and no other', async () => {
  await tellNext('17.25')
  await node.until(isInDoubt)
  assert.match((await run('show', ...key)).out, /^In doubt +17\.25, since /m)
  const other = await run('accept', ...key, '--rate', '17.26', '--reason', 'r')
  assert.equal([other.code, other.out], [1, ''])
  assert.match(other.err, /The rate in doubt is 17\.25, not 17\.26/)
  assert.ok(await isInDoubt())
  const accepted = await run('accept', ...key, '--rate', '17.25', '--reason', 'The source is right again')
  assert.equal([accepted.code, accepted.out, accepted.err], [0, '17.25 is accepted, after 171.\n', ''])
  assert.is((await quote()).json.rate, '17.25')
  const again = await run('accept', ...key, '--rate', '17.25', '--reason', 'r')
  assert.is(again.code, 1)
  assert.match(again.err, /is not in doubt/)
  assert.match((await administrator.get('/audit')).text, /The source is right again/)
})

test.run()
