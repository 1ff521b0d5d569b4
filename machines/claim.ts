/**
 * A claim about the cash of an order that has ended: protocol 16.8. Whoever is claimed against agrees or denies; an operator decides;
 * whoever opened it may withdraw it until then.
 *
 * A durable actor as an order is one: no timers, no invokes, time in its events, effects as data. Nothing moves before it is decided.
 */
import { assign, setup } from 'xstate'
import type { Instant } from './time.ts'

/** What is wrong: the cash was handled and is not booked, is booked and was not, twice, with another amount, with false banknotes. */
export const claimKinds = [
  'paid_not_credited',
  'credited_not_paid',
  'twice',
  'wrong_amount',
  'false_note',
] as const
export type ClaimKind = (typeof claimKinds)[number]

export const claimStates = [
  'open',
  'agreed',
  'denied',
  'accepted',
  'upheld',
  'rejected',
  'withdrawn',
] as const
export type ClaimState = (typeof claimStates)[number]

/** In which it waits for somebody. */
export const undecidedStates = ['open', 'agreed', 'denied'] as const satisfies readonly ClaimState[]

export type ClaimParty = 'merchant' | 'provider'
export type Claimant = ClaimParty | 'operator'

/** How a claim ends by somebody's decision. */
export type ClaimDecision = 'accepted' | 'upheld' | 'rejected'

export interface ClaimInput {
  claimId: string
  kind: ClaimKind
  claimant: Claimant
  /** Who is claimed against, and asked. */
  respondent: ClaimParty
  at: Instant
}

export interface ClaimContext extends ClaimInput {
  /** Texts and files that were added since it was opened. */
  evidence: number
  answeredAt: Instant | null
  endedAt: Instant | null
}

export type ClaimEvent =
  | { type: 'claim.answer'; at: Instant; by: ClaimParty; agrees: boolean }
  | { type: 'claim.add_evidence'; at: Instant }
  /** Who is claimed against agrees, as far as is known. */
  | { type: 'claim.accept'; at: Instant }
  /** It is right, whatever is said against it, or nothing is. */
  | { type: 'claim.uphold'; at: Instant }
  | { type: 'claim.reject'; at: Instant }
  | { type: 'claim.withdraw'; at: Instant; by: Claimant }
  /** The exception that it holds was resolved for itself; `isSettled` where that is what the claim asks for. */
  | { type: 'claim.release'; at: Instant; isSettled: boolean }

export type ClaimEffect =
  /** What it asks for is booked, by the table in `claim-postings.ts`. */
  | { type: 'claim.settle'; params: { decision: Exclude<ClaimDecision, 'rejected'> } }
  /** The exception is held no longer; the claim goes on. */
  | { type: 'exception.release'; params: undefined }

const claimSetup = setup({
  types: {} as { context: ClaimContext; events: ClaimEvent; input: ClaimInput },
  guards: {
    isAgreedTo: ({ context, event }) =>
      event.type === 'claim.answer' && event.agrees && event.by === context.respondent,
    isDenied: ({ context, event }) =>
      event.type === 'claim.answer' && !event.agrees && event.by === context.respondent,
    isClaimant: ({ context, event }) => event.type === 'claim.withdraw' && event.by === context.claimant,
    isSettled: ({ event }) => event.type === 'claim.release' && event.isSettled,
  },
  actions: {
    recordAnswer: assign({ answeredAt: ({ event }) => event.at }),
    recordEvidence: assign({ evidence: ({ context }) => context.evidence + 1 }),
    recordEnd: assign({ endedAt: ({ event }) => event.at }),
    'exception.release': () => {},
    'claim.settle': (_, _params: { decision: Exclude<ClaimDecision, 'rejected'> }) => {},
  },
})

const answering = [
  { guard: 'isAgreedTo', target: 'agreed', actions: 'recordAnswer' },
  { guard: 'isDenied', target: 'denied', actions: 'recordAnswer' },
] as const
const withdrawing = { guard: 'isClaimant', target: 'withdrawn', actions: 'recordEnd' } as const
const releasing = [
  // Its money has gone with the exception.
  { guard: 'isSettled', target: 'upheld', actions: 'recordEnd' },
  { actions: 'exception.release' },
] as const
const accepting = {
  target: 'accepted',
  actions: ['recordEnd', { type: 'claim.settle', params: { decision: 'accepted' } }],
} as const
const upholding = {
  target: 'upheld',
  actions: ['recordEnd', { type: 'claim.settle', params: { decision: 'upheld' } }],
} as const
// Nothing moves.
const rejecting = { target: 'rejected', actions: 'recordEnd' } as const

export const claim = claimSetup.createMachine({
  id: 'claim',
  version: '1',
  context: ({ input }) => ({ ...input, evidence: 0, answeredAt: null, endedAt: null }),
  initial: 'open',
  states: {
    open: {
      on: {
        'claim.answer': answering,
        'claim.add_evidence': { actions: 'recordEvidence' },
        'claim.accept': accepting,
        'claim.uphold': upholding,
        'claim.reject': rejecting,
        'claim.withdraw': withdrawing,
        'claim.release': releasing,
      },
    },
    agreed: {
      on: {
        'claim.answer': answering,
        'claim.add_evidence': { actions: 'recordEvidence' },
        'claim.accept': accepting,
        'claim.reject': rejecting,
        'claim.withdraw': withdrawing,
        'claim.release': releasing,
      },
    },
    denied: {
      on: {
        'claim.answer': answering,
        'claim.add_evidence': { actions: 'recordEvidence' },
        'claim.uphold': upholding,
        'claim.reject': rejecting,
        'claim.withdraw': withdrawing,
        'claim.release': releasing,
      },
    },
    accepted: { type: 'final' },
    upheld: { type: 'final' },
    rejected: { type: 'final' },
    withdrawn: { type: 'final' },
  },
})
