/**
 * Failing disks: the n-th write or sync of a scripted story fails, or is torn.
 * `node test/durability/faults.test.ts all` lets each of them fail, up to the story's end.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { FaultOutcome } from './fault-story.ts'
import { buildShim, watching } from './write-log.ts'

const isLong = process.argv[2] === 'all'
/** Faults of each kind in the short run, spread over the story. */
const share = 3

const folder = mkdtempSync(join(tmpdir(), 'faults-'))
test.after(() => rmSync(folder, { recursive: true, force: true }))
let programs = 0

/** Plays faults in one program, one after the other. */
async function play(library: string, faults: readonly string[]): Promise<FaultOutcome[]> {
  const place = join(folder, String(programs++))
  const [root, control] = [join(place, 'root'), join(place, 'control')]
  mkdirSync(root, { recursive: true })
  writeFileSync(control, '')
  const program = spawn(
    process.execPath,
    ['--conditions=development', join(import.meta.dirname, 'fault-story.ts')],
    { env: watching({ library, root, control }), stdio: ['pipe', 'pipe', 'pipe'] },
  )
  program.stdin.end(faults.join('\n'))
  let complaints = ''
  program.stderr.on('data', (text) => {
    complaints += text
  })
  const outcomes: FaultOutcome[] = []
  for await (const line of createInterface(program.stdout)) outcomes.push(JSON.parse(line))
  assert.is(outcomes.length, faults.length, complaints)
  return outcomes
}

/** As many programs at once as the machine has processors. */
async function playAll(library: string, faults: readonly string[]): Promise<FaultOutcome[]> {
  const at = isLong ? availableParallelism() : 1
  const parts = Array.from({ length: at }, (_, part) => faults.filter((_, index) => index % at === part))
  return (await Promise.all(parts.map((part) => play(library, part)))).flat()
}

/** Every place, or some from the first to the last. */
function places(count: number): number[] {
  if (isLong) return Array.from({ length: count }, (_, index) => index + 1)
  return Array.from({ length: share }, (_, index) => 1 + Math.floor((index * (count - 1)) / (share - 1)))
}

const faultKinds = [
  ['write', 'EIO', 0],
  ['write', 'ENOSPC', 0],
  ['write', 'TORN', 0],
  // A disk that stays full, until the program is started again.
  ['write', 'ENOSPC', 1],
  ['sync', 'EIO', 0],
  ['sync', 'EIO', 1],
] as const

const library = buildShim(test)
if (library !== null) {
  for (const story of ['first', 'orders']) {
    test(`when the disk fails in the story "${story}", nothing is answered wrongly, lost, or half done`, async () => {
      const [whole] = await play(library, [`${story} write EIO 0 0`])
      assert.equal([whole?.problems, whole?.ending, whole?.finished, whole?.fired], [[], 'went on', 6, false])
      const counts = { write: whole?.writes ?? 0, sync: whole?.syncs ?? 0 }
      const faults = faultKinds.flatMap(([operation, kind, isSticky]) =>
        places(counts[operation]).map((at) => `${story} ${operation} ${kind} ${at} ${isSticky}`),
      )
      const outcomes = await playAll(library, faults)
      const ended = Object.entries(
        Object.groupBy(
          outcomes.filter(({ fired }) => fired),
          ({ ending }) => ending,
        ),
      )
      const wrong = outcomes.filter(({ problems }) => problems.length > 0)
      console.log(
        `${story}: ${counts.write} writes, ${counts.sync} syncs; ${outcomes.length} faults, of which ` +
          `${ended.map(([ending, those]) => `${those?.length} ${ending}`).join(', ')}; ${wrong.length} with a problem`,
      )
      assert.equal(wrong.slice(0, 20), [])
      // Batches fall differently each time, so the very last places are not always reached.
      assert.ok(outcomes.filter(({ fired }) => fired).length >= outcomes.length * 0.9)
    })
  }
}

test.run()
