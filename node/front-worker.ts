/** The thread of a front: it owns the public listener, reads on a connection of its own, and asks the core for the rest. */
import { parentPort, workerData } from 'node:worker_threads'
import { Registry } from 'prom-client'
import { sandboxClockOver } from '../actors/sandbox/clock.ts'
import { createLimits } from '../http/limits/limits.ts'
import { openSqliteReads, type Reads } from '../persistence/sqlite/reads.ts'
import { CommandError } from './exit-codes.ts'
import { createFrontApplication } from './front/application.ts'
import { openPublicListener, type PublicListener } from './front/listener.ts'
import type { FromFront, FrontTask, FrontWork, ToFront } from './front/messages.ts'
import { createCaller } from './front/port.ts'
import { shareState } from './front/shared-state.ts'
import { openLog } from './log.ts'
import { addUtilization } from './metrics/front.ts'
import { createRequestTallies } from './metrics/requests.ts'
import { returnSpareMemory } from './spare-memory.ts'
import { clockOf } from './system-clock.ts'

const task: FrontTask = workerData
const log = openLog(task.log)
const machine = clockOf(task.clock)
const clock = task.ahead === null ? machine : sandboxClockOver(machine, task.ahead)
const state = shareState(task.state)
const tell = (message: FromFront) => parentPort?.postMessage(message)
const { calls, settle } = createCaller((asked) => tell({ kind: 'calls', calls: asked }))
const registry = new Registry()
const { observe } = createRequestTallies(registry)
addUtilization(registry)
let listener: PublicListener | null = null
let reads: Reads | null = null

parentPort?.on('message', async (message: ToFront) => {
  switch (message.kind) {
    case 'replies':
      return settle(message.replies)
    case 'wake':
      return reads?.wake(message.topics)
    case 'serve':
      return serve(message.work)
    case 'metrics':
      return tell({ kind: 'metrics', text: await registry.metrics() })
    case 'stop':
      await listener?.stop(message.times)
      reads?.close()
      return parentPort?.close()
  }
})

async function begin(): Promise<void> {
  try {
    listener = await openPublicListener({ http: task.http, clock: machine, log })
    tell({ kind: 'listening', port: listener.port })
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    const { exitCode, message, hint } = error
    tell({ kind: 'refused', exitCode, message, hint })
    parentPort?.close()
  }
}

function serve({ facts, file }: FrontWork): void {
  if (listener === null) throw new Error('A front serves once it listens.')
  const { addresses } = listener
  const store = openSqliteReads(file, state)
  reads = store
  const limits = createLimits(facts.settings.limits)
  const parts = { facts, conditions: state, calls, store, clock, log, limits, addresses, observe }
  listener.serve(createFrontApplication(parts), limits)
  returnSpareMemory()
  tell({ kind: 'serving' })
}

// A rejection ends the thread with the error, as its starter expects.
void begin()
