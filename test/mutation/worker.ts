/**
 * A process that runs test files against one mutant after the other, without starting anew each time. Loops without end
 * are ended by a thread, by what they cost of a processor: a busy machine makes nothing late.
 */
import { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { beginCounting, type Coverage, endCounting } from './coverage.ts'
import {
  beginGeneration,
  hookModules,
  importAfresh,
  knownImports,
  learnImports,
  type Mutation,
} from './modules.ts'
import { forgetSuites, runSuites } from './suites.ts'

export interface Task {
  mutation: Mutation | null
  /** One after the other, up to the first that fails; each may take so much of the processor, or what it wants (0). */
  tests: { file: string; limitMs: number }[]
  /** The files whose coverage is asked for; where there are some, it is told who imports whom, too. */
  counted: string[]
}

export type Imports = ReturnType<typeof knownImports>

export interface Result {
  /** The file and the test that failed, and how; `null` where everything passed. */
  failure: { file: string; message: string } | null
  processorMs: number
  coverage: Coverage | null
  imports: Imports
  /** Something was left behind, or much memory is used: the next task is for another process. */
  isWorn: boolean
}

const maxMemoryBytes = 900 * 2 ** 20

/** Of the guard, a tenth of a second each: so long a file may wait for something that does not come. */
const maxLooks = 2_400

/**
 * When the file began and how long it may take, in milliseconds of the processor, 0 for no limit; then how often the guard has
 * looked since. On a machine that gives the process no processor the guard looks as seldom.
 */
const limits = new Float64Array(new SharedArrayBuffer(24))
const guard = `
  const { workerData: limits } = require('node:worker_threads')
  setInterval(() => {
    const { user, system } = process.cpuUsage()
    const isOver = (user + system) / 1000 - limits[0] > limits[1] || ++limits[2] > ${maxLooks}
    if (limits[1] > 0 && isOver) process.kill(process.pid, 'SIGKILL')
  }, 100)
`
new Worker(guard, { eval: true, workerData: limits }).unref()
hookModules()
// What is generated is the same for every mutant.
fc.configureGlobal({ seed: 20_260_301 })

function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

let answer: ((failure: Result['failure']) => void) | null = null

async function runFile(file: string, limitMs: number): Promise<Result['failure']> {
  limits.set([processorMs(), limitMs, 0])
  forgetSuites()
  const run = async () => {
    await importAfresh(file)
    const message = await runSuites()
    return message === null ? null : { file, message }
  }
  // What waits for ever is over when nothing is left to wait for.
  const stuck = new Promise<Result['failure']>((resolve) => {
    answer = resolve
  })
  const ended = run().catch((error: unknown) => ({ file, message: String(error).split('\n')[0] ?? '' }))
  const failure = await Promise.race([ended, stuck])
  answer = null
  limits.set([0, 0, 0])
  return failure
}

async function perform({ mutation, tests, counted }: Task): Promise<void> {
  const [resources, startedAt] = [process.getActiveResourcesInfo().length, processorMs()]
  beginGeneration(mutation)
  if (counted.length > 0) beginCounting()
  let failure: Result['failure'] = null
  for (const { file, limitMs } of tests) {
    failure ??= await runFile(file, limitMs)
  }
  const result: Result = {
    failure,
    processorMs: processorMs() - startedAt,
    coverage: counted.length > 0 ? endCounting(counted) : null,
    imports: counted.length > 0 ? knownImports() : [],
    isWorn: process.getActiveResourcesInfo().length > resources || process.memoryUsage.rss() > maxMemoryBytes,
  }
  process.exitCode = 0
  process.channel?.ref()
  process.send?.(result)
}

process.on('message', (task: Task | Imports) => {
  if (Array.isArray(task)) return learnImports(task)
  process.channel?.unref()
  void perform(task)
})
process.on('beforeExit', () => answer?.({ file: '', message: 'waits for what never comes' }))
