/** Asking for a second person: an approval comes into being, with what it would do as it is shown now. */
import { createHmac } from 'node:crypto'
import type { Instant } from '../../machines/time.ts'
import { approvalsOfInput, waitingOf } from '../../persistence/queries/approvals.ts'
import { factByName } from '../../persistence/queries/node.ts'
import { type Decision, type Row, row, type Store, type Write } from '../../persistence/store.ts'
import { lastApproval, numbered, numberFact } from '../anchors/approval-numbers.ts'
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
  /** A secret, or a file, is not kept: what it would do is looked at once more when whoever asked sends it again. */
  withheld: boolean
  /** Why it needs a second person. */
  because: string
}

export interface AskedApproval {
  operation: string
  /** Without secrets. */
  input: unknown
  /** All of it: known again by a keyed digest, and kept nowhere. */
  given: unknown
  preview: Preview
  fingerprint: string
  carriedBy: 'node' | 'asker'
  askedBy: string
  isPerson: boolean
  expireMs: number
}

/** So many of one person, or of all who have the token, wait at most: what nobody looks through is approved unread. */
export const maxWaiting = 50

const maxAttempts = 10

/** The same operation with the same input, secrets and all, whoever asks. Without the key nobody tries out what was meant. */
export function inputDigest(journalKey: string, operation: string, input: unknown): string {
  return createHmac('sha256', journalKey)
    .update(`input of ${JSON.stringify([operation, sorted(input)])}`)
    .digest('base64url')
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => [name, sorted(member)])
}

/**
 * @returns the one that waits for the very same, where there is one.
 * @throws OperationError where whoever asks has too many waiting
 */
export async function askApproval(
  { store, journalKey }: { store: Store; journalKey: string },
  asked: AskedApproval,
): Promise<{ approval: Row<'approvals'>; isNew: boolean }> {
  const digest = inputDigest(journalKey, asked.operation, asked.given)
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const [counter] = await store.query(factByName, { name: numberFact })
    const known = (await store.query(approvalsOfInput, { digest })).find(
      (one) => one.fingerprint === asked.fingerprint && one.asked_by === asked.askedBy,
    )
    if (known !== undefined) return { approval: known, isNew: false }
    const { askedBy: name, isPerson } = asked
    const [waiting] = await store.query(waitingOf, { name, isPerson: isPerson ? 1 : 0 })
    if (Number(waiting?.count ?? 0) >= maxWaiting) throw tooMany()
    const result = await store.step({
      rows: { counter: row('facts', { name: numberFact }) },
      decide: (held, at): Decision<Row<'approvals'> | null> => {
        // Somebody else has asked meanwhile: perhaps for the very same.
        if (held.counter?.value !== counter?.value) return { answer: null, writes: [] }
        const number = lastApproval(held.counter) + 1
        const { values, write } = newApproval(journalKey, asked, { number, digest, at })
        return {
          answer: values,
          writes: [numbered(held.counter, number), { insert: 'approvals', values }, write],
          wake: ['approvals', 'notifications'],
        }
      },
    })
    if (result.outcome === 'violated')
      throw new Error(`Asking for an approval violated ${result.constraint}.`)
    if (result.answer !== null) return { approval: result.answer, isNew: true }
  }
  throw new OperationError('conflict', 'Others keep asking for approvals; nothing was asked for.', {
    hint: 'Try it again.',
  })
}

function newApproval(
  journalKey: string,
  asked: AskedApproval,
  { number, digest, at }: { number: number; digest: string; at: Instant },
): { values: Row<'approvals'>; write: Write } {
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
  return { values, write }
}

function tooMany(): OperationError {
  return new OperationError(
    'refused',
    `${maxWaiting} approvals that you have asked for wait already: more would be approved unread.`,
    { hint: 'approval list --state open shows them; what is not needed any more: approval withdraw NUMBER' },
  )
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
