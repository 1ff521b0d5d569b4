/** Approvals held against what they were told: numbers without gaps, an unbroken chain that leads to the state, and two people. */
import {
  approvalEventsBetween,
  approvalNumbers,
  approvalsAfter,
} from '../../persistence/queries/approvals.ts'
import { factByName } from '../../persistence/queries/node.ts'
import type { Reader, Row } from '../../persistence/store.ts'
import { lastApprovalNumber, lostNumbersFact, lostNumbersIn } from '../anchors/approval-numbers.ts'
import { approvalHash } from '../approvals/journal.ts'

const perPage = 1_000

export async function readApprovalFindings(
  reader: Reader,
  journalKey: string,
): Promise<{ approvals: number; problems: string[] }> {
  const found = { approvals: 0, problems: await numberProblems(reader) }
  for (let after = ''; ; ) {
    const page = await reader.snapshot(async (query) => {
      const approvals = await query(approvalsAfter, { after, limit: perPage })
      const range = { after, last: approvals.at(-1)?.id ?? after }
      const events = Map.groupBy(await query(approvalEventsBetween, range), ({ approval_id }) => approval_id)
      return approvals.map((approval) => ({ approval, events: events.get(approval.id) ?? [] }))
    })
    for (const { approval, events } of page) {
      const problems = [...journalProblems(approval, events, journalKey), ...peopleProblems(approval, events)]
      found.problems.push(...problems.map((problem) => `approval ${approval.number}: ${problem}`))
    }
    found.approvals += page.length
    const last = page.at(-1)
    if (last === undefined) return found
    after = last.approval.id
  }
}

function journalProblems(
  approval: Row<'approvals'>,
  events: readonly Row<'approval_events'>[],
  journalKey: string,
): string[] {
  const problems: string[] = []
  let head = ''
  let state: Row<'approvals'>['state'] | null = null
  for (const [index, event] of events.entries()) {
    const { hash, ...entry } = event
    if (event.sequence !== index + 1) problems.push(`entry ${index + 1} is missing`)
    if (hash !== approvalHash(journalKey, approval, head, entry))
      problems.push(`entry ${event.sequence} is not what was sealed`)
    if (event.from_state !== state)
      problems.push(`entry ${event.sequence} begins in ${event.from_state}, not in ${state}`)
    head = hash
    state = event.to_state
  }
  if (events.length !== approval.revision || head !== approval.head)
    problems.push(`it was told ${approval.revision} things, and ${events.length} entries lead to another end`)
  if (state !== approval.state) problems.push(`it is ${approval.state}, its entries lead to ${state}`)
  return problems
}

/** What was carried out was approved by somebody else. */
function peopleProblems(
  { state, asked_by, decided_by }: Row<'approvals'>,
  events: readonly Row<'approval_events'>[],
): string[] {
  const approver = events.find(({ to_state }) => to_state === 'approved')?.actor
  if (approver === undefined)
    return state === 'carried_out' ? ['it is carried out, and nobody approved it'] : []
  // Of one that was refused after all, whoever refused it has decided it.
  const isDeciders = state === 'refused' || approver === decided_by
  const isOther = approver !== asked_by && events[0]?.actor === asked_by && isDeciders
  return isOther ? [] : [`it is ${state}, asked for by ${asked_by} and approved by ${decided_by}`]
}

async function numberProblems(reader: Reader): Promise<string[]> {
  return reader.snapshot(async (query) => {
    const [counted] = await query(approvalNumbers, {})
    const [fact] = await query(factByName, { name: lostNumbersFact })
    const given = await lastApprovalNumber(query)
    // What a restore has lost was given, and is here no more.
    const lost = lostNumbersIn(fact)
    const count = lost.reduce((sum, { from, to }) => sum + to - from + 1, Number(counted?.count ?? 0))
    const last = Math.max(Number(counted?.last ?? 0), ...lost.map(({ to }) => to))
    if (count === last && last === given) return []
    return [`there are ${count} approvals up to number ${last}, and ${given} were given`]
  })
}
