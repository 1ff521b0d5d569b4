/**
 * In a process of its own: the clocks, timers and chance of the whole process are the simulation's.
 *
 * A share of the histories; `npm run simulate` plays any number of them, and any one again by its seed.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isLargeShare } from '../durability/share.ts'
import { playHistory } from './history.ts'
import { wakeAfter } from './waking.ts'

const histories = isLargeShare ? 300 : 100
const length = isLargeShare ? 200 : 36

test(`${histories} histories of ${length} events hold what has to hold`, async () => {
  const sums = new Map<string, number>()
  for (let seed = 1; seed <= histories; seed++) {
    const { problems, counts } = await playHistory({ seed, length })
    const again = `npm run simulate -- --seed ${seed} --events ${length} --histories 1`
    assert.equal(problems, [], `${again}\n${problems.join('\n')}`)
    for (const [name, count] of Object.entries(counts)) sums.set(name, (sums.get(name) ?? 0) + count)
  }
  // What never came about was not tested.
  for (const [name, count] of sums) assert.ok(count > 0, `${name} never came about`)
})

test('a seed is the same history to the byte: again, and in another process in another place and zone', async () => {
  const [one, other] = [await playHistory({ seed: 7, length }), await playHistory({ seed: 7, length })]
  assert.equal(one.trace, other.trace)
  const main = join(import.meta.dirname, 'main.ts')
  const { stdout } = spawnSync(
    process.execPath,
    [main, '--seed', '7', '--events', String(length), '--trace'],
    { cwd: tmpdir(), env: { ...process.env, TZ: 'Pacific/Auckland' }, encoding: 'utf8' },
  )
  assert.equal(stdout.split('\n').slice(0, one.trace.length), one.trace)
  assert.match(stdout, `digest ${one.digest}`)
})

// A clone takes a while, and the history is the same one.
if (isLargeShare)
  test('a seed is the same history to the byte in a fresh clone', async () => {
    const { digest } = await playHistory({ seed: 7, length })
    const root = join(import.meta.dirname, '../..')
    const clone = mkdtempSync(join(tmpdir(), 'ventanilla-clone-'))
    try {
      execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${root}`, clone])
      symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
      const played = ['test/simulation/main.ts', '--seed', '7', '--events', String(length), '--trace']
      const { stdout } = spawnSync(process.execPath, played, { cwd: clone, encoding: 'utf8' })
      assert.match(stdout, `digest ${digest}`)
    } finally {
      rmSync(clone, { recursive: true, force: true })
    }
  })

test('a node whose machine has slept for weeks makes up for no second of it', async () => {
  const dayMs = 86_400_000
  const [short, long] = [await wakeAfter(10_000), await wakeAfter(30 * dayMs)]
  assert.ok(
    long < short + 20_000,
    `after ten seconds it asked for the time ${short} times, after weeks ${long}`,
  )
})

test.run()
