import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { judgeSpare, nothingSeen, type SpareMemory } from '../../node/spare-memory.ts'

/** Looks, one a line: second, utilization, spare megabytes; `x` where it is given back. */
function given(text: string): string[] {
  let seen: SpareMemory = nothingSeen
  const lines = text.trim().split('\n')
  return lines.flatMap((line) => {
    const [second = '', utilization, megabytes] = line.trim().split(/\s+/)
    const judged = judgeSpare(seen, {
      at: Number(second) * 1000,
      utilization: Number(utilization),
      spareBytes: Number(megabytes) * 1_000_000,
    })
    seen = judged.seen
    return judged.isGiven ? [second] : []
  })
}

test('memory is given back once a thread has been silent for three seconds, not at its first silence', () => {
  const looks = `
    1   0.90  40
    2   0.01  40
    3   0.02  40
    4   0.05  40
    5   0.00  40
    6   0.00  40`
  assert.equal(given(looks), ['5'])
})

test('a busy second begins the silence anew', () => {
  const looks = `
    1   0.01  40
    2   0.01  40
    3   0.06  40
    4   0.01  40
    6   0.01  40
    7   0.01  40`
  assert.equal(given(looks), ['7'])
})

test('what a heap has spare anyway is left to it, until there is more', () => {
  const looks = `
    1   0     11
    9   0     11.9
    10  0     12`
  assert.equal(given(looks), ['10'])
})

test('it happens once in ten minutes at most, however much there is', () => {
  const looks = `
    0    0     40
    3    0     40
    4    0     400
    602  0     400
    603  0     40
    604  0     40`
  assert.equal(given(looks), ['3', '603'])
})

/** What the young generation has of real memory, in a program of its own, before and after its silence. */
async function youngBytes(
  patienceMs: number,
  ...flags: string[]
): Promise<{ before: number; after: number }> {
  const program = `
    import { getHeapSpaceStatistics } from 'node:v8'
    import { returnSpareMemory } from '${new URL('../../node/spare-memory.ts', import.meta.url)}'
    const young = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').physical_space_size
    let kept = []
    for (let round = 0; round < 60; round++) {
      kept = Array.from({ length: 60_000 }, (_, index) => ({ index, round }))
    }
    const before = young()
    const stop = returnSpareMemory()
    const ticking = setTimeout(() => {}, ${patienceMs + 60_000})
    const since = performance.now()
    const timer = setInterval(() => {
      if (young() >= before / 4 && performance.now() - since < ${patienceMs}) return
      clearInterval(timer)
      clearTimeout(ticking)
      stop()
      console.log(JSON.stringify({ before, after: young(), kept: kept.length }))
    }, 250)`
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    ...flags,
    '--input-type=module',
    '--eval',
    program,
  ])
  assert.is(stderr, '')
  return JSON.parse(stdout)
}

test('the young generation of a silent thread becomes small again, where the program may collect anything', async () => {
  const [returned, kept] = await Promise.all([
    // Other programs may keep the machine from being silent for three seconds.
    youngBytes(60_000, '--expose-gc', '--max-semi-space-size=16'),
    youngBytes(5_500, '--max-semi-space-size=16'),
  ])
  assert.ok(returned.before > 8_000_000, JSON.stringify(returned))
  assert.ok(returned.after < returned.before / 4, JSON.stringify(returned))
  assert.ok(kept.after >= kept.before / 4, JSON.stringify(kept))
})

test.run()
