import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ChainFailure, ChainFailureKind, Outcome } from '../../chain/chain.ts'
import { Endpoints } from '../../chain/endpoints.ts'
import { Repeats } from '../../chain/repeats.ts'
import { failureOf, HttpRefusal, Requests } from '../../chain/requests.ts'
import { openGate } from '../support/chains/gate.ts'

type Answer = Outcome<string, ChainFailure>

function failing(kind: ChainFailureKind, endpoint: string, retryAfterMs: number | null = null): Answer {
  return { ok: false, failure: { kind, endpoint, message: kind, retryable: true, retryAfterMs } }
}

/** Two endpoints whose answers are given, the order in which they were asked, and a clock. */
function pair() {
  const played = {
    now: 0,
    asked: [] as string[],
    identified: [] as string[],
    answers: {} as Record<string, ChainFailureKind>,
    wrong: '',
    retryAfterMs: null as number | null,
    run: () => run(),
  }
  const endpoints = new Endpoints(
    ['first', 'second'].map((host) => ({ host, client: host })),
    {
      clock: () => played.now,
      identify: async ({ host }) => {
        played.identified.push(host)
        if (host !== played.wrong) return { ok: true, value: null }
        const { failure } = failing('wrong_network', host) as { failure: ChainFailure }
        return { ok: false, failure }
      },
    },
  )
  const run = async (): Promise<string> => {
    played.asked = []
    const outcome = await endpoints.run(async ({ host }): Promise<Answer> => {
      played.asked.push(host)
      const kind = played.answers[host]
      return kind === undefined ? { ok: true, value: host } : failing(kind, host, played.retryAfterMs)
    })
    return outcome.ok ? outcome.value : `${outcome.failure.kind} ${outcome.failure.retryAfterMs}`
  }
  return { played, endpoints }
}

test('the preferred endpoint is asked while it answers', async () => {
  const { played } = pair()
  assert.is(await played.run(), 'first')
  assert.equal(played.asked, ['first'])
})

test('one that fails rests, and is preferred again afterwards', async () => {
  const { played, endpoints } = pair()
  played.answers = { first: 'unavailable' }
  assert.is(await played.run(), 'second')
  assert.equal(played.asked, ['first', 'second'])
  assert.equal(
    endpoints.failures.map(({ endpoint }) => endpoint),
    ['first'],
  )
  assert.is(await played.run(), 'second')
  assert.equal(played.asked, ['second'])
  played.answers = {}
  played.now += 10_000
  assert.is(await played.run(), 'first')
  assert.equal(endpoints.failures, [])
})

test('when all rest, all are asked again, the preferred one’s failure is told', async () => {
  const { played } = pair()
  played.answers = { first: 'inconsistent', second: 'unavailable' }
  assert.is(await played.run(), 'inconsistent null')
  assert.is(await played.run(), 'inconsistent null')
  assert.equal(played.asked, ['first', 'second'])
})

test('one that asked for quiet is left alone for as long as it said', async () => {
  const { played } = pair()
  played.answers = { first: 'rate_limited', second: 'rate_limited' }
  played.retryAfterMs = 30_000
  assert.is(await played.run(), 'rate_limited 30000')
  played.now += 12_000
  assert.is(await played.run(), 'rate_limited 18000')
  assert.equal(played.asked, [])
  played.now += 18_000
  played.answers = {}
  assert.is(await played.run(), 'first')
})

test('an endpoint of another network is never asked, and identified anew each minute', async () => {
  const { played } = pair()
  played.wrong = 'first'
  assert.is(await played.run(), 'second')
  assert.equal(played.asked, ['second'])
  played.wrong = ''
  played.now += 60_000
  assert.is(await played.run(), 'first')
  assert.equal(played.identified, ['first', 'second', 'first'])
  assert.is(await played.run(), 'first')
  assert.is(played.identified.length, 3)
  played.wrong = 'first'
  played.now += 60_000
  assert.is(await played.run(), 'second')
})

