/** What only the whole node can do with an approval: see whether it still holds, and carry it out. */
import { operatorByName } from '../../persistence/queries/people.ts'
import type { Row } from '../../persistence/store.ts'
import type { Approving } from '../approvals/operations.ts'
import { findApproval, isLostNow, lostByRestore, tellApprovalRow } from '../approvals/telling.ts'
import { OperationError } from '../foundation/operation.ts'
import { isAtLeast, operatorRole, type Role } from '../foundation/roles.ts'
import { approvalRuleOf } from './approval-rules.ts'
import { endedMeanwhile, OtherResult } from './approved.ts'
import { authorityOf } from './authority.ts'
import type { AskedContext, NodeContext } from './context.ts'
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
  const end = (approval: Approval, type: 'approval.void' | 'approval.fail', reason: string) =>
    tellApprovalRow(
      { store: context.store, journalKey: context.journalKey },
      { number: approval.number, said: { type }, actor: 'node', reason: reason.slice(0, 500) },
    )
  const voided = async (approval: Approval, error: OperationError): Promise<never> => {
    await end(approval, 'approval.void', error.message)
    throw error
  }

  const approvingFor: ApprovingFor = (person) => ({
    movesAmounts: (name) => operations.has(name) && approvalRuleOf({ name })?.[0] === 'amount',

    async assertApprovable(approval) {
      const operation = find(approval)
      const { role } = authorityOf(operation)
      if (person === null || !isAtLeast(person.role, role)) throw notTheirs(approval, role)
      // It is refused in its step with the right words.
      if (approval.state !== 'asked' || approval.asked_by === person.name) return
      if (await isLostNow(context.store, approval)) await voided(approval, lostByRestore(approval))
      const problem = await askerProblem(context, approval, role)
      if (problem !== null) await voided(approval, problem)
      const input: unknown = JSON.parse(approval.input_json)
      // What was not kept cannot be looked at: the step of whoever comes back with it is held against what was approved.
      if (hasHidden(input)) return
      try {
        const { fingerprint } = await look(operation, asAsker(approval), input)
        if (fingerprint !== approval.fingerprint) throw new OtherResult()
      } catch (error) {
        if (error instanceof OperationError) await voided(approval, error)
        throw error
      }
    },

    async carryOut(approval) {
      if (approval.state !== 'approved') throw endedMeanwhile(approval)
      const operation = find(approval)
      const input: unknown = JSON.parse(approval.input_json)
      if (hasHidden(input)) throw needsInput(approval)
      try {
        const answer = await perform(operation, asAsker(approval), input, approval)
        await endIdle(context, approval)
        return answer
      } catch (error) {
        if (!(error instanceof OperationError)) throw error
        const now = await findApproval(context.store, approval.number)
        if (now.state !== 'approved') throw error
        await end(approval, error instanceof OtherResult ? 'approval.void' : 'approval.fail', error.message)
        throw error
      }
    },
  })
  return approvingFor
}

/** What had nothing to do any more is done. */
async function endIdle(
  { store, journalKey }: Omit<NodeContext, 'operator'>,
  { number, asked_by }: Approval,
): Promise<void> {
  const now = await findApproval(store, number)
  if (now.state !== 'approved') return
  const said = { type: 'approval.carry_out' } as const
  await tellApprovalRow({ store, journalKey }, { number, said, actor: asked_by })
}

/** Whoever may not ask for it any more has not asked. */
async function askerProblem(
  { store }: Omit<NodeContext, 'operator'>,
  { number, asked_by, is_person }: Approval,
  role: Role,
): Promise<OperationError | null> {
  if (is_person === 0) return null
  const [asker] = await store.query(operatorByName, { name: asked_by })
  if (asker !== undefined && asker.disabled_at === null && isAtLeast(operatorRole(asker.role), role))
    return null
  return new OperationError(
    'refused',
    `${asked_by}, who asked for approval ${number}, may not do it any more.`,
  )
}

function notTheirs({ number, operation }: Approval, role: Role): OperationError {
  return new OperationError(
    'forbidden',
    `Approval ${number} is for ${role}s who are signed in: that is who may do ${operation}.`,
    { hint: `On the page of the console: /approvals/${number}` },
  )
}

/** Secrets are not kept with what was asked for. */
function hasHidden(value: unknown): boolean {
  if (value === '***') return true
  return typeof value === 'object' && value !== null && Object.values(value).some(hasHidden)
}

function needsInput({ number, operation }: Approval): OperationError {
  return new OperationError('refused', `What approval ${number} needs was not kept: a secret, or a file.`, {
    hint: `Ask for ${operation} once more, as before: it is approved.`,
  })
}
