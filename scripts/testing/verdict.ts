/** What a test file's output and its ending say about it. */
import { readFileSync } from 'node:fs'

/** In CI nothing may be missing, so there a skipped test is a failure. */
const isContinuousIntegration = !['', '0', 'false', undefined].includes(process.env.CI)

export interface Ending {
  output: string
  exitCode: number | null
  signal: string | null
  /** What the file left otherwise in the process that it shares. */
  changes: string[]
  /** How long it was given, where that was not enough. */
  limitMs: number | null
  durationMs: number
}

export interface Verdict {
  passed: number
  failed: number
  skipped: number
  /** What is wrong with the file as a whole, one sentence each. */
  complaints: string[]
  /** Reasons the file itself gave, in lines beginning with `SKIP `. */
  skipReasons: string[]
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

export function judge(file: string, ending: Ending): Verdict {
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

  if (ending.limitMs !== null) complain(`did not end within ${ending.limitMs} ms`)
  else if (ending.signal) complain(`was ended by ${ending.signal}`)
  else if (total === undefined) complain(`exited with ${ending.exitCode} and without a summary`)
  else if (ending.exitCode !== 0 && verdict.failed === 0) complain(`exited with ${ending.exitCode}`)
  else if (ending.exitCode === 0 && verdict.failed > 0)
    complain('a before hook threw, or what a test threw cannot be printed')
  if (total === 0 && verdict.skipped === 0) complain('ran no tests')
  for (const name of suitesNotRun(readFileSync(file, 'utf8'))) complain(`does not end with ${name}.run()`)
  if (ending.changes.length > 0)
    complain(
      `changes ${ending.changes.join(', ')} for the files after it: put back, or say that it runs alone`,
    )
  if (isContinuousIntegration && verdict.skipped > 0) complain('skips tests, which is not allowed in CI')

  // A file counts as one failure where uvu itself counted none.
  if (verdict.complaints.length > 0 && verdict.failed === 0) verdict.failed = 1
  return verdict
}
