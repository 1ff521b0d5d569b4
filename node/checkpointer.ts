/** Moves SQLite's log into the database in a worker thread. */
import type { Worker } from 'node:worker_threads'
import type { Checkpointer } from '../persistence/sqlite/checkpoints.ts'
import { startThread } from './packed.ts'

export interface CheckpointTask {
  /** The database's. */
  file: string
}

export type CheckpointRequest = 'move' | 'close'

export type CheckpointMessage = { isAllMoved: boolean } | { problem: string }

/** One thread for as long as the database is open, from the first time that its log is long. */
export function createCheckpointer(file: string): Checkpointer {
  let thread: Worker | null = null
  let moving = Promise.withResolvers<boolean>()
  let ended = Promise.withResolvers<void>()

  function start(): Worker {
    ended = Promise.withResolvers()
    const started = startThread('checkpoint-worker', { file } satisfies CheckpointTask)
    started.on('message', (message: CheckpointMessage) => {
      // While it has nothing to do it keeps no process alive.
      started.unref()
      if ('isAllMoved' in message) moving.resolve(message.isAllMoved)
      else moving.reject(new Error(`SQLite's log could not be moved into the database: ${message.problem}`))
    })
    started.on('error', (error) => moving.reject(error))
    started.on('exit', () => {
      // The next attempt starts another.
      thread = null
      moving.reject(new Error("The thread that moves SQLite's log has ended."))
      ended.resolve()
    })
    return started
  }

  return {
    checkpoint() {
      moving = Promise.withResolvers()
      thread ??= start()
      thread.ref()
      thread.postMessage('move' satisfies CheckpointRequest)
      return moving.promise
    },
    async close() {
      if (thread === null) return
      thread.ref()
      thread.postMessage('close' satisfies CheckpointRequest)
      await ended.promise
    },
  }
}
