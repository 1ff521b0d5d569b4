/** The runner's end of the processes that mutants are run in: each is replaced when it is worn, or has ended. */
import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { root } from './modules.ts'
import type { Imports, Result, Task } from './worker.ts'

export type Ending = { kind: 'answered'; result: Result } | { kind: 'late' } | { kind: 'crashed' }

export class Processes {
  #child: ChildProcess | null = null
  readonly #environment: NodeJS.ProcessEnv
  readonly #imports: Imports

  /** @param imports who imports whom, as far as it is known */
  constructor(environment: NodeJS.ProcessEnv, imports: Imports) {
    this.#environment = environment
    this.#imports = imports
  }

  async run(task: Task): Promise<Ending> {
    if (this.#child === null) {
      this.#child = this.#start()
      this.#child.send(this.#imports)
    }
    const ending = await ask(this.#child, task)
    if (ending.kind !== 'answered' || ending.result.isWorn) this.end()
    return ending
  }

  end(): void {
    this.#child?.kill('SIGKILL')
    this.#child = null
  }

  #start(): ChildProcess {
    return fork(join(import.meta.dirname, 'worker.ts'), {
      cwd: root,
      execArgv: ['--conditions=development', '--disable-warning=ExperimentalWarning'],
      env: { ...process.env, ...this.#environment },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
  }
}

function ask(child: ChildProcess, task: Task): Promise<Ending> {
  return new Promise((resolve) => {
    const finish = (ending: Ending) => {
      child.off('message', onMessage)
      child.off('exit', onExit)
      resolve(ending)
    }
    const onMessage = (result: Result) => finish({ kind: 'answered', result })
    // So the guard ends one that takes too much of the processor, or waits for what does not come.
    const onExit = (_: number | null, signal: string | null) =>
      finish(signal === 'SIGKILL' ? { kind: 'late' } : { kind: 'crashed' })
    child.on('message', onMessage)
    child.on('exit', onExit)
    child.send(task)
  })
}
