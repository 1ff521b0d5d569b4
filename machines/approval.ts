/**
 * An approval: somebody asked for an operation that needs a second person (protocol 19). Whoever may approve it approves or refuses,
 * and takes that back, by refusing, as long as it is not carried out; whoever asked may withdraw; what was approved is carried out once.
 *
 * A durable actor as a claim is one: no timers, no invokes, time in its events. Nothing moves before it is carried out, and it is
 * told of that in the very step that moves.
 */
import { assign, setup } from 'xstate'
import type { Instant } from './time.ts'

export const approvalStates = [
  'asked',
  'approved',
  'carried_out',
  'failed',
  'refused',
  'withdrawn',
  'expired',
  'void',
] as const
export type ApprovalState = (typeof approvalStates)[number]

/** In which it waits for somebody. */
export const openApprovalStates = ['asked', 'approved'] as const satisfies readonly ApprovalState[]

export interface ApprovalInput {
  approvalId: string
  operation: string
  /** As the audit log names them. */
  askedBy: string
  at: Instant
  expiresAt: Instant
}

export interface ApprovalContext extends ApprovalInput {
  decidedBy: string | null
  decidedAt: Instant | null
  endedAt: Instant | null
}

export type ApprovalEvent =
  | { type: 'approval.approve'; at: Instant; by: string }
  | { type: 'approval.refuse'; at: Instant; by: string }
  | { type: 'approval.withdraw'; at: Instant; by: string }
  | { type: 'approval.expire'; at: Instant }
  /** What was asked for is not what it would be any more: its object moved, or a restore has lost what came of it. */
  | { type: 'approval.void'; at: Instant }
  | { type: 'approval.carry_out'; at: Instant }
  /** The operation refused: nothing was changed. */
  | { type: 'approval.fail'; at: Instant }

const approvalSetup = setup({
  types: {} as { context: ApprovalContext; events: ApprovalEvent; input: ApprovalInput },
  guards: {
    /** Nobody approves what they have asked for, and nobody after its time. */
    isOtherInTime: ({ context, event }) =>
      event.type === 'approval.approve' && event.by !== context.askedBy && event.at < context.expiresAt,
    isAsker: ({ context, event }) => event.type === 'approval.withdraw' && event.by === context.askedBy,
    isInTime: ({ context, event }) => event.at < context.expiresAt,
    isLate: ({ context, event }) => event.at >= context.expiresAt,
  },
  actions: {
    recordDecision: assign({
      decidedBy: ({ context, event }) => ('by' in event ? event.by : context.decidedBy),
      decidedAt: ({ event }) => event.at,
    }),
    recordEnd: assign({ endedAt: ({ event }) => event.at }),
  },
})

const withdrawing = { guard: 'isAsker', target: 'withdrawn', actions: 'recordEnd' } as const
const expiring = { guard: 'isLate', target: 'expired', actions: 'recordEnd' } as const
const voiding = { target: 'void', actions: 'recordEnd' } as const
const refusing = { target: 'refused', actions: ['recordDecision', 'recordEnd'] } as const

export const approval = approvalSetup.createMachine({
  id: 'approval',
  version: '1',
  context: ({ input }) => ({ ...input, decidedBy: null, decidedAt: null, endedAt: null }),
  initial: 'asked',
  states: {
    asked: {
      on: {
        'approval.approve': { guard: 'isOtherInTime', target: 'approved', actions: 'recordDecision' },
        'approval.refuse': refusing,
        'approval.withdraw': withdrawing,
        'approval.expire': expiring,
        'approval.void': voiding,
      },
    },
    approved: {
      on: {
        'approval.carry_out': { guard: 'isInTime', target: 'carried_out', actions: 'recordEnd' },
        'approval.fail': { target: 'failed', actions: 'recordEnd' },
        // It waits for whoever asked, or for a node that was killed: until then anybody who may refuse it still can.
        'approval.refuse': refusing,
        'approval.withdraw': withdrawing,
        'approval.expire': expiring,
        'approval.void': voiding,
      },
    },
    carried_out: { type: 'final' },
    failed: { type: 'final' },
    refused: { type: 'final' },
    withdrawn: { type: 'final' },
    expired: { type: 'final' },
    void: { type: 'final' },
  },
})
