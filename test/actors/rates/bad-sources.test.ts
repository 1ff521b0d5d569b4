/** What sources of rates do wrong, and what is told of it. */
import type { ServerResponse } from 'node:http'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { inOrderWorld } from '../../support/order-world.ts'
import { rateWorld, startRateServer } from '../../support/rate-sources.ts'
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
    // Whoever answers at all has time to, however busy the machine is.
    await apply({ source: /hangs/.test(what) ? { ...source, timeoutSeconds: 1 } : source })
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

test.run()
