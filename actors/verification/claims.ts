/**
 * Claims held against what they were told and what was posted: numbers without gaps, an unbroken chain that leads to the state, the
 * postings of the decision and no others, and evidence that is there unless it was erased (protocol 16.8, 16.9).
 */
import type { ClaimDecision } from '../../machines/claim.ts'
import { handledBeyondMinor } from '../../machines/claim-postings.ts'
import {
  claimEventsBetween,
  claimEvidenceBetween,
  claimedOrderRows,
  claimNumbers,
  claimPostings,
  claimsAfter,
  strayClaimPostings,
} from '../../persistence/queries/claims.ts'
import { factByName } from '../../persistence/queries/node.ts'
import { accountId, type Query, type Reader, type Row } from '../../persistence/store.ts'
import { claimHash } from '../claims/journal.ts'
import { postingsOfClaim } from '../claims/postings.ts'

const claimsPerPage = 1_000

type Claim = Row<'claims'>
type Evidence = Row<'claim_evidence'> & { has_content: number }

interface ClaimFacts {
  claim: Claim
  events: readonly Row<'claim_events'>[]
  evidence: readonly Evidence[]
  moved: readonly Posted[]
}

interface Posted {
  kind: string
  debit_account: string
  credit_account: string
  amount_minor: bigint
}

export async function readClaimFindings(
  reader: Reader,
  journalKey: string,
): Promise<{ claims: number; problems: string[] }> {
  const found = { claims: 0, problems: await generalProblems(reader) }
  const marks = new Map<string, Marks>()
  for (let after = ''; ; ) {
    const page = await reader.snapshot((query) => readPage(query, after))
    for (const facts of page) {
      const { claim } = facts
      const problems = [
        ...journalProblems(facts, journalKey),
        ...moneyProblems(facts),
        ...evidenceProblems(facts),
      ]
      found.problems.push(...problems.map((problem) => `claim ${claim.number}: ${problem}`))
      mark(marks, claim)
    }
    found.claims += page.length
    const last = page.at(-1)
    if (last === undefined) break
    after = last.claim.id
  }
  found.problems.push(...(await orderProblems(reader, marks)))
  return found
}

async function readPage(query: Query, after: string): Promise<ClaimFacts[]> {
  const claims = await query(claimsAfter, { after, limit: claimsPerPage })
  const range = { after, last: claims.at(-1)?.id ?? after }
  const events = Map.groupBy(await query(claimEventsBetween, range), ({ claim_id }) => claim_id)
  const evidence = Map.groupBy(await query(claimEvidenceBetween, range), ({ claim_id }) => claim_id)
  const moved = Map.groupBy(await query(claimPostings, range), ({ reference }) => reference)
  return claims.map((claim) => ({
    claim,
    events: events.get(claim.id) ?? [],
    evidence: evidence.get(claim.id) ?? [],
    moved: moved.get(claim.id) ?? [],
  }))
}

function journalProblems({ claim, events }: ClaimFacts, journalKey: string): string[] {
  const problems: string[] = []
  let head = ''
  let state: Claim['state'] | null = null
  for (const [index, event] of events.entries()) {
    const { hash, ...entry } = event
    if (event.sequence !== index + 1) problems.push(`entry ${index + 1} is missing`)
    if (hash !== claimHash(journalKey, head, entry))
      problems.push(`entry ${event.sequence} is not what was sealed`)
    if (event.from_state !== state)
      problems.push(`entry ${event.sequence} begins in ${event.from_state}, not in ${state}`)
    head = hash
    state = event.to_state
  }
  if (events.length !== claim.revision || head !== claim.head)
    problems.push(`it was told ${claim.revision} things, and ${events.length} entries lead to another end`)
  if (state !== claim.state) problems.push(`it is ${claim.state}, its entries lead to ${state}`)
  return problems
}

