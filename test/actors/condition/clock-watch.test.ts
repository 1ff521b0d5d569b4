import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type ClockWatch, createClockWatch } from '../../../actors/condition/clock-watch.ts'
import { createCondition, readiness } from '../../../actors/condition/condition.ts'
import { openStore } from '../../../persistence/index.ts'
import type { Store } from '../../../persistence/store.ts'
import { type FakeClock, fakeClock } from '../../support/clock.ts'
import { testDatabases } from '../../support/database.ts'

const databases = testDatabases(test)

const secondMs = 1000
const dayMs = 86_400_000

interface Watched {
  clock: FakeClock
  watch: ClockWatch
  store: Store
  /** What `/readyz` says of the clock. */
  reason(): string | null
  /** The node stops, `between` happens, and it starts again. */
  restart(between: () => void): Promise<void>
}

function watched(name: string, play: (watched: Watched) => Promise<void>): void {
  test(name, async () => {
    const clock = fakeClock()
    const url = await databases.create()
    const start = async () => {
      const store = await openStore(url, { clock })
      const condition = createCondition()
      condition.send({ type: 'serve' })
      const watch = await createClockWatch({ store, clock, condition })
      await watch.look()
      const reason = () => {
        const ready = readiness(condition)
        return ready.status === 'degraded' ? (ready.reasons.clock ?? null) : null
      }
      return { store, watch, reason }
    }
    const node: Watched = {
      clock,
      ...(await start()),
      async restart(between) {
        await node.store.close()
        between()
        Object.assign(node, await start())
      },
    }
    await play(node)
    await node.store.close()
  })
}

async function timeOf(store: Store): Promise<number> {
  const result = await store.step({ rows: {}, decide: () => ({ answer: null, writes: [] }) })
  return result.outcome === 'committed' ? result.at : Number.NaN
}

watched('a jump is distrusted at once, before anybody looks', async ({ clock, watch }) => {
  clock.jump(dayMs)
  assert.not(watch.isTrusted())
  await watch.look()
  assert.not(watch.isTrusted())
})

watched('a clock that runs is trusted, through a suspend of a day too', async ({ clock, watch, reason }) => {
  clock.advance(secondMs)
  await watch.look()
  // A suspended machine looks like one that was long in coming: its time since boot runs on.
  clock.advance(dayMs)
  await watch.look()
  assert.equal([watch.isTrusted(), reason()], [true, null])
  assert.equal(await watch.show(), {
    state: 'trusted',
    reason: null,
    since: null,
    now: '2026-03-02T12:00:01.000Z',
    lastTrusted: '2026-03-02T12:00:01.000Z',
  })
})

watched('what a clock is corrected by is no jump', async ({ clock, watch }) => {
  clock.jump(30 * secondMs)
  await watch.look()
  clock.jump(-60 * secondMs)
  await watch.look()
  assert.ok(watch.isTrusted())
  clock.jump(-1)
  await watch.look()
  assert.not(watch.isTrusted())
})

for (const [way, ms] of [
  ['forward', dayMs],
  ['back', -dayMs],
] as const) {
  watched(`a jump of a day ${way} puts it in doubt until it is accepted`, async (node) => {
    const { clock, watch, reason } = node
    clock.jump(ms)
    await watch.look()
    const said = `The clock jumped 1 d ${way}. Nothing expires until \`ventanilla clock accept\`.`
    assert.equal([watch.isTrusted(), reason()], [false, said])
    // It comes back by itself: who knows how long it was wrong, and what was written meanwhile.
    clock.jump(-ms)
    clock.advance(60 * secondMs)
    await watch.look()
    assert.not(watch.isTrusted())
    const right = `The clock jumped 1 d ${way}, and has come back: it is right again now. Nothing expires until \`ventanilla clock accept\`.`
    const { state, since, lastTrusted, reason: shown } = await watch.show()
    assert.equal([reason(), shown], [right, right])
    assert.equal(
      [state, since, lastTrusted],
      ['in_doubt', new Date(Date.UTC(2026, 2, 1, 12) + ms).toISOString(), '2026-03-01T12:00:00.000Z'],
    )
    await watch.accept()
    await watch.look()
    assert.equal([watch.isTrusted(), reason()], [true, null])
  })
}

watched('a clock that is accepted after a jump is the one that later jumps are told by', async (node) => {
  const { clock, watch } = node
  clock.jump(dayMs)
  await watch.look()
  await watch.accept()
  clock.advance(60 * secondMs)
  await watch.look()
  assert.ok(watch.isTrusted())
  clock.jump(-dayMs)
  await watch.look()
  assert.not(watch.isTrusted())
})

watched('steps follow a clock that was set back once it is accepted', async ({ clock, watch, store }) => {
  const before = await timeOf(store)
  clock.jump(-dayMs)
  assert.is(await timeOf(store), before)
  await watch.look()
  await watch.accept()
  assert.is(await timeOf(store), before - dayMs)
})

watched('a gap across a stop is accepted: the node may have been off that long', async (node) => {
  await node.restart(() => node.clock.jump(dayMs))
  assert.ok(node.watch.isTrusted())
  assert.is((await node.watch.show()).lastTrusted, '2026-03-02T12:00:00.000Z')
})

