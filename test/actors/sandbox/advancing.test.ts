/** The clock goes on from tick to tick, in the order of its passes, also where one of them fails. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createAdvancing, type DrivenPass } from '../../../actors/sandbox/advancing.ts'
import { createSandboxClock } from '../../../actors/sandbox/clock.ts'
import { changeKeptClock, readKeptClock } from '../../../actors/sandbox/kept-clock.ts'
import { openSqliteStore } from '../../../persistence/sqlite/engine.ts'
import { fakeClock } from '../../support/clock.ts'

const folder = mkdtempSync(join(tmpdir(), 'ventanilla-advancing-'))
test.after(() => rmSync(folder, { recursive: true, force: true }))
const hourMs = 3_600_000

test('a pass that fails holds no clock, and what is due next is where it goes', async () => {
  const clock = createSandboxClock(fakeClock())
  const begin = clock.now()
  const store = openSqliteStore({ file: join(folder, 'node.db'), clock })
  const errors: object[] = []
  const seen: number[] = []
  const due = [begin + 1_234.5, begin + 5 * hourMs + 1]
  const passes: DrivenPass[] = [
    { id: 'broken', everyMs: 0, pass: () => Promise.reject(new Error('broken')) },
    {
      id: 'looking',
      everyMs: 0,
      async pass() {
        seen.push(clock.now() - begin)
        return { more: false, nextAt: due.find((at) => at > clock.now()) ?? null }
      },
    },
  ]
  const pass = createAdvancing({
    ...{ store, clock, passes, sweeps: [], isTrusted: () => true, onEnd() {} },
    signal: new AbortController().signal,
    log: { info() {}, error: (facts) => void errors.push(facts) },
  })
  const advance = { from: begin, to: begin + 6 * hourMs, beganAt: clock.world.now(), by: 'ana', ticks: 0 }
  await changeKeptClock(store, (kept) => ({ ...kept, advance }))
  let passesMade = 0
  while ((await pass()).more) assert.ok(++passesMade < 100)
  const { last } = await readKeptClock(store)
  assert.ok(last?.isWhole)
  assert.is(clock.now(), begin + 6 * hourMs)
  assert.equal([...new Set(seen)].slice(0, 3), [0, 1_235, 1_235 + hourMs])
  assert.ok(seen.includes(5 * hourMs + 1))
  assert.ok(errors.length >= 6)
  await store.close()
})

test.run()
