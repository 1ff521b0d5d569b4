/** The runner's end of a process that runs test files (`scripts/test-process.ts`). */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { FileAnswer } from '../test-process.ts'
import type { Ending } from './verdict.ts'

/**
 * What Node has made of the sources is kept for the next process, whose start would otherwise take several times as
 * long. Not where lines are counted: compiled code that was kept tells less of them.
 */
const compiledCode =
  process.env.NODE_V8_COVERAGE === undefined
    ? { NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.cache/ventanilla') }
    : {}

export interface FileProcess {
  /** Runs a file, after which the process is there for the next one, unless it has ended with it. */
  run(file: string, limitMs: number): Promise<Ending>
  /** Runs a file, and the process ends after it as it would if the file had been started by itself. */
  runLast(file: string, limitMs: number): Promise<Ending>
  /** Lets it end, and gives its exit code. */
  end(): Promise<number | null>
  hasEnded(): boolean
  /** Ends it with everything that its files started: it is the leader of its own process group. */
  kill(): void
}

/** @param outputFile takes what the process and all it starts write; a pipe would stay open as long as any of them. */
export function startFileProcess(outputFile: string, environment: NodeJS.ProcessEnv): FileProcess {
  const outputEnd = openSync(outputFile, 'a')
  // The condition makes xstate load its development build, which warns of mistakes in charts.
  const words = ['--conditions=development', join(import.meta.dirname, '../test-process.ts')]
  const child = spawn(process.execPath, words, {
    env: { ...process.env, ...compiledCode, ...environment },
    stdio: ['ignore', outputEnd, outputEnd, 'ipc'],
    detached: process.platform !== 'win32',
  })
  closeSync(outputEnd)
  let end: Pick<Ending, 'exitCode' | 'signal'> | null = null
  const ended = new Promise<Pick<Ending, 'exitCode' | 'signal'>>((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (exitCode, signal) => {
      end = { exitCode, signal }
      // What a test file leaves running would hold the ports of the next files.
      killGroup(child)
      resolve(end)
    })
  })
  const letEnd = () => {
    if (child.connected) child.disconnect()
    return ended
  }
  let bytesRead = 0
  const readOutput = () => {
    const written = readFileSync(outputFile)
    const output = stripVTControlCharacters(written.subarray(bytesRead).toString())
    bytesRead = written.length
    return output
  }

  async function run(file: string, limitMs: number, isLast: boolean): Promise<Ending> {
    const startedAt = performance.now()
    let isLate = false
    const limit = setTimeout(() => {
      isLate = true
      killGroup(child)
    }, limitMs)
    const answered = new Promise<FileAnswer>((resolve) => child.once('message', resolve))
    child.send(file)
    const answer = await Promise.race([answered, ended.then(() => null)])
    if (isLast) await letEnd()
    clearTimeout(limit)
    return {
      output: readOutput(),
      // A process that ends well after its file says nothing of the file's own code.
      exitCode: end === null || end.exitCode === 0 ? (answer?.exitCode ?? 0) : end.exitCode,
      signal: end?.signal ?? null,
      changes: isLast ? [] : (answer?.changes ?? []),
      limitMs: isLate ? limitMs : null,
      durationMs: performance.now() - startedAt,
    }
  }
  return {
    run: (file, limitMs) => run(file, limitMs, false),
    runLast: (file, limitMs) => run(file, limitMs, true),
    end: async () => (await letEnd()).exitCode,
    hasEnded: () => end !== null,
    kill: () => killGroup(child),
  }
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    if (process.platform === 'win32') child.kill('SIGKILL')
    else process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The group has already ended.
  }
}
