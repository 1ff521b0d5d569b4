/**
 * A payment between the operator and a party, by a bank: protocol 15.8. One that goes out is ordered, sent and booked; one that comes in
 * is booked at once, because money that has come is a fact. Either may be returned.
 *
 * A durable actor as an order is one: no timers, no invokes, time in its events, effects as data.
 */
import { assign, not, setup } from 'xstate'
import type { Instant } from './time.ts'

export type PaymentDirection = 'out' | 'in'

export const paymentStates = ['ordered', 'sent', 'booked', 'returned'] as const
export type PaymentState = (typeof paymentStates)[number]

export interface PaymentInput {
  paymentId: string
  direction: PaymentDirection
  /** Minor units as a decimal string. */
  amount: string
  currency: string
  /** When it was ordered; of one that came in, when it was booked. */
  at: Instant
}

export interface PaymentContext extends PaymentInput {
  sentAt: Instant | null
  bookedAt: Instant | null
  returnedAt: Instant | null
}

export type PaymentEvent =
  /** The bank has the order. */
  | { type: 'payment.send'; at: Instant }
  /** The bank's entry says that it went out. */
  | { type: 'payment.book'; at: Instant }
  /** `isExported` where the file of its run has it: the bank may pay it, whoever says that it was not sent. */
  | { type: 'payment.return'; at: Instant; reason: string; isExported?: true }

/**
 * order: from where it was owed to *transit*. restore: back. book: from *transit* to the bank. bounce: from the bank to *transit*.
 * receive: from the bank to whom it came from. withdraw: back.
 */
export type PaymentMovement = 'order' | 'restore' | 'book' | 'bounce' | 'receive' | 'withdraw'

export type PaymentEffect =
  | { type: 'money.move'; params: { movement: PaymentMovement } }
  /** It settles what is due, the oldest statement first. */
  | { type: 'due.settle'; params: undefined }
  /** What it settled is due again. */
  | { type: 'due.release'; params: undefined }

const paymentSetup = setup({
  types: {} as { context: PaymentContext; events: PaymentEvent; input: PaymentInput },
  guards: {
    isIncoming: ({ context }) => context.direction === 'in',
    isExported: ({ event }) => 'isExported' in event,
  },
  actions: {
    recordSent: assign({ sentAt: ({ event }) => event.at }),
    recordBooked: assign({ bookedAt: ({ event }) => event.at }),
    recordArrived: assign({ bookedAt: ({ context }) => context.at }),
    recordReturned: assign({ returnedAt: ({ event }) => event.at }),
    'money.move': (_, _params: { movement: PaymentMovement }) => {},
    'due.settle': () => {},
    'due.release': () => {},
  },
})

export const payment = paymentSetup.createMachine({
  id: 'payment',
  version: '1',
  context: ({ input }) => ({ ...input, sentAt: null, bookedAt: null, returnedAt: null }),
  initial: 'begun',
  states: {
    /** Left in the step that makes the payment: it is never stored. */
    begun: {
      always: [
        {
          guard: 'isIncoming',
          target: 'booked',
          actions: ['recordArrived', { type: 'money.move', params: { movement: 'receive' } }, 'due.settle'],
        },
        {
          target: 'ordered',
          actions: [{ type: 'money.move', params: { movement: 'order' } }, 'due.settle'],
        },
      ],
    },
    ordered: {
      on: {
        'payment.send': { target: 'sent', actions: 'recordSent' },
        // The bank's entry proves that it was sent.
        'payment.book': {
          target: 'booked',
          actions: ['recordBooked', { type: 'money.move', params: { movement: 'book' } }],
        },
        'payment.return': {
          guard: not('isExported'),
          target: 'returned',
          actions: ['recordReturned', { type: 'money.move', params: { movement: 'restore' } }, 'due.release'],
        },
      },
    },
    sent: {
      on: {
        'payment.book': {
          target: 'booked',
          actions: ['recordBooked', { type: 'money.move', params: { movement: 'book' } }],
        },
        'payment.return': {
          target: 'returned',
          actions: ['recordReturned', { type: 'money.move', params: { movement: 'restore' } }, 'due.release'],
        },
      },
    },
    booked: {
      on: {
        'payment.return': [
          {
            guard: 'isIncoming',
            target: 'returned',
            actions: [
              'recordReturned',
              { type: 'money.move', params: { movement: 'withdraw' } },
              'due.release',
            ],
          },
          {
            target: 'returned',
            actions: [
              'recordReturned',
              { type: 'money.move', params: { movement: 'bounce' } },
              { type: 'money.move', params: { movement: 'restore' } },
              'due.release',
            ],
          },
        ],
      },
    },
    returned: { type: 'final' },
  },
})
