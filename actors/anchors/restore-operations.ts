/** A restore that nobody announced: what was found, and the operator's word that it is dealt with. */
import type { Operation, OperationContext } from '../foundation/operation.ts'
import type { RestoreState, RestoreWatch } from './restore-watch.ts'

export interface RestoreContext extends OperationContext {
  restoreWatch: RestoreWatch
}

const nothing = { type: 'object', additionalProperties: false } as const

export const nodeShowRestore: Operation<Record<string, never>, RestoreState, RestoreContext> = {
  name: 'node.showRestore',
  summary: 'Say whether the database was put back without `restore`, and how that was found.',
  input: nothing,
  isRead: true,
  run: ({ restoreWatch }) => restoreWatch.show(),
}

/** Orders stay quarantined and webhooks paused until each is let go. */
export const nodeAcceptRestore: Operation<{ reason: string }, RestoreState, RestoreContext> = {
  name: 'node.acceptRestore',
  summary: 'Accept that the database was put back: the node is no longer degraded for it.',
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['reason'],
    properties: {
      reason: {
        type: 'string',
        minLength: 1,
        maxLength: 500,
        pattern: '\\S',
        description: 'For the audit log.',
      },
    },
  },
  isRead: false,
  async run({ restoreWatch }) {
    await restoreWatch.accept()
    return restoreWatch.show()
  },
}
