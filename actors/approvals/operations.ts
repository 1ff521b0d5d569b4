/** What may be asked of approvals: look at them, approve, refuse, withdraw, and carry out what was approved. */
import { approvalStates, openApprovalStates } from '../../machines/approval.ts'
import { approvalsPage } from '../../persistence/queries/approvals.ts'
import type { Row } from '../../persistence/store.ts'
import { choice, optional, reason, wholeNumber } from '../foundation/fields.ts'
import { defineOperation, type OperationContext, OperationError } from '../foundation/operation.ts'
import { pageFields, readPage } from '../foundation/paging.ts'
import {
  type ApprovalDocument,
  type ApprovalSummary,
  approvalDocument,
  approvalSummary,
  type ShownApproval,
} from './documents.ts'
import { findApproval, notSignedIn, tellApprovalRow } from './telling.ts'

/** What only the node can do with what was asked for. */
export interface Approving {
  /** Whether an operation has a threshold. */
  movesAmounts(operation: string): boolean
  /** @throws OperationError where whoever asks here may not approve it, whatever has become of it */
  assertApprover(approval: Row<'approvals'>): Promise<void>
  /** @throws OperationError where it would not do any more what was asked for, or whoever asks here may not approve it */
  assertApprovable(approval: Row<'approvals'>): Promise<void>
  /** @returns what the operation answers. @throws OperationError where it refuses; nothing was changed then */
  carryOut(approval: Row<'approvals'>): Promise<unknown>
}

export interface ApprovalContext extends OperationContext {
  /** Whoever is signed in; null where it is whoever has the token, or the machine. */
  person: string | null
  approving: Approving
}

const number = wholeNumber({ description: 'The number of the approval.', minimum: 1 })

const revision = optional(
  wholeNumber({
    description: 'From `approval show`: nothing is done if it has changed since.',
    minimum: 1,
    option: ['--revision <number>', 'only if it is still at this revision'],
  }),
)

const why = reason('Kept with the approval, and in the audit log.', {
  option: ['--reason <text>', 'why; kept with the approval'],
  form: { label: 'Why', hint: 'Kept with the approval; whoever asked reads it.', control: 'area' },
})

export const approvalList = defineOperation({
  name: 'approval.list',
  summary: 'List what waits, or waited, for a second person, the newest first.',
  examples: ['approval list --state open'],
  fields: {
    ...pageFields,
    state: optional(
      choice(['open', ...approvalStates], {
        option: ['--state <state>', 'only those in this state; open: asked or approved'],
      }),
    ),
  },
  isRead: true,
  async run({ store }, { state, ...page }): Promise<{ approvals: ApprovalSummary[]; next: string | null }> {
    const states = state === undefined ? undefined : state === 'open' ? openApprovalStates : [state]
    const { items, next } = await readPage<Row<'approvals'>>(page, (one) => ({ at: one.number, id: '-' }), [
      (request) => store.query(approvalsPage({ states }, request), {}),
    ])
    return { approvals: items.map(approvalSummary), next }
  },
})

export const approvalShow = defineOperation({
  name: 'approval.show',
  summary: 'Show what was asked for, what it would do, and what has become of it.',
  fields: { number },
  arguments: ['number'],
  isRead: true,
  async run({ store, approving }: ApprovalContext, { number: wanted }): Promise<ShownApproval> {
    const approval = await findApproval(store, wanted)
    const isWaiting = approval.state === 'asked'
    return {
      ...(await approvalDocument(store, approval)),
      hindrance: isWaiting ? await hindranceOf(approving, approval) : null,
    }
  },
})

async function hindranceOf(
  approving: Approving,
  approval: Row<'approvals'>,
): Promise<ShownApproval['hindrance']> {
  try {
    await approving.assertApprover(approval)
    return null
  } catch (error) {
    if (!(error instanceof OperationError)) throw error
    return { why: error.message, hint: error.hint ?? null }
  }
}

export const approvalApprove = defineOperation({
  name: 'approval.approve',
  summary: 'Approve what somebody else has asked for; the node carries it out at once.',
  done: 'It is approved.',
  fields: { number, revision },
  isRead: false,
  concluded: ({ state, askedBy }: ApprovalDocument) =>
    `asked for by ${askedBy}, ${state.replaceAll('_', ' ')}`,
  async run(context: ApprovalContext, { number: wanted, revision: seen }): Promise<ApprovalDocument> {
    const { store, person, approving } = context
    if (person === null) throw notSignedIn(wanted)
    const asked = await findApproval(store, wanted)
    await approving.assertApprovable(asked)
    const approved = await tellApprovalRow(context, {
      number: wanted,
      said: { type: 'approval.approve', by: person },
      actor: person,
      revision: seen,
    })
    if (approved.carried_by === 'node') await approving.carryOut(approved)
    return approvalDocument(store, await findApproval(store, wanted))
  },
})

export const approvalCarryOut = defineOperation({
  name: 'approval.carryOut',
  summary: 'Carry out what you have asked for and somebody else has approved.',
  fields: { number },
  arguments: ['number'],
  isRead: false,
  async run(
    context: ApprovalContext,
    { number: wanted },
  ): Promise<{ output: unknown; approval: ApprovalDocument }> {
    const { store, approving } = context
    const approval = await findApproval(store, wanted)
    assertAsker(context, approval)
    const output = await approving.carryOut(approval)
    return { output, approval: await approvalDocument(store, await findApproval(store, wanted)) }
  },
})

export const approvalRefuse = defineOperation({
  name: 'approval.refuse',
  summary: 'Refuse what somebody has asked for.',
  examples: ['approval refuse 12 --reason "the invoice is another one"'],
  done: 'It is refused.',
  fields: { number, reason: why, revision },
  arguments: ['number'],
  isRead: false,
  async run(
    context: ApprovalContext,
    { number: wanted, reason: said, revision: seen },
  ): Promise<ApprovalDocument> {
    const by = context.person ?? context.operator
    await tellApprovalRow(context, {
      number: wanted,
      said: { type: 'approval.refuse', by },
      actor: by,
      reason: said,
      revision: seen,
    })
    return approvalDocument(context.store, await findApproval(context.store, wanted))
  },
})

export const approvalWithdraw = defineOperation({
  name: 'approval.withdraw',
  summary: 'Withdraw what you have asked for.',
  examples: ['approval withdraw 12 --reason "asked for twice"'],
  done: 'It is withdrawn.',
  fields: { number, reason: why },
  arguments: ['number'],
  isRead: false,
  async run(context: ApprovalContext, { number: wanted, reason: said }): Promise<ApprovalDocument> {
    const { store } = context
    const approval = await findApproval(store, wanted)
    assertAsker(context, approval)
    const by = approval.asked_by
    await tellApprovalRow(context, {
      number: wanted,
      said: { type: 'approval.withdraw', by },
      actor: by,
      reason: said,
    })
    return approvalDocument(store, await findApproval(store, wanted))
  },
})

/** Names of whoever has the token are claims: each of them may act for the other. */
function assertAsker(
  { person }: ApprovalContext,
  { number: asked, asked_by, is_person }: Row<'approvals'>,
): void {
  if (person === null ? is_person === 0 : is_person === 1 && asked_by === person) return
  throw new OperationError(
    'forbidden',
    `Approval ${asked} was asked for by ${asked_by}, and is theirs alone.`,
    {
      hint: `Anybody who may refuse it can: approval refuse ${asked}`,
    },
  )
}
