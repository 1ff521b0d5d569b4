/**
 * `npm run soak -- mutation`, or `node test/mutation/main.ts [TARGET or FILE or FILE:LINE…]`: mutates the machines, money, fees, matching
 * and signatures, runs the tests that reach each mutant, and prints what survived and a table. It ends with 0 where each
 * file's score is at least 90 %, without those that `equivalents.ts` names.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Coverage, hasRun } from './coverage.ts'
import { equivalents } from './equivalents.ts'
import { root } from './modules.ts'
import { type Mutant, mutantsOf, mutated } from './mutants.ts'
import { Processes } from './processes.ts'
import { type Target, targets } from './targets.ts'
import type { Imports } from './worker.ts'

const leastScore = 0.9
const counts = ['killed', 'late', 'crashed', 'survived', 'equivalent'] as const
type Verdict = (typeof counts)[number]

interface Control {
  test: string
  processorMs: number
  coverage: Coverage
}

const asked = process.argv.slice(2)
const folder = mkdtempSync(join(tmpdir(), 'ventanilla-mutation-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
const environment = { TMPDIR: folder, NODE_COMPILE_CACHE: 'node_modules/.cache/ventanilla' }
const imports: Imports = []

/** A file, or a line of it; without a line, whether any of its lines is. */
function isAsked(file: string, line?: number): boolean {
  const ofFile = asked.some((one) => one === file || (line === undefined && one.startsWith(`${file}:`)))
  return asked.length === 0 || ofFile || asked.includes(`${file}:${line}`)
}

/** Each job by the first that is free of so many as there are processors. */
async function inParallel<Job>(
  jobs: readonly Job[],
  work: (processes: Processes, job: Job) => Promise<void>,
) {
  const waiting = jobs.values()
  await Promise.all(
    Array.from({ length: availableParallelism() }, async () => {
      const processes = new Processes(environment, imports)
      for (const job of waiting) await work(processes, job)
      processes.end()
    }),
  )
}

/** The tests without any mutant: what they reach and what they cost. */
async function runControls({ files, tests }: Target): Promise<Control[]> {
  const controls: Control[] = []
  await inParallel(tests, async (processes, test) => {
    const ending = await processes.run({
      mutation: null,
      tests: [{ file: test, limitMs: 0 }],
      counted: [...files],
    })
    if (ending.kind !== 'answered') throw new Error(`${test}: ${ending.kind} without any mutant`)
    const { failure, processorMs, coverage } = ending.result
    if (failure !== null) throw new Error(`${test} fails without any mutant: ${failure.message}`)
    imports.push(...ending.result.imports)
    controls.push({ test, processorMs, coverage: coverage ?? {} })
  })
  return controls.toSorted((a, b) => a.processorMs - b.processorMs)
}

async function judge(
  processes: Processes,
  { file, text, mutant }: { file: string; text: string; mutant: Mutant },
  controls: readonly Control[],
): Promise<Exclude<Verdict, 'equivalent'>> {
  const reaching = controls.filter(({ coverage }) => hasRun(coverage, file, mutant.start, mutant.end))
  if (reaching.length === 0) return 'survived'
  const ending = await processes.run({
    mutation: { file, text: mutated(text, mutant) },
    tests: reaching.map(({ test, processorMs }) => ({ file: test, limitMs: 2_000 + 10 * processorMs })),
    counted: [],
  })
  if (ending.kind !== 'answered') return ending.kind
  return ending.result.failure === null ? 'survived' : 'killed'
}

type Tally = Record<Verdict, number>

/** Killed, by whatever, of those that could be. */
function scoreOf(tally: Tally): number {
  const found = tally.killed + tally.late + tally.crashed
  return found / Math.max(1, found + tally.survived)
}

async function runTarget(name: string, target: Target): Promise<Map<string, Tally>> {
  const controls = await runControls(target)
  console.log(
    `== ${name}: ${controls.map(({ test, processorMs }) => `${test} ${processorMs.toFixed(0)} ms`).join(', ')}`,
  )
  const files = target.files.filter((file) => asked.includes(name) || isAsked(file))
  const tallies = new Map(files.map((file) => [file, emptyTally()]))
  const jobs = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return mutantsOf(text)
      .filter(({ line }) => asked.includes(name) || isAsked(file, line))
      .map((mutant) => ({ file, text, mutant }))
  })
  await inParallel(jobs, async (processes, job) => {
    const { file, mutant } = job
    const verdict = await judge(processes, job, controls)
    const known = equivalents.find(
      (one) => one.file === file && one.line === mutant.lineText && one.change === mutant.change,
    )
    const tally = tallies.get(file) ?? emptyTally()
    tally[verdict === 'survived' && known !== undefined ? 'equivalent' : verdict] += 1
    if (verdict === 'survived' && known === undefined)
      console.log(
        `survived ${file}:${mutant.line} (${mutant.operator}) ${mutant.lineText}\n  ${mutant.change}`,
      )
    if (verdict !== 'survived' && known !== undefined)
      console.log(`not equivalent ${file}:${mutant.line} ${mutant.change}`)
  })
  return tallies
}

function emptyTally(): Tally {
  return { killed: 0, late: 0, crashed: 0, survived: 0, equivalent: 0 }
}

function row(file: string, tally: Tally): string {
  const numbers = counts.map((count) => String(tally[count]).padStart(count.length + 1))
  const sum = counts.reduce((total, count) => total + tally[count], 0)
  const score = `${(100 * scoreOf(tally)).toFixed(1)} %`
  return `${file.padEnd(44)}${String(sum).padStart(8)}${numbers.join('')}${score.padStart(9)}`
}

const startedAt = performance.now()
const all = new Map<string, Tally>()
for (const [name, target] of Object.entries(targets)) {
  if (!asked.includes(name) && !target.files.some((file) => isAsked(file))) continue
  for (const [file, tally] of await runTarget(name, target)) all.set(file, tally)
}
console.log(`${'file'.padEnd(44)} mutants ${counts.join(' ')}    score`)
const total = emptyTally()
for (const [file, tally] of all) {
  console.log(row(file, tally))
  for (const count of counts) total[count] += tally[count]
}
console.log(row('together', total))
console.log(`${((performance.now() - startedAt) / 60_000).toFixed(1)} min`)
process.exitCode = [...all.values()].every((tally) => scoreOf(tally) >= leastScore) ? 0 : 1
