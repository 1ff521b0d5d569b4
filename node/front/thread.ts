/** One life of a front's thread, from its start to its end, however that comes. */
import type { Worker } from 'node:worker_threads'
import { CommandError } from '../exit-codes.ts'
import { startThread } from '../packed.ts'
import type { CoreCalls } from './core-calls.ts'
import type { FrontTimes } from './front.ts'
import type { FromFront, FrontTask, FrontWork, ToFront } from './messages.ts'
import { createCallee } from './port.ts'

export interface FrontThread {
  /** The port of its listener. Rejects with a CommandError where it cannot listen, or with what it ended with. */
  readonly listening: Promise<number>
  /** Resolves with what has ended it; `null` where it has ended by itself. */
  readonly ended: Promise<Error | null>
  /** Resolves once it answers. @throws what it ended with */
  serve(work: FrontWork, calls: CoreCalls): Promise<void>
  send(message: ToFront): void
  /** `null` where it does not answer in time. */
  metrics(): Promise<string | null>
  /** Resolves once it is gone: by force where it does not end in time. */
  stop(times: FrontTimes): Promise<void>
}

/**
 * Beyond it the thread ends, and another begins. Its young generation is as `--max-semi-space-size` says for all threads, which
 * stands above what one is given; half-spaces of 8 MB here saved 17 MB after a load and took 1 to 9 % of a life (docs/performance.md).
 */
const resourceLimits = { maxOldGenerationSizeMb: 512 }

const metricsWithinMs = 1_000
/** Beyond the times it was given. */
const endWithinMs = 1_500

export function startFrontThread(task: FrontTask): FrontThread {
  const worker = startThread('front-worker', task, resourceLimits)
  const send = (message: ToFront) => worker.postMessage(message)
  const ended = endOf(worker)
  const listening = Promise.withResolvers<number>()
  const serving = Promise.withResolvers<void>()
  let metrics = Promise.withResolvers<string | null>()
  let carryOut: ReturnType<typeof createCallee> | null = null

  worker.on('message', (message: FromFront) => {
    switch (message.kind) {
      case 'calls':
        return carryOut?.(message.calls)
      case 'listening':
        return listening.resolve(message.port)
      case 'refused':
        return listening.reject(new CommandError(message.exitCode, message.message, message.hint))
      case 'serving':
        return serving.resolve()
      case 'metrics':
        return metrics.resolve(message.text)
    }
  })
  void ended.then((error) => {
    const reason = error ?? new Error('The thread of the public listener has ended.')
    listening.reject(reason)
    serving.reject(reason)
    metrics.resolve(null)
  })
  // Whoever waits for them hears of it.
  for (const { promise } of [listening, serving]) promise.catch(() => {})
  return {
    listening: listening.promise,
    ended,
    send,
    serve(work, calls) {
      carryOut = createCallee(calls, (replies) => send({ kind: 'replies', replies }))
      send({ kind: 'serve', work })
      return serving.promise
    },
    metrics() {
      metrics.resolve(null)
      metrics = Promise.withResolvers()
      const { promise, resolve } = metrics
      const timer = setTimeout(resolve, metricsWithinMs, null)
      send({ kind: 'metrics' })
      return promise.finally(() => clearTimeout(timer))
    },
    async stop(times) {
      send({ kind: 'stop', times })
      const terminate = () => void worker.terminate()
      const timer = setTimeout(terminate, times.acceptMs + times.graceMs + endWithinMs)
      await ended
      clearTimeout(timer)
    },
  }
}

function endOf(worker: Worker): Promise<Error | null> {
  return new Promise((resolve) => {
    let failure: Error | null = null
    worker.on('error', (error) => {
      failure = error instanceof Error ? error : new Error(String(error))
    })
    worker.on('exit', () => resolve(failure))
  })
}
