/** The node's clock: whether it is trusted, and the operator's word that it is right. */

import type { Operation, OperationContext } from '../foundation/operation.ts'
import type { ClockState, ClockWatch } from './clock-watch.ts'

/** What the operations on the clock need of the node. */
export interface ClockContext extends OperationContext {
  clockWatch: Pick<ClockWatch, 'show' | 'accept'>
}

const nothing = { type: 'object', additionalProperties: false } as const

export const clockShow: Operation<Record<string, never>, ClockState, ClockContext> = {
  name: 'clock.show',
  summary: 'Show the clock, and whether anything may expire by it.',
  input: nothing,
  isRead: true,
  run: ({ clockWatch }) => clockWatch.show(),
}

/** What fell due meanwhile expires at once after it. */
export const clockAccept: Operation<Record<string, never>, ClockState, ClockContext> = {
  name: 'clock.accept',
  summary: 'Say that the clock is right: what fell due expires, retries go on.',
  input: nothing,
  isRead: false,
  concluded: ({ now }) => `it is ${now}`,
  async run({ clockWatch }) {
    await clockWatch.accept()
    return clockWatch.show()
  },
}
