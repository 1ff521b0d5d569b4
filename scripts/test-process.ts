/**
 * A process that runs test files one after the other, as the runner (`scripts/test.ts`) names them: most of what a
 * small file costs is the loading of what it tests, which the next file finds loaded.
 *
 * A file is over when nothing of it is left to wait for, which is when a process of its own would have ended. What it
 * changed for the files after it is told; what throws outside its tests ends this process, as it would end its own.
 */
import { flushCompileCache } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { hashCheaply } from './testing/cheap-passwords.ts'
import { changesSince, processState } from './testing/process-state.ts'

/** What the process answers once a file is over. */
export interface FileAnswer {
  exitCode: number
  /** What the file left otherwise than it was, one phrase each. */
  changes: string[]
}

if (process.env.DURABILITY_SHARE !== 'large') hashCheaply()

// Properties are tried with the same inputs in each run, so that one that fails is one that was touched.
fc.configureGlobal({ seed: Number(process.env.TEST_SEED ?? 20_260_301) })

// uvu runs its queue when a file calls `.run()`, unless this is there before it is loaded: then it is told when.
const queue: [name: string | null, ...suites: unknown[]][] = []
Object.assign(globalThis, { UVU_DEFER: true, UVU_QUEUE: queue })
const { exec } = await import('uvu')

let atStart = processState()
let isAtWork = false
let isRunThrough = false

async function run(file: string): Promise<void> {
  isAtWork = true
  isRunThrough = false
  queue.splice(0, queue.length, [null])
  atStart = processState()
  await import(pathToFileURL(resolve(file)).href)
  await exec()
  isRunThrough = true
}

process.on('message', (file: string) => {
  // The channel to the runner is not a thing of the file to wait for.
  process.channel?.unref()
  void run(file)
})

process.on('beforeExit', () => {
  if (!isAtWork) return
  // A test or an import waits for what never comes; uvu's own listener says so.
  if (!isRunThrough) process.exit(13)
  isAtWork = false
  // Not only at its end: what it has compiled is there for the processes that start meanwhile, in a new checkout too.
  flushCompileCache()
  const answer: FileAnswer = {
    exitCode: Number(process.exitCode ?? 0),
    changes: changesSince(atStart),
  }
  process.exitCode = 0
  process.channel?.ref()
  process.send?.(answer)
})