/** What is accepted or upheld has moved what the table says, or by the postings of the order that its exception waited for. */
function moneyProblems({ claim, moved }: ClaimFacts): string[] {
  const decision = decisionOf(claim)
  const said = decision === null || claim.is_by_exception === 1 ? [] : postingsOfClaim(claim, decision, null)
  const expected = said.map(({ kind, debit, credit, amountMinor }) =>
    posted({
      kind,
      debit_account: accountId(debit),
      credit_account: accountId(credit),
      amount_minor: amountMinor,
    }),
  )
  const found = moved.map(posted)
  if (expected.join() === found.join()) return []
  return [
    `it is ${claim.state}, and says ${expected.join(', ') || 'nothing'}, its postings ${found.join(', ') || 'nothing'}`,
  ]
}

function decisionOf({ state }: Claim): ClaimDecision | null {
  return state === 'accepted' || state === 'upheld' || state === 'rejected' ? state : null
}

function posted({ kind, debit_account, credit_account, amount_minor }: Posted): string {
  return `${kind} ${amount_minor} from ${debit_account} to ${credit_account}`
}

function evidenceProblems({ events, evidence }: ClaimFacts): string[] {
  const told = events.flatMap(({ sequence, event_json }) => {
    const { hasEvidence }: { hasEvidence?: true } = JSON.parse(event_json)
    return hasEvidence === undefined ? [] : [sequence]
  })
  const kept = evidence.map(({ sequence }) => sequence)
  const problems =
    told.join() === kept.join()
      ? []
      : [`its entries tell of evidence ${told.join()}, and it has ${kept.join()}`]
  const odd = evidence.filter(
    ({ evidence_key, has_content }) => (evidence_key === null) === (Number(has_content) === 1),
  )
  return [
    ...problems,
    ...odd.map(({ sequence, evidence_key }) =>
      evidence_key === null
        ? `evidence ${sequence} was erased, and is there`
        : `evidence ${sequence} is gone`,
    ),
  ]
}

/** What is written beside an order, as its claims have it. */
type Marks = Omit<Row<'claimed_orders'>, 'order_id'>

function mark(marks: Map<string, Marks>, claim: Claim): void {
  const { order_id, provider_id, kind, number, is_by_exception } = claim
  const before = marks.get(order_id) ?? {
    ...{ credited_by: null, reversed_by: null, provider_id: null },
    corrected_minor: 0n,
  }
  const isBooked = (claim.state === 'accepted' || claim.state === 'upheld') && is_by_exception === 0
  if (isBooked) {
    const { price_minor: priceMinor, amount_minor: amountMinor } = claim
    if (kind === 'paid_not_credited') Object.assign(before, { credited_by: number, provider_id })
    if (kind === 'credited_not_paid') before.reversed_by = number
    before.corrected_minor += handledBeyondMinor({ kind, priceMinor, amountMinor })
  }
  marks.set(order_id, before)
}

async function orderProblems(reader: Reader, marks: ReadonlyMap<string, Marks>): Promise<string[]> {
  const rows = await reader.snapshot((query) => query(claimedOrderRows, {}))
  const known = new Map(rows.map((row) => [row.order_id, row]))
  return [...marks].flatMap(([order, expected]) => {
    const row = known.get(order)
    const isSame =
      row !== undefined &&
      Object.entries(expected).every(([column, value]) => row[column as keyof Marks] === value)
    return isSame ? [] : [`what claims have booked of order ${order} is not what is written beside it`]
  })
}

async function generalProblems(reader: Reader): Promise<string[]> {
  return reader.snapshot(async (query) => {
    const [counted] = await query(claimNumbers, {})
    const [fact] = await query(factByName, { name: 'claims.last_number' })
    const [count, last] = [Number(counted?.count ?? 0), Number(counted?.last ?? 0)]
    const given = Number(fact?.value ?? 0)
    return [
      ...(count === last && last === given
        ? []
        : [
            `there are ${count} claims up to number ${last}, with those that a restore has lost, and ${given} were given`,
          ]),
      ...(await query(strayClaimPostings, {})).map(
        ({ id, reference }) => `posting ${id} is of a claim ${reference} that is not there`,
      ),
    ]
  })
}