watched('a start at a time before the last one seen is in doubt', async (node) => {
  await node.restart(() => node.clock.jump(-dayMs))
  assert.is(
    node.reason(),
    'The clock is 1 d behind the time this database last saw. Nothing expires until `ventanilla clock accept`.',
  )
  node.clock.advance(2 * dayMs)
  await node.watch.look()
  assert.not(node.watch.isTrusted(), 'time alone does not settle it')
  assert.is(
    node.reason(),
    'The clock was 1 d behind the time this database last saw, and has passed it now. Nothing expires until `ventanilla clock accept`.',
  )
  await node.watch.accept()
  assert.ok(node.watch.isTrusted())
})

watched('a clock that is seconds behind at the start is waited for', async (node) => {
  await node.restart(() => node.clock.jump(-20 * secondMs))
  assert.is(
    node.reason(),
    'The clock is 20 s behind the time this database last saw. Nothing expires until it has come that far.',
  )
  node.clock.advance(19 * secondMs)
  await node.watch.look()
  assert.not(node.watch.isTrusted())
  node.clock.advance(secondMs)
  await node.watch.look()
  assert.equal([node.watch.isTrusted(), node.reason()], [true, null])
})

watched('a restart does not settle a doubt, whatever the clock says then', async (node) => {
  node.clock.jump(dayMs)
  await node.watch.look()
  const said = node.reason()
  for (const ms of [0, secondMs, -dayMs]) {
    await node.restart(() => node.clock.jump(ms))
    assert.equal([node.watch.isTrusted(), node.reason()], [false, said])
  }
  await node.watch.accept()
  await node.restart(() => node.clock.advance(secondMs))
  assert.ok(node.watch.isTrusted())
})

watched('what is said of a doubt holds now', async (node) => {
  const { clock, watch, reason } = node
  const until = 'Nothing expires until `ventanilla clock accept`.'
  const endpoints = "the time that every chain's endpoint names"
  clock.jump(dayMs)
  await watch.look()
  clock.jump(dayMs)
  await watch.look()
  assert.is(reason(), `The clock jumped 2 d forward. ${until}`)
  await watch.accept()
  await watch.hear([-300 * secondMs])
  assert.is(reason(), `The clock is 5 min ahead of ${endpoints}. ${until}`)
  await watch.hear([-600 * secondMs])
  assert.is(reason(), `The clock is 10 min ahead of ${endpoints}. ${until}`)
  await watch.hear([-secondMs, 0])
  assert.is(reason(), `The clock was 5 min ahead of ${endpoints}, and agrees with it now. ${until}`)
  await watch.hear([90 * secondMs])
  assert.is(reason(), `The clock is 90 s behind ${endpoints}. ${until}`)
  // Whoever starts now has not asked a chain, and knows what was.
  await node.restart(() => clock.advance(secondMs))
  assert.is(node.reason(), `The clock was 5 min ahead of ${endpoints}. ${until}`)
  await node.watch.hear([0])
  assert.is(node.reason(), `The clock was 5 min ahead of ${endpoints}, and agrees with it now. ${until}`)
})

test('how far it is off is said as a person would say it', async () => {
  const store = await openStore(await databases.create(), { clock: fakeClock() })
  const said: string[] = []
  for (const ms of [31_000, 119_000, 121_000, 3_600_000, 7_300_000, 90_000_000, 172_800_000]) {
    const clock = fakeClock()
    const condition = createCondition()
    condition.send({ type: 'serve' })
    const watch = await createClockWatch({ store, clock, condition })
    clock.jump(ms)
    await watch.look()
    const ready = readiness(condition)
    if (ready.status === 'degraded')
      said.push(/jumped (.*) forward/.exec(ready.reasons.clock ?? '')?.[1] ?? '')
    await watch.accept()
    clock.jump(-ms)
    await watch.accept()
  }
  assert.equal(said, ['31 s', '119 s', '2 min', '60 min', '2 h', '1 d 1 h', '2 d'])
  await store.close()
})

watched(
  'a clock more than a minute off every chain is in doubt, and one chain alone proves nothing',
  async (node) => {
    const { watch, reason, clock } = node
    await watch.hear([])
    await watch.hear([61_000, 2_000, -90_000])
    await watch.hear([-60_000])
    assert.equal([watch.isTrusted(), reason()], [true, null])
    await watch.hear([181_000, 180_000])
    assert.is(watch.isTrusted(), false)
    assert.match(
      reason() ?? '',
      /^The clock is 3 min behind the time that every chain's endpoint names\. Nothing/,
    )
    await node.restart(() => clock.advance(secondMs))
    assert.is(node.watch.isTrusted(), false)
  },
)

watched('what an operator has accepted is not doubted again until it changes', async ({ watch }) => {
  await watch.hear([-100_000])
  assert.is(watch.isTrusted(), false)
  await watch.accept()
  await watch.hear([-101_000])
  assert.is(watch.isTrusted(), true)
  await watch.hear([100_000])
  assert.is(watch.isTrusted(), false)
})

test.run()
