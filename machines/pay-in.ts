/**
 * The pay-in: protocol 3.3. The end user pays at the counter; nothing is reserved before.
 *
 * Every status that may still move lives in `open`, which alone handles expiry and the operator's cancel.
 */
import { and, not } from 'xstate'
import { newOrder, orderSetup } from './order.ts'

export const payIn = orderSetup.createMachine({
  id: 'payIn',
  version: '1',
  context: newOrder,
  initial: 'open',
  states: {
    open: {
      initial: 'READY',
      on: {
        'operator.cancel': [
          // Nobody knows whether a locked order's cash was collected: a person has to say so.
          {
            guard: and(['isLocked', 'isForced']),
            target: 'CANCELLED',
            actions: [
              'touch',
              { type: 'money.move', params: { movement: 'suspend' } },
              { type: 'exception.open', params: { kind: 'cancelled_while_locked' } },
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
          { guard: 'isDue', target: 'EXPIRED', actions: 'touch' },
        ],
      },
      states: {
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
              target: '#payIn.COMPLETED',
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
              target: '#payIn.COMPLETED',
              actions: [
                'touch',
                { type: 'recordPaid', params: ({ event }) => ({ at: event.paidAt }) },
                { type: 'money.move', params: { movement: 'settle' } },
              ],
            },
            'payment.confirm': {
              guard: 'holdsLock',
              target: '#payIn.COMPLETED',
              actions: [
                'touch',
                { type: 'recordPaid', params: ({ event }) => ({ at: event.at }) },
                { type: 'money.move', params: { movement: 'settle' } },
              ],
            },
            'payment.cancel': [
              {
                guard: and(['holdsLock', 'isPastExpiry', 'mayExpire']),
                target: '#payIn.EXPIRED',
                actions: ['touch', 'releaseLock'],
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