test('a chain without an endpoint is a defect of the settings', () => {
  const identify = async (): Promise<Outcome<null, ChainFailure>> => ({ ok: true, value: null })
  assert.throws(() => new Endpoints([], { clock: () => 0, identify }))
})

test('each failure of a request has a kind and a sentence, and shows no address', () => {
  const cases: [unknown, ChainFailureKind, boolean, RegExp][] = [
    [new HttpRefusal(429, 3_000), 'rate_limited', true, /^host asks for fewer requests/],
    [new HttpRefusal(503, null), 'unavailable', true, /HTTP 503/],
    [new HttpRefusal(408, null), 'unavailable', true, /HTTP 408/],
    [new HttpRefusal(401, null), 'refused', false, /key/],
    [new DOMException('x', 'TimeoutError'), 'unavailable', true, /took too long\.$/],
    [
      new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }),
      'unavailable',
      true,
      /gave no answer: connect ECONNREFUSED\.$/,
    ],
    [new Error('see https://host.example/v2/key123 for more'), 'unavailable', true, /see host\.example for/],
    ['nothing', 'unavailable', true, /nothing/],
  ]
  for (const [error, kind, retryable, message] of cases) {
    const failure = failureOf(error, 'host')
    assert.is(failure.kind, kind)
    assert.is(failure.retryable, retryable)
    assert.match(failure.message, message)
  }
  assert.is(failureOf(new HttpRefusal(429, 3_000), 'host').retryAfterMs, 3_000)
})

test('requests tell the clock of a host, and what it says of trying again', async () => {
  const gate = await openGate('http://127.0.0.1:1')
  const requests = new Requests({ clock: () => Date.UTC(2026, 2, 4, 12), timeoutMs: 5_000 })
  const date = new Date(Date.UTC(2026, 2, 4, 12, 1)).toUTCString()
  const later = new Date(Date.UTC(2026, 2, 4, 12, 3)).toUTCString()
  for (const [retryAfter, expected] of [
    ['7', 7_000],
    [later, 120_000],
    [date, 0],
    ['soon', null],
  ] as const) {
    gate.trouble = () => ({ status: 503, headers: { date, 'retry-after': retryAfter } })
    const refusal = await requests.fetch(gate.url).then(
      () => null,
      (error: unknown) => error,
    )
    assert.instance(refusal, HttpRefusal)
    assert.is(refusal instanceof HttpRefusal && refusal.retryAfterMs, expected)
  }
  assert.is(requests.clockOffsetMs(new URL(gate.url).host), 60_000)
  assert.is(requests.clockOffsetMs('another'), null)
  gate.trouble = () => ({ status: 404 })
  const answer = await requests.fetch(gate.url, {}, { accept: (status) => status === 404 })
  assert.is(answer.status, 404)
  await answer.text()
  await gate.close()
})

test('closing ends requests in flight', async () => {
  const gate = await openGate('http://127.0.0.1:1')
  gate.trouble = () => 'silence'
  const requests = new Requests({ clock: () => 0 })
  const failure = requests.fetch(gate.url).catch((error: unknown) => failureOf(error, 'host'))
  requests.close()
  assert.match(JSON.stringify(await failure), /the node is stopping/)
  await gate.close()
})

test('what is stored is known by the cursor that comes back, and forgotten when another does', () => {
  const repeats = new Repeats(3)
  repeats.asked('a')
  repeats.handed('b', ['1', '2'])
  assert.is(repeats.isStored('1'), false)
  repeats.asked('b')
  assert.is(repeats.isStored('1'), true)
  repeats.handed('c', ['3', '4'])
  repeats.asked('c')
  assert.equal(
    ['1', '2', '3', '4'].map((id) => repeats.isStored(id)),
    [false, true, true, true],
  )
  repeats.handed('d', ['5'])
  repeats.asked('b')
  assert.equal(
    ['2', '3', '5'].map((id) => repeats.isStored(id)),
    [false, false, false],
  )
})

test.run()
