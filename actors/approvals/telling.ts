/** Telling an approval something: in a step of its own, or in the step that carries it out. */
import type { ApprovalEvent } from '../../machines/approval.ts'
import { formatInstant, type Instant } from '../../machines/time.ts'
import { approvalByNumber } from '../../persistence/queries/approvals.ts'
import { factByName } from '../../persistence/queries/node.ts'
import { type Decision, type Row, row, type Store, sharedRow, type Write } from '../../persistence/store.ts'
import { approvalsVoidFact } from '../anchors/restore-watch.ts'
import { OperationError } from '../foundation/operation.ts'
import { tellApproval } from './gate.ts'
import { appendApprovalEntry } from './journal.ts'

/** Without its time, which is the step's. */
export type Said = { [Event in ApprovalEvent as Event['type']]: Omit<Event, 'at'> }[ApprovalEvent['type']]

export interface Telling {
  number: number
  said: Said
  actor: string
  reason?: string | undefined
  /** The revision whoever says it saw. */
  revision?: number | undefined
}

/** Held wherever one is told that it is approved or carried out: what was asked for before a restore is void. */
export const voidRow = sharedRow('facts', { name: approvalsVoidFact })

/** What was asked for in a database that an older one is in the place of now, or before it was. */
export function isLost({ asked_at }: Row<'approvals'>, fact: Row<'facts'> | null): boolean {
  return fact !== null && asked_at <= Number(fact.value)
}

/** @throws OperationError when there is none. */
export async function findApproval(store: Pick<Store, 'query'>, number: number): Promise<Row<'approvals'>> {
  const [approval] = await store.query(approvalByNumber, { number })
  if (approval !== undefined) return approval
  throw new OperationError('not_found', `There is no approval ${number}.`, {
    hint: 'approval list shows their numbers.',
  })
}

/** @returns null where there is no such event in its state, or not by whoever says it. */
export function toldWrites(
  journalKey: string,
  approval: Row<'approvals'>,
  { said, actor, reason }: Pick<Telling, 'said' | 'actor' | 'reason'>,
  at: Instant,
): { approval: Row<'approvals'>; writes: Write[] } | null {
  const event = { ...said, at } as ApprovalEvent
  const told = tellApproval(approval, event)
  if (!told.ok) return null
  const { write, ...place } = appendApprovalEntry(journalKey, approval, {
    actor,
    event: { ...event, ...(reason === undefined ? {} : { reason }) },
    from: approval.state,
    to: told.state,
  })
  const { decidedBy, decidedAt, endedAt } = told.context
  const set = {
    state: told.state,
    decided_by: decidedBy,
    decided_at: decidedAt,
    ended_at: endedAt,
    ...(reason === undefined ? {} : { reason }),
    ...place,
    ...told.stored,
  }
  return {
    approval: { ...approval, ...set },
    writes: [{ update: 'approvals', key: { id: approval.id }, set }, write],
  }
}

/** @throws OperationError (`conflict`) for one that does not take it any more. */
export async function tellApprovalRow(
  { store, journalKey }: { store: Store; journalKey: string },
  telling: Telling,
): Promise<Row<'approvals'>> {
  const seen = await findApproval(store, telling.number)
  const result = await store.step({
    rows: { approval: row('approvals', { id: seen.id }), lost: voidRow },
    decide: ({ approval, lost }, at): Decision<Row<'approvals'>> => {
      if (approval === null) throw new Error(`Approval ${seen.number} is gone.`)
      if (telling.revision !== undefined && telling.revision !== approval.revision) throw changed(approval)
      const { type } = telling.said
      const isForth = type === 'approval.approve' || type === 'approval.carry_out'
      if (isForth && isLost(approval, lost)) throw lostByRestore(approval)
      const told = toldWrites(journalKey, approval, telling, at)
      if (told === null) throw refusedBy(approval, telling, at)
      return { answer: told.approval, writes: told.writes, wake: ['approvals'] }
    },
  })
  if (result.outcome === 'committed') return result.answer
  throw new Error(`Telling approval ${seen.number} violated ${result.constraint}.`)
}

/** Whether a restore has come between. */
export async function isLostNow(store: Pick<Store, 'query'>, approval: Row<'approvals'>): Promise<boolean> {
  const [fact] = await store.query(factByName, { name: approvalsVoidFact })
  return isLost(approval, fact ?? null)
}

export function lostByRestore({ number }: Row<'approvals'>): OperationError {
  return new OperationError(
    'refused',
    `Approval ${number} was asked for before a backup was restored: what came of it since is not known.`,
    { hint: 'Look whether it was done already; if not, ask for it again.' },
  )
}

function changed({ number, revision }: Row<'approvals'>): OperationError {
  return new OperationError(
    'conflict',
    `Approval ${number} has changed since you looked (revision ${revision} now).`,
    { hint: `Look at it again: approval show ${number}` },
  )
}

export function ownRequest({ number }: Pick<Row<'approvals'>, 'number'>): OperationError {
  return new OperationError(
    'forbidden',
    `Nobody approves what they have asked for: approval ${number} is yours.`,
    {
      hint: 'Somebody else has to, on the page of the console.',
    },
  )
}

export function notSignedIn(number: number): OperationError {
  return new OperationError('forbidden', 'Only a person who is signed in approves.', {
    hint: `On the page of the console: /approvals/${number}`,
  })
}

function refusedBy(approval: Row<'approvals'>, { said }: Telling, at: Instant): OperationError {
  const { number, state, decided_by, ended_at, asked_by, expires_at } = approval
  const hint = `Look at it: approval show ${number}`
  if (ended_at !== null) {
    const by = decided_by === null ? '' : ` by ${decided_by}`
    const what = state.replaceAll('_', ' ')
    return new OperationError(
      'conflict',
      `Approval ${number} is ${what} already${by}, since ${formatInstant(ended_at)}.`,
      { hint },
    )
  }
  if ('by' in said && said.type === 'approval.approve' && said.by === asked_by) return ownRequest(approval)
  if (at >= expires_at) {
    return new OperationError(
      'conflict',
      `Approval ${number} has expired, at ${formatInstant(expires_at)}.`,
      {
        hint: 'Ask for it again.',
      },
    )
  }
  if (said.type === 'approval.withdraw') {
    return new OperationError(
      'forbidden',
      `Only ${asked_by}, who has asked for it, withdraws approval ${number}.`,
      {
        hint: `Anybody who may look at it may refuse it: approval refuse ${number}`,
      },
    )
  }
  return new OperationError(
    'conflict',
    `Approval ${number} is ${state}${decided_by === null ? '' : ` by ${decided_by}`}.`,
    {
      hint,
    },
  )
}
