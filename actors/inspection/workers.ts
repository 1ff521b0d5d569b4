/** The live workers, as an inspector may see them: what they are doing, and nothing of what they are made of. */
import type { AnyActorRef } from 'xstate'

export interface WorkerState {
  name: string
  /** `idle`, `working`, `resting` … */
  state: string
  failures: number
  /** What its last pass found. */
  seen: Readonly<Record<string, number>>
}

export interface Inspection {
  workers(): WorkerState[]
}

/** @param root the root actor; `null` until it has been started. */
export function workerStates(root: AnyActorRef | null): WorkerState[] {
  const { workers = {} } = root?.getSnapshot().context ?? {}
  return Object.entries(workers as Record<string, AnyActorRef>).map(([name, worker]) => {
    const { value, context } = worker.getSnapshot()
    return { name, state: String(value), failures: context.failures, seen: context.seen }
  })
}
