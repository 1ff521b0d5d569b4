/** A measured server in a process of its own. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Question, Reply } from './protocol.ts'

const compileCache = join(import.meta.dirname, '../../../scripts/compile-cache.cjs')

export interface RunningServer {
  port: number
  /** 0 where there is none. */
  operatorPort: number
  /** From the start of its process to the first request it could have answered, and of that what the node took. */
  readyMs: number
  openMs: number
  codes(limit: number): Promise<string[]>
  /** The same orders by their ids as well; only of the node. */
  readyOrders(limit: number): Promise<{ id: string; code: string }[]>
  /** After a collection of garbage. */
  memory(): Promise<Memory>
  /** What memory it used at most while `work` ran, in kilobytes beyond what it used before. */
  peakKb(work: () => Promise<unknown>): Promise<number>
  /** Milliseconds of processor time since its process began. */
  processorMs(): Promise<number>
  /** One verification in the node's own thread for it. */
  verify(): Promise<{ ok: boolean; seconds: number }>
  stop(): Promise<void>
}

type Memory = Pick<Extract<Reply, { told: 'memory' }>, 'residentMb' | 'heapMb' | 'externalMb'>

/**
 * @param program a file beside this one, or in the folder `servers` of another tree
 * @param folder kept when given, otherwise made and removed
 */
export async function startServer(
  program: 'node.ts' | 'limit.ts' | 'plain.ts' | 'simple.ts' | 'without.ts',
  options: { args?: readonly string[]; folder?: string; servers?: string } = {},
): Promise<RunningServer> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'ventanilla-bench-'))
  const child = fork(
    join(options.servers ?? import.meta.dirname, program),
    [folder, ...(options.args ?? [])],
    {
      // As `npm start` runs it, but for the means to look at its memory.
      execArgv: [
        '-r',
        compileCache,
        '--max-semi-space-size=16',
        '--expose-gc',
        ...process.execArgv.filter((argument) => argument.startsWith('--cpu-prof')),
      ],
    },
  )
  const { port, operatorPort = 0, readyMs, openMs } = await told(child, 'ready')
  const ask = (question: Question) => child.send(question)
  return {
    port,
    operatorPort,
    readyMs,
    openMs,
    async codes(limit) {
      ask({ ask: 'codes', limit })
      return (await told(child, 'codes')).codes
    },
    async readyOrders(limit) {
      ask({ ask: 'codes', limit })
      const { codes, ids = [] } = await told(child, 'codes')
      return ids.map((id, index) => ({ id, code: codes[index] ?? '' }))
    },
    memory() {
      ask({ ask: 'memory' })
      return told(child, 'memory')
    },
    async peakKb(work) {
      ask({ ask: 'watch' })
      await work()
      ask({ ask: 'peak' })
      return (await told(child, 'peak')).kilobytes
    },
    async processorMs() {
      ask({ ask: 'processor' })
      return (await told(child, 'processor')).milliseconds
    },
    verify() {
      ask({ ask: 'verify' })
      return told(child, 'verified')
    },
    async stop() {
      const exited = once(child, 'exit')
      ask({ ask: 'stop' })
      await exited
      if (options.folder === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

function told<What extends Reply['told']>(
  child: ChildProcess,
  what: What,
): Promise<Extract<Reply, { told: What }>> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`the server ended with ${code}`))
    const onMessage = (message: Reply) => {
      if (message.told !== what) return
      child.off('message', onMessage).off('exit', onExit)
      resolve(message as Extract<Reply, { told: What }>)
    }
    child.on('message', onMessage).once('exit', onExit)
  })
}
