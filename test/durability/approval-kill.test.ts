/**
 * `kill -9` between any two writes of asking, approving and carrying out: what was approved is carried out once, or not at all, and the
 * next start goes on. On PostgreSQL, too (`npm run test:postgres -- test/durability/approval-kill.test.ts`).
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openStore } from '../../persistence/index.ts'
import { twoPeople } from '../actors/approvals/two-people.ts'
import { problemsIn } from '../support/agreed-terms.ts'
import { fakeClock } from '../support/clock.ts'
import { allRows } from '../support/database.ts'
import { orderWorlds } from '../support/order-world.ts'
import { settle } from '../support/payment-world.ts'
import { isLargeShare } from './share.ts'

const inWorld = orderWorlds(test, async (world) => {
  await settle(world)
  await twoPeople(world)
})

const node = join(import.meta.dirname, 'approval-node.ts')

function live(url: string, when: 'before' | 'after', place: number) {
  const args = ['--conditions=development', '--no-warnings', node, url, when, String(place)]
  return spawnSync(process.execPath, args, { encoding: 'utf8' })
}

/** What was asked for, what has become of it, and what was done. */
async function ends(url: string) {
  const store = await openStore(url, { clock: fakeClock() })
  try {
    const approvals = await allRows(store, 'approvals')
    const deposits = (await allRows(store, 'postings')).filter(({ kind }) => kind === 'deposit').length
    const joes = (await allRows(store, 'people')).filter(({ name }) => name === 'joe').length
    const states = Object.fromEntries(approvals.map(({ operation, state }) => [operation, state]))
    return { states, deposits, joes, count: approvals.length }
  } finally {
    await store.close()
  }
}

const end = {
  states: { 'deposit.add': 'carried_out', 'operator.add': 'carried_out' },
  deposits: 1,
  joes: 1,
  count: 2,
}

/** On a database of its own. */
async function killed(when: 'before' | 'after', place: number): Promise<void> {
  await inWorld(async ({ url, store }) => {
    await store.close()
    const what = `${when} write ${place}`
    const life = live(url, when, place)
    assert.is(life.signal, 'SIGKILL', `${what}: ${life.stderr}`)
    const { states, deposits, joes } = await ends(url)
    assert.is(deposits, Number(states['deposit.add'] === 'carried_out'), what)
    assert.is(joes, Number(states['operator.add'] === 'carried_out'), what)
    assert.equal([what, await problemsIn({ url })], [what, []])
    const next = live(url, 'before', 0)
    assert.is(next.status, 0, `${what}: ${next.stderr}`)
    assert.equal([what, await ends(url)], [what, end])
    assert.equal([what, await problemsIn({ url })], [what, []])
  })
}

test('killed before or behind any write, what was approved is carried out once', async () => {
  let writes = 0
  await inWorld(async ({ url, store }) => {
    await store.close()
    const whole = live(url, 'before', 0)
    assert.is(whole.status, 0, whole.stderr)
    assert.equal(await ends(url), end)
    writes = Number(whole.stdout)
  })
  const every = isLargeShare ? 1 : Math.ceil(writes / 6)
  let kills = 0
  for (let place = every; place <= writes; place += every) {
    for (const when of isLargeShare ? (['before', 'after'] as const) : (['after'] as const)) {
      await killed(when, place)
      kills += 1
    }
  }
  console.log(`approvals: ${kills} kills over ${writes} writes`)
})

test.run()
