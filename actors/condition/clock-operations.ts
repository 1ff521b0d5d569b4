/** The node's clock: whether it is trusted, and the operator's word that it is right. */

import { defineOperation, type OperationContext } from '../foundation/operation.ts'
import type { ClockState, ClockWatch } from './clock-watch.ts'

/** What the operations on the clock need of the node. */
export interface ClockContext extends OperationContext {
  clockWatch: Pick<ClockWatch, 'show' | 'accept'>
}

export const clockShow = defineOperation({
  name: 'clock.show',
  summary: 'Show the clock, and whether it is trusted.',
  fields: {},
  isRead: true,
  run: ({ clockWatch }: ClockContext): Promise<ClockState> => clockWatch.show(),
})

/** What fell due meanwhile expires at once after it. */
export const clockAccept = defineOperation({
  name: 'clock.accept',
  summary: 'Accept the clock: what fell due expires, and retries continue.',
  done: 'The clock is accepted.',
  fields: {},
  isRead: false,
  concluded: ({ now }: ClockState) => `it is ${now}`,
  async run({ clockWatch }: ClockContext): Promise<ClockState> {
    await clockWatch.accept()
    return clockWatch.show()
  },
})
