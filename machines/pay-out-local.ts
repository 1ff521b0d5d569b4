/**
 * The local-currency pay-out: protocol 3.1.
 *
 * Every status that may still move lives in `open`, which alone handles expiry and the operator's cancel: a
 * handler on the root would be taken by finished orders too.
 */
import { and, not } from 'xstate'
import { newOrder, orderSetup } from './order.ts'

export const payOutLocal = orderSetup.createMachine({
  id: 'payOutLocal',
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
            actions: ['touch', { type: 'money.move', params: { movement: 'release' } }],
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
            actions: ['touch', { type: 'money.move', params: { movement: 'release' } }],
          },
          { guard: 'isDue', target: 'EXPIRED', actions: 'touch' },
        ],
      },
      states: {
        CREATED: {
          entry: 'funding.request',
          exit: 'funding.withdraw',
          on: {
            'funds.reserve': {
              guard: not('isPastExpiry'),
              target: 'READY',
              actions: ['touch', 'recordReserved', { type: 'money.move', params: { movement: 'reserve' } }],
            },
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
              target: '#payOutLocal.COMPLETED',
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
              target: '#payOutLocal.COMPLETED',
              actions: [
                'touch',
                { type: 'recordPaid', params: ({ event }) => ({ at: event.paidAt }) },
                { type: 'money.move', params: { movement: 'settle' } },
              ],
            },
            'payment.confirm': {
              guard: 'holdsLock',
              target: '#payOutLocal.COMPLETED',
              actions: [
                'touch',
                { type: 'recordPaid', params: ({ event }) => ({ at: event.at }) },
                { type: 'money.move', params: { movement: 'settle' } },
              ],
            },
            'payment.cancel': [
              {
                guard: and(['holdsLock', 'isPastExpiry', 'mayExpire']),
                target: '#payOutLocal.EXPIRED',
                actions: ['touch', 'releaseLock', { type: 'money.move', params: { movement: 'release' } }],
              },
              {
                guard: 'holdsLock',
                target: 'READY',
                actions: ['touch', 'releaseLock'],
              },
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
