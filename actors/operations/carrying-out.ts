/** What only the whole node can do with an approval: see whether it still holds, and carry it out. */
import { operatorByName } from '../../persistence/queries/people.ts'
import type { Row } from '../../persistence/store.ts'
import type { Preview } from '../approvals/asking.ts'
import type { Approving } from '../approvals/operations.ts'
import { isLostNow, lostByRestore, notSignedIn, ownRequest, tellApprovalRow } from '../approvals/telling.ts'
import { OperationError } from '../foundation/operation.ts'
import { isAtLeast, type Role } from '../foundation/roles.ts'
import { approvalRuleOf } from './approval-rules.ts'
import { assertIndependent, assertStillMay } from './approvers.ts'
import { authorityOf } from './authority.ts'
import type { AskedContext, NodeContext } from './context.ts'
import { endedMeanwhile, OtherResult } from './granted.ts'
import type { AnyOperation } from './index.ts'
import { look } from './looking.ts'
import { perform } from './perform.ts'

type Approval = Row<'approvals'>

/** Whoever is signed in; null where it is the node itself, or whoever has the token. */
export type ApprovingFor = (person: { name: string; role: Role } | null) => Approving

export function createApproving(
  operations: ReadonlyMap<string, AnyOperation>,
  context: Omit<NodeContext, 'operator'>,
): ApprovingFor {
  const find = (approval: Approval): AnyOperation => {
    const operation = operations.get(approval.operation)
    if (operation !== undefined) return operation
    throw new OperationError('refused', `There is no operation ${approval.operation} any more.`, {
      hint: 'Refuse the approval, and ask for what there is instead.',
    })
  }
  const asAsker = (approval: Approval): AskedContext => ({
    ...context,
    operator: approval.asked_by,
    person: approval.is_person === 1 ? approval.asked_by : null,
    approving: approvingFor(null),
  })
  const voided = async ({ number }: Approval, error: OperationError): Promise<never> => {
    const said = { type: 'approval.void' } as const
    const reason = error.message.slice(0, 500)
    await tellApprovalRow(context, { number, said, actor: 'node', reason })
    throw error
  }

  const approvingFor: ApprovingFor = (person) => ({
    movesAmounts: (name) => operations.has(name) && approvalRuleOf({ name })?.[0] === 'amount',

    async assertApprover(approval) {
      const { role } = authorityOf(find(approval))
      if (person === null) throw notSignedIn(approval.number)
      if (!isAtLeast(person.role, role)) throw notTheirs(approval, role)
      if (approval.asked_by === person.name) throw ownRequest(approval)
      await assertIndependent(context.store, approval, person.name)
    },

    async assertApprovable(approval) {
      const operation = find(approval)
      const { role } = authorityOf(operation)
      if (person === null || !isAtLeast(person.role, role)) throw notTheirs(approval, role)
      // It is refused in its step with the right words.
      if (approval.state !== 'asked' || approval.asked_by === person.name) return
      if (await isLostNow(context.store, approval)) await voided(approval, lostByRestore(approval))
      await assertIndependent(context.store, approval, person.name)
      // What was not kept cannot be looked at: the step of whoever comes back with it is held against what was approved.
      const { withheld }: Preview = JSON.parse(approval.preview_json)
      try {
        assertStillMay(approval, { asker: await askerOf(context, approval), approver: null }, role)
        if (withheld) return
        const { fingerprint } = await look(operation, asAsker(approval), JSON.parse(approval.input_json))
        if (fingerprint !== approval.fingerprint) throw new OtherResult()
      } catch (error) {
        if (error instanceof OperationError) await voided(approval, error)
        throw error
      }
    },

    async carryOut(approval) {
      if (approval.state !== 'approved') throw endedMeanwhile(approval)
      const operation = find(approval)
      const { withheld }: Preview = JSON.parse(approval.preview_json)
      if (withheld) throw needsInput(approval)
      return perform(operation, asAsker(approval), JSON.parse(approval.input_json), approval)
    },
  })
  return approvingFor
}

async function askerOf(
  { store }: Omit<NodeContext, 'operator'>,
  { asked_by: name, is_person }: Approval,
): Promise<Row<'people'> | null> {
  return is_person === 1 ? ((await store.query(operatorByName, { name }))[0] ?? null) : null
}

function notTheirs({ number, operation }: Approval, role: Role): OperationError {
  return new OperationError(
    'forbidden',
    `Approval ${number} is for ${role}s who are signed in: that is who may do ${operation}.`,
    { hint: `On the page of the console: /approvals/${number}` },
  )
}

function needsInput({ number, operation }: Approval): OperationError {
  return new OperationError('refused', `What approval ${number} needs was not kept: a secret, or a file.`, {
    hint: `Ask for ${operation} once more, as before: it is approved.`,
  })
}
