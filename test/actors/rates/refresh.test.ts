/** Rates from sources: real servers that misbehave, and a clock that stands still. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { inOrderWorld } from '../../support/order-world.ts'
import { anyTarget, rateWorld, startRateServer } from '../../support/rate-sources.ts'
import { degraded, isAcceptable, type Scene } from './scene.ts'

const inWorld = inOrderWorld(test)

/** A scene with one server, and a rate that is read from it every minute. */
function play(name: string, act: (scene: Scene) => Promise<void>): void {
  inWorld(name, async (world) => {
    const server = await startRateServer()
    try {
      const source = { url: server.url, pointer: '/mxn', timeoutSeconds: 60 }
      await act({ ...rateWorld(world), world, server, source })
    } finally {
      await server.close()
    }
  })
}

play('what a source tells is the rate, with its time and what it was made of', async (scene) => {
  const { apply, refresh, row, source, world, server, reasons } = scene
  await apply({ source: { ...source, spreadBps: 100 } })
  assert.is(await isAcceptable(scene), false)
  const { nextAt } = await refresh.pass()
  const now = world.clock.now()
  const { rate, updated_at, problem, reading_json } = await row()
  assert.equal([rate, updated_at, problem], ['17.0775', now, null])
  assert.equal(JSON.parse(reading_json ?? ''), {
    sources: [
      {
        source: server.url.slice('http://'.length),
        told: '17.25',
        inverse: false,
        spreadBps: 100,
        rate: '17.0775',
        at: new Date(now).toISOString(),
        used: true,
      },
    ],
    missing: [],
  })
  assert.is(nextAt, now + 60_000)
  assert.equal(reasons(), {})
})

play('a source is asked again when it is due, and not before', async (scene) => {
  const { apply, refresh, row, source, world, server } = scene
  await apply({ source })
  await refresh.pass()
  await refresh.pass()
  world.clock.advance(59_999)
  await refresh.pass()
  assert.is(server.asked(), 1)
  world.clock.advance(1)
  server.tell('{"mxn": 17.30}')
  await refresh.pass()
  assert.is(server.asked(), 2)
  assert.equal([(await row()).rate, (await row()).updated_at], ['17.3', world.clock.now()])
})

play('ten times the last rate is refused, either way, until an operator expects it', async (scene) => {
  const { apply, refresh, row, source, world, server, logged } = scene
  await apply({ source })
  await refresh.pass()
  for (const told of ['172.5', '17250', '1.725', '0.01']) {
    server.tell(`{"mxn": ${told}}`)
    world.clock.advance(300_000)
    await refresh.pass()
    const { rate, problem } = await row()
    assert.is(rate, '17.25')
    assert.match(problem ?? '', new RegExp(`^${told} is 10 times away from 17.25, or further`))
    assert.is(await isAcceptable(scene), false)
  }
  assert.is(logged.length, 1, 'said once for as long as it lasts')
  server.tell('{"mxn": 1.725}')
  await apply({ source, rate: '1.70' })
  await refresh.pass()
  world.clock.advance(60_000)
  await refresh.pass()
  assert.is((await row()).rate, '1.725')
  assert.is(await isAcceptable(scene), true)
})

play('what is expected stands in for the last rate, and is none itself', async (scene) => {
  const { apply, refresh, row, source, server } = scene
  server.tell('{"mxn": 172.5}')
  await apply({ source, rate: '17.25' })
  assert.equal([(await row()).rate, await isAcceptable(scene)], [null, false])
  await refresh.pass()
  assert.match((await row()).problem ?? '', /^172\.5 is 10 times away from 17\.25/)
})

play('a source that fails is asked sooner, then ever later, and when it says so', async (scene) => {
  const { apply, refresh, source, world, server, states } = scene
  await apply({ source })
  server.answer((response) => void response.writeHead(503).end())
  const pauses: number[] = []
  for (let round = 0; round < 9; round++) {
    await refresh.pass()
    const pause = (states()[0]?.dueAt ?? 0) - world.clock.now()
    pauses.push(pause / 1000)
    world.clock.advance(pause)
  }
  assert.equal(pauses, [5, 10, 20, 40, 80, 160, 300, 300, 300])
  server.answer((response) => void response.writeHead(429, { 'retry-after': '900' }).end())
  await refresh.pass()
  assert.is((states()[0]?.dueAt ?? 0) - world.clock.now(), 900_000)
  assert.is(server.asked(), 10)
})

