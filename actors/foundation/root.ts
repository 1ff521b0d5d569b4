/**
 * The root actor: every worker is its child, starts with it, and has finished its work when it has stopped.
 *
 * Any actor logic that takes `stop` and then ends can be a worker; `wake` reaches those that know it.
 */
import { type AnyActorLogic, type AnyActorRef, createMachine } from 'xstate'

export interface WorkerDefinition {
  /** Its name in the inspector, the log and `/readyz`. */
  id: string
  logic: AnyActorLogic
  input: unknown
}

export type RootEvent =
  | { type: 'worker.wake'; id: string }
  | { type: 'workers.stop' }
  | { type: `xstate.done.actor.${string}` }
  | { type: `xstate.error.actor.${string}` }

export interface RootContext {
  workers: Readonly<Record<string, AnyActorRef>>
}

const haveAllEnded = ({ context }: { context: RootContext }) =>
  Object.values(context.workers).every((ref) => ref.getSnapshot().status !== 'active')

export const root = createMachine({
  id: 'root',
  types: {} as {
    context: RootContext
    events: RootEvent
    input: { workers: readonly WorkerDefinition[] }
  },
  context: ({ input, spawn }) => ({
    workers: Object.fromEntries(
      input.workers.map(({ id, logic, input: its }): [string, AnyActorRef] => [
        id,
        spawn(logic, { id, input: its }),
      ]),
    ),
  }),
  initial: 'running',
  states: {
    running: {
      on: {
        'worker.wake': {
          actions: ({ context, event }) => context.workers[event.id]?.send({ type: 'wake' }),
        },
        'workers.stop': 'stopping',
      },
    },
    stopping: {
      entry: ({ context }) => {
        for (const ref of Object.values(context.workers)) ref.send({ type: 'stop' })
      },
      always: { guard: haveAllEnded, target: 'stopped' },
      on: {
        'xstate.done.actor.*': { guard: haveAllEnded, target: 'stopped' },
        'xstate.error.actor.*': { guard: haveAllEnded, target: 'stopped' },
      },
    },
    stopped: { type: 'final' },
  },
})
