/** Carrying out what was approved: in the step that ends the approval, so that it happens once, by those who still may. */
import { operatorByName } from '../../persistence/queries/people.ts'
import { type Row, row } from '../../persistence/store.ts'
import { judgedStore } from '../approvals/judged-store.ts'
import { fingerprintsOf, movedBy } from '../approvals/moved.ts'
import {
  findApproval,
  isLost,
  isLostNow,
  lostByRestore,
  tellApprovalRow,
  toldWrites,
  voidRow,
} from '../approvals/telling.ts'
import { OperationError } from '../foundation/operation.ts'
import { assertIndependent, assertStillMay, holderOf, NoLongerHolds } from './approvers.ts'
import { authorityOf } from './authority.ts'
import type { AskedContext } from './context.ts'
import type { AnyOperation } from './index.ts'
import { letInWrites } from './let-in.ts'
import { over } from './looking.ts'

/** It would do something else than what was approved: thrown in the step, so that nothing of it is done. */
export class OtherResult extends NoLongerHolds {
  constructor() {
    super(
      'conflict',
      'It would do something else now than what was asked for: what it is about has changed since.',
      {
        hint: 'Look at what it would do now, and ask for it again.',
      },
    )
  }
}

/** That whoever asked and whoever approved still may, and are two people. @throws NoLongerHolds */
async function assertGrantHolds(
  operation: AnyOperation,
  { store }: AskedContext,
  approval: Row<'approvals'>,
): Promise<void> {
  const person = async (name: string | null) =>
    name === null ? null : ((await store.query(operatorByName, { name }))[0] ?? null)
  const asker = approval.is_person === 1 ? await person(approval.asked_by) : null
  const people = { asker, approver: await person(approval.decided_by) }
  assertStillMay(approval, people, authorityOf(operation).role)
  if (approval.decided_by !== null) await assertIndependent(store, approval, approval.decided_by)
}

/** @throws OperationError where it is refused: the approval has ended with it, unless it was carried out before. */
export async function runGranted(
  operation: AnyOperation,
  context: AskedContext,
  input: unknown,
  approval: Row<'approvals'>,
): Promise<unknown> {
  const { number, asked_by } = approval
  const end = async (type: 'approval.carry_out' | 'approval.void' | 'approval.fail', reason?: string) => {
    if ((await findApproval(context.store, number)).state !== 'approved') return
    const actor = type === 'approval.carry_out' ? asked_by : 'node'
    try {
      await tellApprovalRow(context, { number, said: { type }, actor, reason: reason?.slice(0, 500) })
    } catch (error) {
      // Somebody was faster: what they have done stands in its journal.
      if (!(error instanceof OperationError)) throw error
    }
  }
  try {
    await assertGrantHolds(operation, context, approval)
    const answer = await runOnce(operation, context, input, approval)
    // What had nothing to do any more is done.
    await end('approval.carry_out')
    return answer
  } catch (error) {
    if (!(error instanceof OperationError)) throw error
    const isVoid = error instanceof NoLongerHolds || (await isLostNow(context.store, approval))
    await end(isVoid ? 'approval.void' : 'approval.fail', error.message)
    throw error
  }
}

/** The same for what is booked in many steps, each once by itself: the approval is used up by beginning. */
export async function useUp(
  operation: AnyOperation,
  context: AskedContext,
  approval: Row<'approvals'>,
): Promise<void> {
  const { number, asked_by } = approval
  try {
    await assertGrantHolds(operation, context, approval)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    await tellApprovalRow(context, { number, said: { type: 'approval.void' }, actor: 'node', reason })
    throw error
  }
  await tellApprovalRow(context, { number, said: { type: 'approval.carry_out' }, actor: asked_by })
}

/** The first step that writes ends the approval; none writes anything that was not approved. */
async function runOnce(
  operation: AnyOperation,
  context: AskedContext,
  input: unknown,
  approval: Row<'approvals'>,
): Promise<unknown> {
  const { role } = authorityOf(operation)
  const letsIn = handsIn.has(operation.name)
  const left: string[] = JSON.parse(approval.fingerprint)
  let pending: { head: string; print: string } | null = null
  let head: string | null = null
  const store = judgedStore(context.store, {
    rows: {
      approval: row('approvals', { id: approval.id }),
      lost: voidRow,
      asker: row('people', { name: approval.asked_by }),
      approver: row('people', { name: approval.decided_by ?? '' }),
    },
    judge: (step, held, at) => {
      if (held.approval === null) throw new Error(`Approval ${approval.number} is gone.`)
      const [print = ''] = fingerprintsOf([step])
      const isListed = left.includes(print)
      // What follows the one step of an operation moves nothing: it was not looked at.
      if (!isListed && (head === null || movedBy([step]).length > 0)) throw new OtherResult()
      pending = { head: held.approval.head, print }
      if (head !== null && head === held.approval.head) return []
      if (isLost(held.approval, held.lost)) throw lostByRestore(held.approval)
      assertStillMay(held.approval, held, role)
      const told = toldWrites(
        context.journalKey,
        held.approval,
        { said: { type: 'approval.carry_out' }, actor: held.approval.asked_by },
        at,
      )
      if (told === null) throw endedMeanwhile(held.approval)
      pending = { head: told.approval.head, print }
      if (!letsIn) return told.writes
      const holder = holderOf(approval.is_person === 1 ? approval.asked_by : null)
      return [...told.writes, ...letInWrites(step.writes, holder)]
    },
    committed() {
      if (pending === null) return
      head = pending.head
      const index = left.indexOf(pending.print)
      if (index >= 0) left.splice(index, 1)
      pending = null
    },
  })
  return operation.run(over(context, store), input)
}

/** Whoever asked for it holds a way in from then on, however many have approved it. */
const handsIn: ReadonlySet<string> = new Set([
  'operator.add',
  'operator.reset',
  'operator.invite',
  'operator.resetFactors',
])

export function endedMeanwhile({ number, state }: Row<'approvals'>): OperationError {
  return new OperationError(
    'conflict',
    `Approval ${number} is ${state.replaceAll('_', ' ')}: it is not carried out now.`,
    {
      hint: `Look at it: approval show ${number}`,
    },
  )
}
