/**
 * In a process of its own: the clocks, timers and chance of the whole process are the simulation's.
 *
 * `npm test` plays the first few histories, `npm run test:durability` a hundred; `npm run simulate` plays any number of them, and any one
 * again by its seed.
 */
import { execFileSync, spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isLargeShare } from '../durability/share.ts'
import { playHistory } from './history.ts'
import { wakeAfter } from './waking.ts'

const { histories, length } = isLargeShare ? { histories: 100, length: 36 } : { histories: 12, length: 80 }
/** The one that has to be the same everywhere; those before it are played here, those after it beside them. */
const known = histories / 2 + 1
const root = join(import.meta.dirname, '../..')

/** Plays in a process of its own, meanwhile. @returns what it prints, in a file: nothing of it disturbs a history here */
function playBeside(
  options: readonly string[],
  { tree = root, cwd = tree, env = {} }: { tree?: string; cwd?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'ventanilla-histories-'))
  const file = join(folder, 'output')
  const output = openSync(file, 'w')
  const words = [...process.execArgv, join(tree, 'test/simulation/main.ts'), '--events', String(length)]
  const child = spawn(process.execPath, [...words, ...options], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', output, output],
  })
  closeSync(output)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', () => {
      resolve(readFileSync(file, 'utf8'))
      rmSync(folder, { recursive: true })
    })
  })
}

async function playWell(seed: number): Promise<Awaited<ReturnType<typeof playHistory>>> {
  const history = await playHistory({ seed, length })
  const again = `npm run simulate -- --seed ${seed} --events ${length} --histories 1`
  assert.equal(history.problems, [], `${again}\n${history.problems.join('\n')}`)
  return history
}

test(`${histories - 1} histories of ${length} events hold what has to hold`, async () => {
  const sums = new Map<string, number>()
  const add = (name: string, count: number) => sums.set(name, (sums.get(name) ?? 0) + count)
  const others = String(histories - known)
  const beside = playBeside(['--seed', String(known + 1), '--histories', others, '--stop-at-first'])
  for (let seed = 1; seed < known; seed++) {
    const { counts } = await playWell(seed)
    for (const [name, count] of Object.entries(counts)) add(name, count)
  }
  const output = await beside
  assert.match(output, new RegExp(`^${others} histories in .*; 0 went wrong`, 'm'), output)
  for (const [, count, name = ''] of output.matchAll(/(\d+) (\w+)(?=[,;])/g))
    if (sums.has(name)) add(name, Number(count))
  // What never came about was not tested; a few histories may lack something.
  for (const [name, count] of sums) assert.ok(!isLargeShare || count > 0, `${name} never came about`)
})

// Here others were played before it, and in the other process none.
test('a seed is the same history to the byte: in another process, in another place and zone', async () => {
  const words = ['--seed', String(known), '--trace']
  const beside = playBeside(words, { cwd: tmpdir(), env: { TZ: 'Pacific/Auckland' } })
  const { trace, digest } = await playWell(known)
  const output = await beside
  assert.equal(output.split('\n').slice(0, trace.length), trace)
  assert.match(output, `digest ${digest}`)
})

// A clone takes a while, and the history is the same one.
if (isLargeShare)
  test('a seed is the same history to the byte in a fresh clone', async () => {
    const { digest } = await playHistory({ seed: known, length })
    const clone = mkdtempSync(join(tmpdir(), 'ventanilla-clone-'))
    try {
      execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${root}`, clone])
      symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
      assert.match(
        await playBeside(['--seed', String(known), '--trace'], { tree: clone }),
        `digest ${digest}`,
      )
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
