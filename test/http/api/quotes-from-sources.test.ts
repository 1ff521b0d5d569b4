/** Quotes at rates that are read from sources: the whole way, from a source's answer to the merchant's. */
import BigNumber from 'bignumber.js'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { row } from '../../../persistence/store.ts'
import { unreachableSolana } from '../../support/chains/unreachable.ts'
import { secretOf, startTestNode, stopTestNode, type TestAnswer, type TestNode } from '../../support/node.ts'
import { type RateServer, startRateServer } from '../../support/rate-sources.ts'

let node: TestNode
let server: RateServer
test.before(async () => {
  server = await startRateServer()
  node = await startTestNode({
    env: {
      ...unreachableSolana,
      VENTANILLA_LIMITS_REQUESTSPERMINUTE: '100000',
      VENTANILLA_QUOTES_VALIDITYSECONDS: '90',
    },
    parties: {
      merchants: [
        {
          name: 'Shop',
          credentials: [{ key: 'mk_shop', secret: secretOf('mk_shop') }],
          pairs: [
            { country: 'MX', currency: 'MXN', min: '10.00', max: '50000.00', cashIncrement: '0.50' },
            { country: 'CL', currency: 'CLP', min: '1', max: '1000000000' },
          ],
        },
      ],
    },
  })
})
test.after(async () => {
  await stopTestNode(node)
  await server.close()
})

const quote = (changes: Record<string, unknown> = {}): Promise<TestAnswer> =>
  node.request({
    as: 'mk_shop',
    path: '/api/v1/merchants/quotes/',
    body: {
      blockchain: 'SOLANA',
      send: '100.00',
      send_currency: 'USDC',
      target_country: 'MX',
      target_currency: 'MXN',
      ...changes,
    },
  })

const mxn = { blockchains: ['SOLANA'], send: 'USDC', country: 'MX', target: 'MXN' }
/** What `/readyz` says of rates. */
async function reason(): Promise<string | undefined> {
  const answer = await fetch(`${node.publicUrl}/readyz`)
  const { reasons } = (await answer.json()) as { reasons?: Record<string, string> }
  return reasons?.rates
}

/** A minute passes, and the source tells something else. */
async function tellNext(body: string, seconds = 60): Promise<void> {
  const asked = server.asked()
  server.tell(body)
  node.clock.advance(seconds * 1000)
  node.workers.send({ type: 'worker.wake', id: 'rates' })
  await node.until(async () => server.asked() > asked)
}

test('a rate is read as soon as it is applied, and quotes follow what its source tells', async () => {
  assert.is((await quote()).json.detail, 'USDC:MXN is not a valid pair for SOLANA blockchain')
  const source = { url: server.url, pointer: '/mxn', spreadBps: 50 }
  await node.apply({ rates: [{ ...mxn, source, feeFixed: '0.50', feeBps: 100 }] })
  await node.until(async () => (await quote()).status === 201)
  const readAt = node.clock.now()
  // 17.25 less half a percent is 17.16375; 98.50 of it are 1690.629375.
  const { json } = await quote()
  assert.equal([json.rate, json.fee, json.order_price], ['17.16375', '1.50', '1690.50'])
  assert.is(json.expires, new Date(readAt + 90_000).toISOString(), 'as the settings say')
  const result = await node.core.store.step({
    rows: { quote: row('quotes', { id: json.id }) },
    decide: (rows) => ({ answer: rows.quote, writes: [] }),
  })
  const kept = result.outcome === 'committed' ? result.answer : null
  const name = server.url.slice('http://'.length)
  assert.equal([kept?.rate_source, kept?.rate_at], [name, readAt])
  const { reading } = JSON.parse(kept?.evidence_json ?? '{}')
  assert.equal(
    reading.sources.map(({ told, rate }: { told: string; rate: string }) => [told, rate]),
    [['17.25', '17.16375']],
  )
  await tellNext('{"mxn": 17.45}')
  await node.until(async () => (await quote()).json.rate === '17.36275')
})

test('a source that says nonsense is 424 at once, and the node says so', async () => {
  await tellNext('{"mxn": null}')
  await node.until(async () => (await quote()).status === 424)
  await node.until(async () => (await reason()) !== undefined)
  assert.is(await reason(), 'There is no acceptable rate for USDC to MX MXN on SOLANA: `rate list` says why.')
  await tellNext('{"mxn": 17.25}')
  await node.until(async () => (await reason()) === undefined)
  assert.is((await quote()).status, 201)
})

test('a source that falls silent is 424 once its rate is too old', async () => {
  server.answer((response) => void response.writeHead(500).end())
  node.clock.advance(300_000)
  assert.is((await quote()).status, 201, 'at its very age')
  node.clock.advance(1)
  assert.is((await quote()).status, 424)
})

test('no quote promises more than the rate, and none less than the next step of cash', async () => {
  const clp = { ...mxn, country: 'CL', target: 'CLP' }
  const amounts = fc.tuple(fc.integer({ min: 1, max: 10 ** 11 }), fc.integer({ min: 0, max: 6 }))
  const cases = fc.record({
    send: amounts.map(([digits, shift]) => new BigNumber(digits).shiftedBy(-shift).toFixed()),
    rate: fc.integer({ min: 1, max: 10 ** 8 }).map((digits) => new BigNumber(digits).shiftedBy(-4).toFixed()),
    feeFixed: fc
      .integer({ min: 0, max: 10 ** 8 })
      .map((digits) => new BigNumber(digits).shiftedBy(-7).toFixed()),
    feeBps: fc.integer({ min: 0, max: 10_000 }),
    increment: fc.constantFrom(1, 10, 500),
  })
  await fc.assert(
    fc.asyncProperty(cases, async ({ send, rate, feeFixed, feeBps, increment }) => {
      const pairs = [
        { country: 'CL', currency: 'CLP', min: '1', max: '1000000000', cashIncrement: `${increment}` },
      ]
      await node.apply({ merchants: [{ name: 'Shop', pairs }], rates: [{ ...clp, rate, feeFixed, feeBps }] })
      const { status, json } = await quote({ send, target_country: 'CL', target_currency: 'CLP' })
      // As protocol 10.4 says it, by another way than the node goes: the fee up, the cash down.
      // The fee up, the cash down: worked out by another way than the node goes.
      const exactFee = new BigNumber(feeFixed).plus(new BigNumber(send).times(feeBps).shiftedBy(-4))
      const fee = exactFee.decimalPlaces(6, BigNumber.ROUND_CEIL)
      const worth = BigNumber.max(new BigNumber(send).minus(fee), 0).times(rate)
      const price = worth.dividedToIntegerBy(increment).times(increment)
      if (price.isZero()) return assert.equal([status, json.detail], [400, 'The amount to send is too low.'])
      if (price.gt(1_000_000_000)) return assert.is(json.errors[0].detail, 'Value is too high.')
      assert.is(status, 201, JSON.stringify(json))
      assert.is(new BigNumber(json.order_price).toFixed(), price.toFixed())
      assert.is(new BigNumber(json.fee).toFixed(), fee.toFixed())
      assert.is(new BigNumber(json.send).toFixed(), new BigNumber(send).toFixed())
    }),
    { numRuns: 60 },
  )
})

test.run()
