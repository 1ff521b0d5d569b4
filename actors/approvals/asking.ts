/** Asking for a second person: an approval comes into being, with what it would do as it is shown now. */
import { createHash } from 'node:crypto'
import { approvalsOfInput } from '../../persistence/queries/approvals.ts'
import { type Decision, type Row, row, type Store, type Write } from '../../persistence/store.ts'
import { OperationError } from '../foundation/operation.ts'
import type { ShownPosting } from '../orders/postings-shown.ts'
import { timeOrderedId } from '../orders/time-ordered-id.ts'
import { beginApproval } from './gate.ts'
import { appendApprovalEntry } from './journal.ts'

/** What whoever approves is shown. */
export interface Preview {
  postings: ShownPosting[]
  /** What it moves of each currency. */
  moves: { currency: string; amount: string }[]
  /** What it changes, where it moves nothing: a line each. */
  changes: string[]
  /** Why it needs a second person. */
  because: string
}

export interface AskedApproval {
  operation: string
  /** Without secrets. */
  input: unknown
  preview: Preview
  fingerprint: string
  carriedBy: 'node' | 'asker'
  askedBy: string
  isPerson: boolean
  expireMs: number
}

const numberFact = 'approvals.last_number'

/** The same operation with the same input, whoever asks. */
export function inputDigest(operation: string, input: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify([operation, sorted(input)]))
    .digest('base64url')
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => [name, sorted(member)])
}

/** @returns the one that waits for the very same, where there is one. */
export async function askApproval(
  { store, journalKey }: { store: Store; journalKey: string },
  asked: AskedApproval,
): Promise<{ approval: Row<'approvals'>; isNew: boolean }> {
  const digest = inputDigest(asked.operation, asked.input)
  const known = (await store.query(approvalsOfInput, { digest })).find(
    (one) => one.fingerprint === asked.fingerprint && one.asked_by === asked.askedBy,
  )
  if (known !== undefined) return { approval: known, isNew: false }
  const result = await store.step({
    rows: { counter: row('facts', { name: numberFact }) },
    decide: ({ counter }, at): Decision<Row<'approvals'>> => {
      const number = Number(counter?.value ?? '0') + 1
      const id = timeOrderedId(at)
      const expiresAt = at + asked.expireMs
      const { operation, askedBy } = asked
      const begun = beginApproval({ approvalId: id, operation, askedBy, at, expiresAt })
      const bound = {
        operation,
        input_json: JSON.stringify(asked.input),
        preview_json: JSON.stringify(asked.preview),
        fingerprint: asked.fingerprint,
      }
      const { write, ...place } = appendApprovalEntry(
        journalKey,
        { id, revision: 0, head: '', ...bound },
        { actor: askedBy, event: { type: 'approval.ask', at }, from: null, to: begun.state },
      )
      const values: Row<'approvals'> = {
        id,
        number,
        ...bound,
        input_digest: digest,
        carried_by: asked.carriedBy,
        asked_by: askedBy,
        is_person: asked.isPerson ? 1 : 0,
        asked_at: at,
        expires_at: expiresAt,
        state: begun.state,
        decided_by: null,
        decided_at: null,
        reason: null,
        ended_at: null,
        ...place,
        ...begun.stored,
      }
      return {
        answer: values,
        writes: [numbered(counter, number), { insert: 'approvals', values }, write],
        wake: ['approvals'],
      }
    },
  })
  if (result.outcome === 'committed') return { approval: result.answer, isNew: true }
  throw new Error(`Asking for an approval violated ${result.constraint}.`)
}

function numbered(counter: Row<'facts'> | null, number: number): Write {
  const value = String(number)
  return counter === null
    ? { insert: 'facts', values: { name: numberFact, value } }
    : { update: 'facts', key: { name: numberFact }, set: { value } }
}

/** What whoever asked for it is told. Nothing was done. */
export class ApprovalAsked extends OperationError {
  readonly approval: number
  constructor({ number }: Row<'approvals'>, { isNew, because }: { isNew: boolean; because: string }) {
    super(
      'asked',
      isNew
        ? `Somebody else has to approve it: it is asked for as approval ${number}. ${because}`
        : `It is asked for already, as approval ${number}, and waits for somebody else.`,
      { hint: `Nothing was done yet. approval show ${number} tells what has become of it.` },
    )
    this.approval = number
  }
}
