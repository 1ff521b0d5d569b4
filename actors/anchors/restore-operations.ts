/** A restore that nobody announced: what was found, and the operator's word that it is dealt with. */
import { auditReason } from '../foundation/fields.ts'
import { defineOperation, type OperationContext } from '../foundation/operation.ts'
import type { RestoreState, RestoreWatch } from './restore-watch.ts'

export interface RestoreContext extends OperationContext {
  restoreWatch: RestoreWatch
}

export const nodeShowRestore = defineOperation({
  name: 'node.showRestore',
  summary: 'Show whether the database was replaced without `restore`, and how that was detected.',
  fields: {},
  isRead: true,
  run: ({ restoreWatch }: RestoreContext): Promise<RestoreState> => restoreWatch.show(),
})

/** Orders stay quarantined and webhooks paused until each is cleared. */
export const nodeAcceptRestore = defineOperation({
  name: 'node.acceptRestore',
  summary: 'Accept that the database was replaced; the node is no longer degraded because of it.',
  done: 'The restore is accepted.',
  fields: { reason: auditReason },
  isRead: false,
  async run({ restoreWatch }: RestoreContext): Promise<RestoreState> {
    await restoreWatch.accept()
    return restoreWatch.show()
  },
})
