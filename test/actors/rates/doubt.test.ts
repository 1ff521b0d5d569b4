/** A source that jumps is doubted until a second one agrees or an operator accepts. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { findAlarms } from '../../../actors/condition/alarms.ts'
import { OperationError } from '../../../actors/foundation/operation.ts'
import { rateAccept } from '../../../actors/rates/accept-operation.ts'
import { acceptRate } from '../../../actors/rates/acceptance.ts'
import { operatorOf } from '../../support/operations.ts'
import { inOrderWorld, type OrderWorld } from '../../support/order-world.ts'
import { type RateServer, type RateWorld, rateWorld, startRateServer } from '../../support/rate-sources.ts'

const inWorld = inOrderWorld(test)
const key = { blockchain: 'SOLANA', send: 'USDC', country: 'MX', target: 'MXN' }

interface Scene extends RateWorld {
  world: OrderWorld
  server: RateServer
  second: RateServer
  source: Record<string, unknown>
  sources: Record<string, unknown>[]
  /** What the first source tells a minute later, and whether quotes are made then. */
  tell(rate: string): Promise<boolean>
}

function play(name: string, act: (scene: Scene) => Promise<void>): void {
  inWorld(name, async (world) => {
    const [server, second] = [await startRateServer(), await startRateServer()]
    const rates = rateWorld(world)
    const source = { url: server.url, pointer: '/mxn', timeoutSeconds: 60 }
    const sources = [source, { ...source, url: second.url }]
    const tell = async (rate: string) => {
      server.tell(`{"mxn": ${rate}}`)
      world.clock.advance(60_000)
      await rates.refresh.pass()
      return acceptRate(await rates.row(), world.clock.now()).ok
    }
    try {
      await act({ ...rates, world, server, second, source, sources, tell })
    } finally {
      await server.close()
      await second.close()
    }
  })
}

play('a single source that jumps is doubted, with an alarm, until an operator accepts', async (scene) => {
  const { apply, tell, world, row, show, reasons } = scene
  await apply({ source: scene.source })
  assert.is(await tell('17.25'), true)
  assert.is(await tell('170.775'), false)
  const since = world.clock.now()
  assert.match(
    (await row()).problem ?? '',
    /^170\.775 is 890 % away from 17\.25, the last one accepted; 15 % are allowed \(127\..*\); if it is right: rate accept SOLANA USDC MX MXN --rate 170\.775$/,
  )
  assert.match(JSON.stringify(reasons()), /There is no acceptable rate/)
  const { alarms } = await findAlarms(world)
  assert.equal(
    alarms.map(({ kind, since: at }) => [kind, at]),
    [['rate_in_doubt', new Date(since).toISOString()]],
  )
  assert.is(await tell('171'), false)
  assert.equal((await show()).doubt, { rate: '171', since: new Date(since).toISOString() })

  const { ask } = operatorOf(world)
  const other = await ask(rateAccept, { ...key, rate: '170.775', reason: 'r' }).catch((error) => error)
  assert.instance(other, OperationError)
  assert.match(other.message, /The rate in doubt is 171, not 170\.775/)
  const accepted = await ask(rateAccept, { ...key, rate: '171.00', reason: 'the peso fell' })
  assert.equal([accepted.rate, accepted.before], ['171', '17.25'])
  assert.is(acceptRate(await row(), world.clock.now()).ok, true)
  assert.is(await tell('172'), true)
  assert.equal((await findAlarms(world)).alarms, [])
  const again = await ask(rateAccept, { ...key, rate: '172', reason: 'r' }).catch((error) => error)
  assert.match(again.message, /is not in doubt/)
})

play('a second source that agrees ends the doubt, and one that does not leaves no rate', async (scene) => {
  const { apply, tell, second, row } = scene
  await apply({ sources: scene.sources })
  assert.is(await tell('17.25'), true)
  assert.is(await tell('22'), false)
  second.tell('{"mxn": 22.2}')
  assert.is(await tell('22'), true)
  assert.equal([(await row()).rate, (await row()).doubt_json], ['22.1', null])
})

play('one of two that is left alone is held against the last rate', async (scene) => {
  const { apply, tell, second, row } = scene
  await apply({ sources: scene.sources })
  assert.is(await tell('17.25'), true)
  second.answer((response) => void response.writeHead(500).end())
  assert.is(await tell('17.5'), true)
  assert.is(await tell('22'), false)
  assert.is((await row()).rate, '17.5')
})

play('two places in one host are one source', async (scene) => {
  const { apply, tell, source, server } = scene
  server.tell('{"mxn": 17.25}')
  await apply({ sources: [source, { ...source, url: `${server.url}?again` }] })
  assert.is(await tell('17.25'), true)
  assert.is(await tell('22'), false)
})

play(
  'a doubt outlives a restart, and the first value after days is held against the last one',
  async (scene) => {
    const { apply, tell, world, server, row } = scene
    await apply({ source: scene.source })
    assert.is(await tell('17.25'), true)
    assert.is(await tell('22'), false)
    const before = (await row()).doubt_json
    const next = rateWorld(world)
    assert.is((await row()).doubt_json, before)
    assert.is(acceptRate(await row(), world.clock.now()).ok, false)
    await next.refresh.pass()
    assert.is(acceptRate(await row(), world.clock.now()).ok, false)
    world.clock.advance(5 * 86_400_000)
    server.tell('{"mxn": 21}')
    await next.refresh.pass()
    assert.match((await row()).problem ?? '', /^21 is 21\.8 % away from 17\.25/)
  },
)

play('a source that comes back to the last rate is used again', async ({ apply, tell, source, row }) => {
  await apply({ source })
  assert.is(await tell('17.25'), true)
  assert.is(await tell('170'), false)
  assert.is(await tell('17.30'), true)
  assert.is((await row()).doubt_json, null)
})

play(
  'a source that creeps gets no further in an hour than in one leap',
  async ({ apply, tell, source, row, world }) => {
    await apply({ source })
    assert.is(await tell('17.25'), true)
    assert.is(await tell('19.60'), true)
    assert.is(await tell('22.30'), false)
    assert.match((await row()).problem ?? '', /away from 17\.25, accepted less than an hour before/)
    world.clock.advance(3_600_000)
    assert.is(await tell('22.30'), true)
  },
)

play('each rate has its own measure, and what is expected is held against the first value', async (scene) => {
  const { apply, tell, source, show, row } = scene
  await apply({ source, maxJumpPercent: 40 })
  assert.is(await tell('17.25'), true)
  assert.is(await tell('24'), true)
  assert.is((await show()).maxJumpPercent, 40)
  await apply({ source, maxJumpPercent: 2 })
  assert.is((await row()).rate, '24', 'another measure is no other source')
  assert.is(await tell('24.6'), false)
  await apply({ source, rate: '30', maxJumpPercent: null })
  assert.is(await tell('24.6'), false)
  assert.match((await row()).problem ?? '', /^24\.6 is 18 % away from 30/)
})

test.run()
