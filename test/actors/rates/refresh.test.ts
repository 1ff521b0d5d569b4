/** Rates from sources: real servers that misbehave, and a clock that stands still. */
import type { ServerResponse } from 'node:http'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { acceptRate } from '../../../actors/rates/acceptance.ts'
import { inOrderWorld, type OrderWorld } from '../../support/order-world.ts'
import {
  anyTarget,
  type RateServer,
  type RateWorld,
  rateWorld,
  startRateServer,
} from '../../support/rate-sources.ts'

const inWorld = inOrderWorld(test)

interface Scene extends RateWorld {
  world: OrderWorld
  server: RateServer
  /** `url` and `pointer` of the server, with the shortest time-out. */
  source: Record<string, unknown>
}

/** A scene with one server, and a rate that is read from it every minute. */
function play(name: string, act: (scene: Scene) => Promise<void>): void {
  inWorld(name, async (world) => {
    const server = await startRateServer()
    try {
      const source = { url: server.url, pointer: '/mxn', timeoutSeconds: 1 }
      await act({ ...rateWorld(world), world, server, source })
    } finally {
      await server.close()
    }
  })
}

async function isAcceptable({ row, world }: Pick<Scene, 'row' | 'world'>): Promise<boolean> {
  return acceptRate(await row(), world.clock.now()).ok
}

const degraded = (others = '') =>
  `There is no acceptable rate for USDC to MX MXN on SOLANA${others}: \`rate list\` says why.`

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

/** What a source does, and whether that is told of what it says, or of what it does not say. */
const misdeeds: [
  what: string,
  kind: 'refused' | 'unreachable',
  how: (response: ServerResponse) => void,
  problem: RegExp,
][] = [
  ['hangs', 'unreachable', () => {}, /^gave no answer within 1000 ms$/],
  [
    'begins and hangs',
    'unreachable',
    (response) => void response.write('{"mxn": 17'),
    /^gave no answer within 1000 ms$/,
  ],
  ['breaks off', 'unreachable', (response) => response.destroy(), /^gave no answer: socket hang up$/],
  [
    'fails',
    'unreachable',
    (response) => void response.writeHead(500).end('{"mxn": 17}'),
    /^answered HTTP 500$/,
  ],
  ['knows nothing', 'unreachable', (response) => void response.writeHead(404).end(), /^answered HTTP 404$/],
  [
    'leads elsewhere',
    'unreachable',
    (response) => void response.writeHead(302, { location: '/elsewhere' }).end(),
    /^answered HTTP 302, and redirections are not followed$/,
  ],
  [
    'never ends',
    'unreachable',
    (response) => {
      const more = () => {
        while (!response.destroyed && response.write(' '.repeat(65_536)));
      }
      response.on('drain', more)
      more()
    },
    /^answered with more than 262144 bytes$/,
  ],
  [
    'is no JSON',
    'refused',
    (response) => void response.end('<html>17.25</html>'),
    /^its answer is not JSON$/,
  ],
  [
    'says nothing',
    'refused',
    (response) => void response.end('{"usd": 1}'),
    /^its answer has nothing at \/mxn$/,
  ],
  ['says null', 'refused', (response) => void response.end('{"mxn": null}'), /^it tells null$/],
  ['says zero', 'refused', (response) => void response.end('{"mxn": 0.00}'), /^it tells zero$/],
  ['says less', 'refused', (response) => void response.end('{"mxn": -17.25}'), /which is below zero$/],
  [
    'says a word',
    'refused',
    (response) => void response.end('{"mxn": "n/a"}'),
    /^it tells "n\/a", which is no plain decimal$/,
  ],
  [
    'says a power',
    'refused',
    (response) => void response.end('{"mxn": 1.725e1}'),
    /^it tells "1.725e1", which is no/,
  ],
  [
    'says an object',
    'refused',
    (response) => void response.end('{"mxn": {"bid": 17}}'),
    /^its answer has an object at/,
  ],
]

for (const [what, kind, how, problem] of misdeeds)
  play(`a source that ${what} ends no rate by itself but one that says wrong things`, async (scene) => {
    const { apply, refresh, row, show, source, world, server, states, reasons } = scene
    await apply({ source })
    await refresh.pass()
    server.answer(how)
    world.clock.advance(60_000)
    await refresh.pass()
    const [state] = states()
    assert.is(state?.problem?.kind, kind)
    assert.match(state?.problem?.text ?? '', problem)
    assert.is((await row()).rate, '17.25', 'the last one stays to be compared with')
    // Silence is no reason to distrust what was said a minute ago; nonsense is.
    assert.is(await isAcceptable(scene), kind === 'unreachable')
    assert.equal(reasons(), kind === 'unreachable' ? {} : { rates: degraded() })
    world.clock.advance(240_001)
    assert.is(await isAcceptable(scene), false, 'too old')
    const shown = await show()
    assert.match(shown.problem ?? '', new RegExp(problem.source.replace(/^\^/, '')))
    assert.match(shown.readings[0]?.problem ?? '', problem)
    server.tell('{"mxn": "17.30"}')
    await refresh.pass()
    assert.is(await isAcceptable(scene), true)
    assert.equal(reasons(), {})
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
  await apply({ source: { ...source, timeoutSeconds: 60 } })
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
