/** The gate of approvals. */
import {
  type ApprovalContext,
  type ApprovalEvent,
  type ApprovalInput,
  type ApprovalState,
  approval,
  approvalStates,
} from '../../machines/approval.ts'
import { createRowGate } from '../foundation/row-gate.ts'

export const { begin: beginApproval, tell: tellApproval } = createRowGate<
  ApprovalState,
  ApprovalContext,
  ApprovalEvent,
  never,
  ApprovalInput
>({
  name: 'approval',
  chart: approval,
  states: approvalStates,
  idle: { approvalId: '', operation: '', askedBy: '', at: 0, expiresAt: 1 },
})
