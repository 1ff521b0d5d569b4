/**
 * `npm test [-- PATTERN…]`: runs every `test/**\/*.test.ts` but those of durability, and counts what uvu reports.
 *
 * The bare `uvu` command ends with 0 on a throwing `before` hook, on a forgotten `.run()` and on no files at
 * all; here each of those fails, and so do a crash, an exit code and a file that does not end in time.
 * A pattern is a folder, a file or a glob. The last line is `N passed, N failed`, with `, N skipped` if so.
 *
 * Files run one after the other in a few processes, and one that leaves anything there otherwise than it was fails. A
 * file that starts programs and does not wait for their end at once has a process of its own, and so has one with a comment
 * `In a process of its own: WHY`.
 */
import {
  chmodSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, normalize } from 'node:path'
import { type FileProcess, startFileProcess } from './testing/file-process.ts'
import { type Ending, judge, type Verdict } from './testing/verdict.ts'

/** A file that needs longer than this is stuck, or holds what belongs into a benchmark. */
const limitMs = Number(process.env.TEST_LIMIT_MS ?? 400_000)

/** One more than there are processors: many files wait for a timer or a disk now and then. */
const filesAtOnce = Number(process.env.TEST_FILES_AT_ONCE ?? availableParallelism() + 1)

function findFiles(pattern: string): string[] {
  const isFolder = statSync(pattern, { throwIfNoEntry: false })?.isDirectory()
  return globSync(isFolder ? `${pattern}/**/*.test.ts` : pattern)
}

/** With the process of a file ends what it started; so those that start programs which may outlive them have their own without asking. */
function isAlone(file: string): boolean {
  return /^(?:\/\/|\/\*\*| \*) In a process of its own: |\b(?:exec|execFile|fork|spawn)\b.* from 'node:child_process'$/m.test(
    readFileSync(file, 'utf8'),
  )
}

/** In memory where there is room: no test waits for a disk to keep what is thrown away with it. */
function makeTemporaryFolder(): string {
  const memory = '/dev/shm'
  const isGiven = process.env.TMPDIR !== undefined
  const isRoomy = !isGiven && existsSync(memory) && roomOf(memory) > 2 ** 31
  const folder = mkdtempSync(join(isRoomy ? memory : tmpdir(), 'ventanilla-tests-'))
  // Programs that do not run as root have files in it.
  chmodSync(folder, 0o711)
  return folder
}

function roomOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

const temporaryFolder = makeTemporaryFolder()
process.once('exit', () => rmSync(temporaryFolder, { recursive: true, force: true, maxRetries: 5 }))

const running = new Set<FileProcess>()
let processCount = 0

function startProcess(): FileProcess {
  const output = join(temporaryFolder, `output-${++processCount}`)
  const started = startFileProcess(output, { TMPDIR: temporaryFolder })
  running.add(started)
  return started
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    for (const one of running) one.kill()
    process.exit(1)
  })
}

function report(file: string, ending: Ending, verdict: Verdict): void {
  const isFailed = verdict.failed > 0
  if (isFailed) process.stdout.write(`\n${ending.output.trimEnd()}\n`)
  const counts = [`${verdict.passed} passed`]
  if (isFailed) counts.push(`${verdict.failed} failed`)
  if (verdict.skipped > 0) counts.push(`${verdict.skipped} skipped`)
  console.log(
    `${isFailed ? 'FAIL' : 'ok  '} ${file}: ${counts.join(', ')}, ${ending.durationMs.toFixed(0)} ms`,
  )
  // What a long walk tells of itself.
  if (!isFailed) for (const [, note] of ending.output.matchAll(/^[•✘ ]*(# .+)$/gm)) console.log(note)
  for (const complaint of verdict.complaints) console.log(`     ${file} ${complaint}`)
  for (const reason of verdict.skipReasons) console.log(`     skipped: ${reason}`)
}

const patterns = process.argv.slice(2)
/** Kills, cuts and full disks are played by `npm run test:durability`. */
const isEveryday = (file: string) =>
  patterns.length > 0 || !normalize(file).startsWith(join('test', 'durability', '/'))
const files = new Set<string>()
const totals = { passed: 0, failed: 0, skipped: 0 }
for (const pattern of patterns.length > 0 ? patterns : ['test']) {
  const found = findFiles(pattern).filter(isEveryday)
  for (const file of found) files.add(normalize(file))
  if (found.length > 0) continue
  console.log(`No test files match ${pattern}.`)
  totals.failed += 1
}

const alone = new Set([...files].filter(isAlone))
// Those alone first: they are the longest, and one that began last would leave processors idle.
const waiting = [...files]
  .sort((a, b) => Number(alone.has(b)) - Number(alone.has(a)) || (a < b ? -1 : 1))
  .values()

/** Gives the process for the next file. After a failure there is none, so that nothing of it is met there. */
async function runFile(file: string, shared: FileProcess | null): Promise<FileProcess | null> {
  const used = shared ?? startProcess()
  const ending = await (alone.has(file) ? used.runLast(file, limitMs) : used.run(file, limitMs))
  const verdict = judge(file, ending)
  report(file, ending, verdict)
  totals.passed += verdict.passed
  totals.failed += verdict.failed
  totals.skipped += verdict.skipped
  if (verdict.failed === 0 && !used.hasEnded()) return used
  used.kill()
  running.delete(used)
  return null
}

async function runWaitingFiles(): Promise<void> {
  let shared: FileProcess | null = null
  // The workers share one iterator: each takes the next file as soon as it is free.
  for (const file of waiting) shared = await runFile(file, shared)
  const exitCode = await shared?.end()
  if (!exitCode) return
  console.log(`A process exited with ${exitCode} after its files.`)
  totals.failed += 1
}
await Promise.all(Array.from({ length: filesAtOnce }, runWaitingFiles))

const skippedText = totals.skipped > 0 ? `, ${totals.skipped} skipped` : ''
console.log(`${totals.passed} passed, ${totals.failed} failed${skippedText}`)
process.exitCode = totals.failed > 0 ? 1 : 0
