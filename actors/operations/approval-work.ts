/** What becomes of approvals by themselves: they expire, are void after a restore, and go on where a node was killed between two steps. */
import type { Instant } from '../../machines/time.ts'
import { waitingApprovals } from '../../persistence/queries/approvals.ts'
import type { Row, Store } from '../../persistence/store.ts'
import { isLostNow, lostByRestore, type Said, tellApprovalRow } from '../approvals/telling.ts'
import { OperationError } from '../foundation/operation.ts'
import type { PassResult } from '../foundation/worker.ts'
import { createApproving } from './carrying-out.ts'
import type { NodeContext } from './context.ts'
import { operationsOf } from './index.ts'

export interface ApprovalWorkOptions {
  context: Omit<NodeContext, 'operator'>
  /** False while the clock is in doubt: then nothing expires. */
  isTrusted(): boolean
  onError(error: unknown, number: number): void
}

const perPage = 200

/** @returns the pass of a node that leads. */
export function createApprovalWork({ context, isTrusted, onError }: ApprovalWorkOptions) {
  const operations = operationsOf(context.surroundings.mode)
  const byName = new Map(operations.map((operation) => [operation.name, operation]))
  return async (own: Store): Promise<PassResult> => {
    const about = { ...context, store: own, orders: context.orders.over(own) }
    const approving = createApproving(byName, about)(null)
    const end = (approval: Row<'approvals'>, said: Said, reason?: string) =>
      tellApprovalRow(about, { number: approval.number, said, actor: 'node', reason })
    const one = async (approval: Row<'approvals'>, now: Instant): Promise<void> => {
      if (await isLostNow(own, approval)) {
        await end(approval, { type: 'approval.void' }, lostByRestore(approval).message)
      } else if (approval.expires_at <= now) {
        if (isTrusted()) await end(approval, { type: 'approval.expire' })
      } else if (approval.state === 'approved' && approval.carried_by === 'node') {
        await approving.carryOut(approval)
      }
    }
    const now = context.clock.now()
    const expiries: Instant[] = []
    for (let after = 0; ; ) {
      const page = await own.query(waitingApprovals, { after, limit: perPage })
      for (const approval of page) {
        if (approval.expires_at > now) expiries.push(approval.expires_at)
        try {
          await one(approval, now)
        } catch (error) {
          // What was refused is written down with the approval; somebody else may have been faster.
          if (!(error instanceof OperationError)) onError(error, approval.number)
        }
      }
      const last = page.at(-1)
      if (last === undefined || page.length < perPage) break
      after = last.number
    }
    return { more: false, nextAt: expiries.length === 0 ? null : Math.min(...expiries) }
  }
}
