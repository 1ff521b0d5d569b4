/**
 * `npm test [-- PATTERN…]`: runs every `test/**\/*.test.ts` as a process of its own and counts what uvu reports.
 *
 * The bare `uvu` command ends with 0 on a throwing `before` hook, on a forgotten `.run()` and on no files at
 * all; here each of those fails, and so do a crash, an exit code and a file that does not end in time.
 * A pattern is a folder, a file or a glob. The last line is `N passed, N failed`, with `, N skipped` if so.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { globSync, readFileSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { normalize } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/** A file that needs longer than this is stuck, or holds what belongs into a benchmark. */
const limitMs = Number(process.env.TEST_LIMIT_MS ?? 180_000)

/** In CI nothing may be missing, so there a skipped test is a failure. */
const isContinuousIntegration = !['', '0', 'false', undefined].includes(process.env.CI)

/**
 * What Node has made of the sources is kept for the next file, whose start would otherwise be a third of its time.
 * Not where lines are counted: compiled code that was kept tells less of them.
 */
const compiledCode =
  process.env.NODE_V8_COVERAGE === undefined ? { NODE_COMPILE_CACHE: 'node_modules/.cache/ventanilla' } : {}

/** One more than there are processors: many files wait for a timer or a disk now and then. */
const filesAtOnce = availableParallelism() + 1

interface Ending {
  output: string
  exitCode: number | null
  signal: string | null
  isLate: boolean
  durationMs: number
}

interface Verdict {
  passed: number
  failed: number
  skipped: number
  /** What is wrong with the file as a whole, one sentence each. */
  complaints: string[]
  /** Reasons the file itself gave, in lines beginning with `SKIP `. */
  skipReasons: string[]
}

function findFiles(pattern: string): string[] {
  const isFolder = statSync(pattern, { throwIfNoEntry: false })?.isDirectory()
  return globSync(isFolder ? `${pattern}/**/*.test.ts` : pattern)
}

const running = new Set<ChildProcess>()

/** Ends a test file with everything it started: each is the leader of its own process group. */
function kill(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    if (process.platform === 'win32') child.kill('SIGKILL')
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The group has already ended.
  }
}

function runFile(file: string): Promise<Ending> {
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    // The condition makes xstate load its development build, which warns of mistakes in charts.
    const child = spawn(process.execPath, ['--conditions=development', file], {
      env: { ...process.env, ...compiledCode },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    })
    running.add(child)
    const chunks: Buffer[] = []
    let isLate = false
    const limit = setTimeout(() => {
      isLate = true
      kill(child)
    }, limitMs)
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('error', reject)
    // What a test file leaves running would hold the pipes open, and the ports of the next files.
    child.on('exit', () => kill(child))
    child.on('close', (exitCode, signal) => {
      clearTimeout(limit)
      running.delete(child)
      const output = stripVTControlCharacters(Buffer.concat(chunks).toString())
      resolve({ output, exitCode, signal, isLate, durationMs: performance.now() - startedAt })
    })
  })
}

const summaryPattern = /^ {2}Total: +(\d+)\n {2}Passed: +(\d+)\n {2}Skipped: +(\d+)$/gm

/**
 * The names of suites whose last use is not their `.run()`. uvu runs only what was registered before it, and
 * says nothing of a second suite whose `.run()` was forgotten.
 */
function suitesNotRun(source: string): string[] {
  const names = [...source.matchAll(/^(?:export )?const (\w+) = suite(?:<.*>)?\(/gm)].map(
    ([, name]) => name ?? '',
  )
  if (/^import \{[^}]*\btest\b[^}]*\} from 'uvu'/m.test(source)) names.push('test')
  return names.filter((name) => {
    const uses = [...source.matchAll(new RegExp(`(?<![\\w.'"\`])${name}((?:\\.\\w+)*)\\(`, 'g'))]
    return uses.at(-1)?.[1] !== '.run'
  })
}

function judge(file: string, ending: Ending): Verdict {
  const { output } = ending
  const summary = [...output.matchAll(summaryPattern)].at(-1)
  const [total, passed, skipped] = summary ? summary.slice(1).map(Number) : []
  const skipReasons = [...output.matchAll(/^SKIP (.+)$/gm)].map(([, reason]) => reason ?? '')
  if (skipped && skipReasons.length === 0) skipReasons.push('no reason given (.skip or .only)')
  const verdict = {
    passed: passed ?? 0,
    failed: (total ?? 0) - (passed ?? 0),
    skipped: Math.max(skipped ?? 0, skipReasons.length),
    complaints: [] as string[],
    skipReasons,
  }
  const complain = (complaint: string) => verdict.complaints.push(complaint)

  if (ending.isLate) complain(`did not end within ${limitMs} ms`)
  else if (ending.signal) complain(`was ended by ${ending.signal}`)
  else if (total === undefined) complain(`exited with ${ending.exitCode} and without a summary`)
  else if (ending.exitCode !== 0 && verdict.failed === 0) complain(`exited with ${ending.exitCode}`)
  else if (ending.exitCode === 0 && verdict.failed > 0)
    complain('a before hook threw: no test of its suite ran')
  if (total === 0 && verdict.skipped === 0) complain('ran no tests')
  for (const name of suitesNotRun(readFileSync(file, 'utf8'))) complain(`does not end with ${name}.run()`)
  if (isContinuousIntegration && verdict.skipped > 0) complain('skips tests, which is not allowed in CI')

  // A file counts as one failure where uvu itself counted none.
  if (verdict.complaints.length > 0 && verdict.failed === 0) verdict.failed = 1
  return verdict
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
  for (const complaint of verdict.complaints) console.log(`     ${file} ${complaint}`)
  for (const reason of verdict.skipReasons) console.log(`     skipped: ${reason}`)
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    for (const child of running) kill(child)
    process.exit(1)
  })
}

const patterns = process.argv.length > 2 ? process.argv.slice(2) : ['test']
const files = new Set<string>()
const totals = { passed: 0, failed: 0, skipped: 0 }
for (const pattern of patterns) {
  const found = findFiles(pattern)
  for (const file of found) files.add(normalize(file))
  if (found.length > 0) continue
  console.log(`No test files match ${pattern}.`)
  totals.failed += 1
}

const waiting = [...files].sort().values()
async function runWaitingFiles(): Promise<void> {
  // The workers share one iterator: each takes the next file as soon as it is free.
  for (const file of waiting) {
    const ending = await runFile(file)
    const verdict = judge(file, ending)
    report(file, ending, verdict)
    totals.passed += verdict.passed
    totals.failed += verdict.failed
    totals.skipped += verdict.skipped
  }
}
await Promise.all(Array.from({ length: filesAtOnce }, runWaitingFiles))

const skippedText = totals.skipped > 0 ? `, ${totals.skipped} skipped` : ''
console.log(`${totals.passed} passed, ${totals.failed} failed${skippedText}`)
process.exitCode = totals.failed > 0 ? 1 : 0
