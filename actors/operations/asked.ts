/** Asking for a second person instead of doing it; and knowing again what was approved, when whoever asked comes back with it. */
import { isDeepStrictEqual } from 'node:util'
import { approvalsOfInput } from '../../persistence/queries/approvals.ts'
import type { Row } from '../../persistence/store.ts'
import { ApprovalAsked, askApproval, inputDigest, type Preview } from '../approvals/asking.ts'
import { approvalRuleOf } from './approval-rules.ts'
import type { AskedContext } from './context.ts'
import type { AnyOperation } from './index.ts'
import { type Look, previewOf } from './looking.ts'

export interface Asking {
  input: unknown
  seen: Look
}

/** @throws ApprovalAsked */
export async function ask(
  operation: AnyOperation,
  context: AskedContext,
  { input, seen, because }: Asking & { because: string },
): Promise<never> {
  const given = withoutDryRun(input)
  const kept = keptInput(operation, given)
  const withheld = !isDeepStrictEqual(kept, given)
  const preview = await previewOf(context.store, seen, { because, withheld })
  return askFor(operation, context, { given, kept, preview, fingerprint: seen.fingerprint })
}

/** @throws ApprovalAsked */
export async function askFor(
  operation: AnyOperation,
  context: AskedContext,
  asked: { given: unknown; kept: unknown; preview: Preview; fingerprint: string },
): Promise<never> {
  const { person, operator, approvals } = context
  const rule = approvalRuleOf(operation)
  const { preview } = asked
  const { approval, isNew } = await askApproval(context, {
    operation: operation.name,
    given: asked.given,
    input: asked.kept,
    preview,
    fingerprint: asked.fingerprint,
    // What is not kept only they have.
    carriedBy: preview.withheld ? 'asker' : (rule?.[1] ?? 'node'),
    // Names are compared by those who approve.
    askedBy: (person ?? operator).toLowerCase(),
    isPerson: person !== null,
    expireMs: approvals.expireHours * 3_600_000,
  })
  await anchorNumber(context)
  throw new ApprovalAsked(approval, { isNew, because: preview.because })
}

/** It is asked for, whatever becomes of the line: the worker writes it within a minute, and the node's condition tells where it cannot. */
async function anchorNumber({ anchorNow }: AskedContext): Promise<void> {
  await anchorNow().catch((error: unknown) => {
    process.emitWarning(`The number of an approval could not be written to the anchors: ${String(error)}`)
  })
}

/** What says nothing of what is asked for. */
export function withoutDryRun(input: unknown): unknown {
  if (typeof input !== 'object' || input === null) return input
  return Object.fromEntries(Object.entries(input).filter(([name]) => name !== 'dryRun'))
}

/** Without secrets. */
function keptInput({ audited, kept }: AnyOperation, input: unknown): unknown {
  if (kept !== undefined) return kept(input)
  return audited === undefined ? input : audited(input)
}

/** What was approved of the very same request, where whoever asked for it has to come back. */
export async function grantedBefore(
  operation: AnyOperation,
  { store, person, journalKey }: AskedContext,
  given: unknown,
): Promise<Row<'approvals'> | null> {
  const digest = inputDigest(journalKey, operation.name, given)
  const known = await store.query(approvalsOfInput, { digest })
  const isMine = ({ is_person, asked_by }: Row<'approvals'>) =>
    person === null ? is_person === 0 : is_person === 1 && asked_by === person
  return known.find((one) => one.state === 'approved' && one.carried_by === 'asker' && isMine(one)) ?? null
}
