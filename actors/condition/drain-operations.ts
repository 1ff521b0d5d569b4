/** Drain mode: what an operator asks for before maintenance, and takes back after it. */

import type { Operation, OperationContext } from '../foundation/operation.ts'
import type { DrainState, DrainWatch } from './drain-watch.ts'

/** What draining needs of the node. */
export interface DrainContext extends OperationContext {
  drainWatch: Pick<DrainWatch, 'show' | 'drain' | 'undrain'>
}

const nothing = { type: 'object', additionalProperties: false } as const

export const nodeShow: Operation<Record<string, never>, DrainState, DrainContext> = {
  name: 'node.show',
  summary: 'Say whether anything new is begun, or the node is drained.',
  input: nothing,
  isRead: true,
  run: ({ drainWatch }) => drainWatch.show(),
}

/** For every node over the database, and until it is taken back: a restart does not end it. */
export const nodeDrain: Operation<{ reason: string }, DrainState, DrainContext> = {
  name: 'node.drain',
  summary: 'Begin nothing new: creations, quotes and starts are refused, all else goes on.',
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['reason'],
    properties: { reason: { type: 'string', minLength: 1, maxLength: 500 } },
  },
  isRead: false,
  async run({ drainWatch, operator }, { reason }) {
    await drainWatch.drain(operator, reason)
    return drainWatch.show()
  },
}

export const nodeUndrain: Operation<Record<string, never>, DrainState, DrainContext> = {
  name: 'node.undrain',
  summary: 'Take new orders, quotes and payments again.',
  input: nothing,
  isRead: false,
  async run({ drainWatch }) {
    await drainWatch.undrain()
    return drainWatch.show()
  },
}
