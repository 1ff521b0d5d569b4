/**
 * A worker: a live actor that does I/O outside of any transaction and is never persisted.
 *
 * It works when it is woken and at the latest after its poll interval, one pass at a time; a wake during a
 * pass is not lost. After a failed pass it rests, longer each time. Told to stop, it finishes its pass, and then
 * what its passes have begun.
 */
import { assign, fromPromise, setup } from 'xstate'
import type { Instant } from '../../machines/time.ts'

/** What a pass found. */
export interface PassResult {
  /** There is more to do at once. */
  more: boolean
  /** When something falls due next, as far as is known. */
  nextAt?: Instant | null
  /** What the inspector shows of it. */
  seen?: Readonly<Record<string, number>>
}

export interface WorkerInput {
  pass: () => Promise<PassResult>
  /** Ends what the passes have left under way; the worker has stopped after it. */
  finish?: () => Promise<void>
  clock: { now(): Instant }
  /** The longest time between two passes. */
  pollMs: number
  onError: (error: unknown) => void
}

export type WorkerEvent = { type: 'wake' } | { type: 'stop' }

interface WorkerContext extends WorkerInput {
  isWoken: boolean
  isStopping: boolean
  nextAt: Instant | null
  seen: Readonly<Record<string, number>>
  /** Failed passes in a row. */
  failures: number
}

const maxRestMs = 30_000

export const worker = setup({
  types: {} as { context: WorkerContext; events: WorkerEvent; input: WorkerInput },
  actors: {
    pass: fromPromise<PassResult, { pass: WorkerInput['pass'] }>(({ input }) => input.pass()),
    finish: fromPromise<void, { finish: WorkerInput['finish'] }>(async ({ input }) => input.finish?.()),
  },
  guards: {
    isStopping: ({ context }) => context.isStopping,
    hasMore: ({ context }, params: { more: boolean }) => params.more || context.isWoken,
  },
  delays: {
    untilNext: ({ context }) => {
      const wait = context.nextAt === null ? context.pollMs : context.nextAt - context.clock.now()
      return Math.max(0, Math.min(context.pollMs, wait))
    },
    rest: ({ context }) => Math.min(maxRestMs, 250 * 2 ** Math.min(context.failures, 10)),
  },
  actions: {
    remember: assign({
      nextAt: (_, { found }: { found: PassResult }) => found.nextAt ?? null,
      seen: (_, { found }) => found.seen ?? {},
      failures: 0,
    }),
    noteWake: assign({ isWoken: true }),
    forgetWake: assign({ isWoken: false }),
    noteStop: assign({ isStopping: true }),
    countFailure: assign({ failures: ({ context }) => context.failures + 1 }),
    report: ({ context }, params: { error: unknown }) => context.onError(params.error),
  },
}).createMachine({
  id: 'worker',
  context: ({ input }) => ({
    ...input,
    isWoken: false,
    isStopping: false,
    nextAt: null,
    seen: {},
    failures: 0,
  }),
  initial: 'working',
  states: {
    idle: {
      on: { wake: 'working', stop: 'finishing' },
      after: { untilNext: 'working' },
    },
    working: {
      entry: 'forgetWake',
      invoke: {
        src: 'pass',
        input: ({ context }) => ({ pass: context.pass }),
        onDone: [
          { guard: 'isStopping', target: 'finishing' },
          {
            guard: { type: 'hasMore', params: ({ event }) => ({ more: event.output.more }) },
            target: 'working',
            reenter: true,
            actions: { type: 'remember', params: ({ event }) => ({ found: event.output }) },
          },
          {
            target: 'idle',
            actions: { type: 'remember', params: ({ event }) => ({ found: event.output }) },
          },
        ],
        onError: [
          { guard: 'isStopping', target: 'finishing' },
          {
            target: 'resting',
            actions: ['countFailure', { type: 'report', params: ({ event }) => ({ error: event.error }) }],
          },
        ],
      },
      // The pass that runs is not cut off.
      on: { wake: { actions: 'noteWake' }, stop: { actions: 'noteStop' } },
    },
    resting: {
      on: { stop: 'finishing' },
      after: { rest: 'working' },
    },
    finishing: {
      invoke: {
        src: 'finish',
        input: ({ context }) => ({ finish: context.finish }),
        onDone: 'stopped',
        onError: {
          target: 'stopped',
          actions: { type: 'report', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    stopped: { type: 'final' },
  },
})
