/**
 * The foreign-currency pay-out: protocol 3.2. The end user sends an asset on a blockchain, and the
 * order is READY once all of it has arrived.
 *
 * CREATED has two states inside: the first transaction is being built, or it was offered and funds are awaited. A
 * deposit counts in both: who knows the order's reference can pay without our transaction.
 */
import { and, not } from 'xstate'
import { newOrder, orderSetup } from './order.ts'

export const payOutForeign = orderSetup.createMachine({
  id: 'payOutForeign',
  version: '1',
  context: newOrder,
  initial: 'open',
  states: {
    open: {
      initial: 'CREATED',
      on: {
        'operator.cancel': [
          // Nobody knows where the cash of a locked order is: its money waits for a person to say so.
          {
            guard: and(['isLocked', 'isForced']),
            target: 'CANCELLED',
            actions: [
              'touch',
              { type: 'money.move', params: { movement: 'suspend' } },
              { type: 'exception.open', params: { kind: 'cancelled_while_locked' } },
            ],
          },
          {
            guard: and([not('isLocked'), 'isReserved']),
            target: 'CANCELLED',
            actions: [
              'touch',
              { type: 'money.move', params: { movement: 'unwind' } },
              { type: 'exception.open', params: { kind: 'refund_due' } },
            ],
          },
          {
            guard: and([not('isLocked'), 'hasDeposit']),
            target: 'CANCELLED',
            actions: [
              'touch',
              { type: 'money.move', params: { movement: 'abandon' } },
              { type: 'exception.open', params: { kind: 'refund_due' } },
            ],
          },
          { guard: not('isLocked'), target: 'CANCELLED', actions: 'touch' },
        ],
        'order.expire': [
          {
            guard: and(['isDue', 'isLocked']),
            target: 'EXPIRED',
            actions: [
              'touch',
              { type: 'money.move', params: { movement: 'suspend' } },
              { type: 'exception.open', params: { kind: 'expired_while_locked' } },
            ],
          },
          {
            guard: and(['isDue', 'isReserved']),
            target: 'EXPIRED',
            actions: [
              'touch',
              { type: 'money.move', params: { movement: 'unwind' } },
              { type: 'exception.open', params: { kind: 'refund_due' } },
            ],
          },
          {
            guard: and(['isDue', 'hasDeposit']),
            target: 'EXPIRED',
            actions: [
              'touch',
              { type: 'money.move', params: { movement: 'abandon' } },
              { type: 'exception.open', params: { kind: 'refund_due' } },
            ],
          },
          { guard: 'isDue', target: 'EXPIRED', actions: 'touch' },
        ],
      },
      states: {
        CREATED: {
          initial: 'building',
          on: {
            'funds.credit': [
              {
                guard: 'isFunded',
                target: 'READY',
                actions: [
                  'touch',
                  'recordDeposit',
                  'recordReserved',
                  { type: 'money.move', params: { movement: 'exchange' } },
                  'merchant.notify',
                ],
              },
              { actions: ['touch', 'recordDeposit'] },
            ],
            // A person's word comes too late once the order could not be paid out any more.
            'funds.accept': [
              {
                guard: and([not('isPastExpiry'), 'isFunded']),
                target: 'READY',
                actions: [
                  'touch',
                  'recordDeposit',
                  'recordReserved',
                  { type: 'money.move', params: { movement: 'exchange' } },
                  'merchant.notify',
                ],
              },
              { guard: not('isPastExpiry'), actions: ['touch', 'recordDeposit'] },
            ],
            // Only while it waits for its chain can an outage end it; otherwise `open` does.
            'order.expire': [
              {
                guard: and(['isDue', 'isChainOut', 'hasDeposit']),
                target: '#payOutForeign.EXPIRED',
                actions: [
                  'touch',
                  { type: 'money.move', params: { movement: 'abandon' } },
                  { type: 'exception.open', params: { kind: 'refund_due' } },
                  { type: 'exception.open', params: { kind: 'chain_outage' } },
                ],
              },
              {
                guard: and(['isDue', 'isChainOut']),
                target: '#payOutForeign.EXPIRED',
                actions: ['touch', { type: 'exception.open', params: { kind: 'chain_outage' } }],
              },
            ],
          },
          states: {
            building: {
              on: {
                // The one signal that the transaction is ready (protocol 6.1); what replaces it is no event.
                'transaction.built': { target: 'awaiting', actions: ['touch', 'merchant.notify'] },
              },
            },
            awaiting: {},
          },
        },
        READY: {
          on: {
            'payment.start': {
              guard: not('isPastExpiry'),
              target: 'PAYMENT_STARTED',
              actions: [
                'touch',
                {
                  type: 'takeLock',
                  params: ({ event }) => ({
                    providerId: event.providerId,
                    networkId: event.networkId,
                    at: event.at,
                  }),
                },
              ],
            },
            // A start and a confirmation that happened after a backup: its restoration forgot both.
            'payment.report': {
              target: '#payOutForeign.COMPLETED',
              actions: [
                'touch',
                {
                  type: 'takeLock',
                  params: ({ event }) => ({
                    providerId: event.providerId,
                    networkId: event.networkId,
                    at: event.paidAt,
                  }),
                },
                { type: 'recordPaid', params: ({ event }) => ({ at: event.paidAt }) },
                { type: 'money.move', params: { movement: 'settle' } },
              ],
            },
          },
        },
        PAYMENT_STARTED: {
          on: {
            'payment.report': {
              guard: 'holdsLock',
              target: '#payOutForeign.COMPLETED',
              actions: [
                'touch',
                { type: 'recordPaid', params: ({ event }) => ({ at: event.paidAt }) },
                { type: 'money.move', params: { movement: 'settle' } },
              ],
            },
            'payment.confirm': {
              guard: 'holdsLock',
              target: '#payOutForeign.COMPLETED',
              actions: [
                'touch',
                { type: 'recordPaid', params: ({ event }) => ({ at: event.at }) },
                { type: 'money.move', params: { movement: 'settle' } },
              ],
            },
            'payment.cancel': [
              {
                guard: and(['holdsLock', 'isPastExpiry', 'mayExpire']),
                target: '#payOutForeign.EXPIRED',
                actions: [
                  'touch',
                  'releaseLock',
                  { type: 'money.move', params: { movement: 'unwind' } },
                  { type: 'exception.open', params: { kind: 'refund_due' } },
                ],
              },
              { guard: 'holdsLock', target: 'READY', actions: ['touch', 'releaseLock'] },
            ],
          },
        },
      },
    },
    COMPLETED: { type: 'final', entry: 'merchant.notify' },
    CANCELLED: { type: 'final', entry: 'merchant.notify' },
    EXPIRED: { type: 'final', entry: 'merchant.notify' },
  },
})