play('of several sources the median counts, and one that is far off is left out', async (scene) => {
  const { apply, refresh, row, source, world, server, show } = scene
  const others = await Promise.all(['{"mxn": 17.35}', '{"mxn": 19.99}'].map((body) => startRateServer(body)))
  try {
    const sources = [source, ...others.map(({ url }) => ({ ...source, url }))]
    await apply({ sources })
    await refresh.pass()
    assert.is((await row()).rate, '17.3')
    const { madeOf } = await show()
    const { sources: made } = madeOf as { sources: { used: boolean }[] }
    assert.equal(
      made.map(({ used }) => used),
      [true, true, false],
    )
    // One of three has nothing to say: two are enough.
    server.answer((response) => void response.writeHead(500).end())
    others[1]?.tell('{"mxn": 17.45}')
    world.clock.advance(60_000)
    await refresh.pass()
    assert.is((await row()).rate, '17.4')
    // Two of three: one could be the one that is wrong.
    others[0]?.tell('{"mxn": null}')
    world.clock.advance(60_000)
    await refresh.pass()
    assert.equal([(await row()).rate, await isAcceptable(scene)], ['17.4', false])
    assert.match((await row()).problem ?? '', /: answered HTTP 500; .*: it tells null$/)
  } finally {
    await Promise.all(others.map((other) => other.close()))
  }
})

play('two sources that tell of two different things are refused', async (scene) => {
  const { apply, refresh, row, source } = scene
  const other = await startRateServer('{"mxn": 20.1}')
  try {
    await apply({ sources: [source, { ...source, url: other.url }] })
    await refresh.pass()
    assert.match((await row()).problem ?? '', /^the sources disagree: 17\.25, 20\.1 \(127/)
  } finally {
    await other.close()
  }
})

play('sources that look at one address share one request', async (scene) => {
  const { apply, refresh, row, source, server } = scene
  server.tell('{"bid": 17.2, "ask": 17.4}')
  await apply({
    sources: [
      { ...source, pointer: '/bid' },
      { ...source, pointer: '/ask' },
    ],
  })
  await refresh.pass()
  assert.equal([server.asked(), (await row()).rate], [1, '17.3'])
})

play('a source whose name leads into the own network is not asked in production', async (scene) => {
  const { apply, source, server, world } = scene
  const rules = { ...anyTarget, allowPrivate: false, ports: [Number(new URL(server.url).port)] }
  const { refresh, states } = rateWorld(world, rules)
  const { port } = new URL(server.url)
  // Its resolver says 127.0.0.1 for every name.
  await apply({ source: { ...source, url: `https://rates.example:${port}/` } })
  await refresh.pass()
  assert.match(states()[0]?.problem?.text ?? '', /its name has an address that is not public$/)
  await apply({ source })
  await refresh.pass()
  assert.is(states()[0]?.problem?.text, 'is not asked: The URL must use https')
  assert.is(server.asked(), 0)
})

play('a name is resolved by the node and asked where it leads', async (scene) => {
  const { apply, refresh, row, source, server } = scene
  await apply({ source: { ...source, url: server.url.replace('127.0.0.1', 'rates.example') } })
  await refresh.pass()
  assert.is((await row()).rate, '17.25')
})

play('a clock that is set back makes no source wait for the time it was asked at', async (scene) => {
  const { apply, refresh, row, source, world, server } = scene
  await apply({ source })
  await refresh.pass()
  world.clock.jump(-3_600_000)
  assert.is(await isAcceptable(scene), false, 'its time is of a clock that was wrong')
  await refresh.pass()
  assert.equal([server.asked(), (await row()).updated_at], [2, world.clock.now()])
  assert.is(await isAcceptable(scene), true)
})

play('told to stop, a pass waits for no source and writes nothing', async (scene) => {
  const { apply, refresh, row, source, server } = scene
  await apply({ source })
  const asked = new Promise<void>((resolve) => server.answer(() => resolve()))
  const pass = refresh.pass()
  await asked
  refresh.stop()
  assert.equal(await pass, { more: false })
  assert.equal([(await row()).rate, (await row()).problem], [null, null])
})

play('a fixed rate past its age degrades the node at that moment, and asks nobody', async (scene) => {
  const { apply, refresh, world, server, reasons, logged } = scene
  await apply({ rate: '17.25', maxAgeSeconds: 60 })
  const first = await refresh.pass()
  assert.is(first.nextAt, world.clock.now() + 60_001)
  world.clock.advance(60_001)
  assert.is((await refresh.pass()).nextAt, null)
  assert.equal(reasons(), { rates: degraded() })
  assert.equal(logged, ['warn a rate cannot be used: the rate is 60 s old, and may be 60 s'])
  await apply({ rate: '17.25', maxAgeSeconds: 60 })
  await refresh.pass()
  assert.equal(reasons(), {})
  assert.is(server.asked(), 0)
})

test.run()
