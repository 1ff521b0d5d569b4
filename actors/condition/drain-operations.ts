/** Drain mode: what an operator asks for before maintenance, and takes back after it. */

import { text } from '../foundation/fields.ts'
import { defineOperation, type OperationContext } from '../foundation/operation.ts'
import type { DrainState, DrainWatch } from './drain-watch.ts'

/** What draining needs of the node. */
export interface DrainContext extends OperationContext {
  drainWatch: Pick<DrainWatch, 'show' | 'drain' | 'undrain'>
}

export const nodeShow = defineOperation({
  name: 'node.show',
  summary: 'Show whether the node is drained.',
  fields: {},
  isRead: true,
  run: ({ drainWatch }: DrainContext): Promise<DrainState> => drainWatch.show(),
})

/** For every node over the database, and until it is taken back: a restart does not end it. */
export const nodeDrain = defineOperation({
  name: 'node.drain',
  summary: 'Drain the node: creations, quotes and starts are refused, everything else continues.',
  done: 'The node is drained.',
  fields: {
    reason: text({
      minLength: 1,
      maxLength: 500,
      option: ['--reason <text>', 'why; shown by /readyz and the console'],
      form: { label: 'Reason' },
    }),
  },
  isRead: false,
  async run({ drainWatch, operator }: DrainContext, { reason }): Promise<DrainState> {
    await drainWatch.drain(operator, reason)
    return drainWatch.show()
  },
})

export const nodeUndrain = defineOperation({
  name: 'node.undrain',
  summary: 'End the drain.',
  done: 'The drain has ended.',
  fields: {},
  isRead: false,
  async run({ drainWatch }: DrainContext): Promise<DrainState> {
    await drainWatch.undrain()
    return drainWatch.show()
  },
})
