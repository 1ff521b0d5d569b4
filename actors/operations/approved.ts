/**
 * Runs an operation so that it does nothing that needs a second person and has none. What it would write is judged in the very step
 * that writes it; what was approved is carried out in a step that ends the approval, so that it happens once.
 */
import { formatPrice } from '../../machines/money.ts'
import { allThresholds, approvalsOfInput } from '../../persistence/queries/approvals.ts'
import { enabledAdministratorNames } from '../../persistence/queries/people.ts'
import { type Row, row } from '../../persistence/store.ts'
import { ApprovalAsked, askApproval, inputDigest, type Preview } from '../approvals/asking.ts'
import { fingerprintsOf, type Moved, movedBy } from '../approvals/moved.ts'
import { type Exceeded, judgeSums, type Mover, sumRows } from '../approvals/sums.ts'
import { isLost, lostByRestore, tellApprovalRow, toldWrites, voidRow } from '../approvals/telling.ts'
import { judgedStore } from '../approvals/watched-store.ts'
import { OperationError } from '../foundation/operation.ts'
import { type ApprovalRule, approvalRuleOf } from './approval-rules.ts'
import { askedFile } from './approved-files.ts'
import type { AskedContext } from './context.ts'
import type { AnyOperation } from './index.ts'
import { type Look, look, over, previewOf } from './looking.ts'

type Rule = Exclude<ApprovalRule, null>

/** It would do something else than what was approved: thrown in the step, so that nothing of it is done. */
export class OtherResult extends OperationError {
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

/** Others have changed what it would move, between looking and doing. */
class MovedOn extends Error {
  override readonly name = 'MovedOn'
}

/** It is above a threshold, as the step sees it. */
class NeedsSecond extends OperationError {
  readonly exceeded: Exceeded
  constructor(exceeded: Exceeded) {
    super('refused', 'Somebody else has to approve it.')
    this.exceeded = exceeded
  }
}

const maxAttempts = 5

/** @throws ApprovalAsked where somebody else has to approve it, and what the operation throws */
export async function runWithApproval(
  operation: AnyOperation,
  context: AskedContext,
  input: unknown,
): Promise<unknown> {
  const rule = approvalRuleOf(operation)
  if (rule === null || !(await isNeeded(rule, context))) return operation.run(context, input)
  const [need, carriedBy] = rule
  if (need === 'file') return runFile(operation, context, input)
  const granted = carriedBy === 'asker' ? await grantedBefore(operation, context, input) : null
  if (granted !== null) return runGranted(operation, context, input, granted)
  if (need === 'amount') return runBelow(operation, context, input)
  const seen = await look(operation, context, input)
  if (seen.isIdle) return operation.run(context, input)
  return ask(operation, context, { input, seen, because: 'It needs two people, whatever it moves.' })
}

async function isNeeded([need]: Rule, { store }: AskedContext): Promise<boolean> {
  const thresholds = await store.query(allThresholds, {})
  if (thresholds.length === 0) return false
  if (need !== 'people') return true
  // Where there is nobody else, nobody could.
  return (await store.query(enabledAdministratorNames, {})).length > 1
}

function moverOf({ name }: { name: string }, { person }: Pick<AskedContext, 'person'>): Mover {
  return { operation: name, person }
}

/** Done at once as long as it is below the thresholds, with what was done before. */
async function runBelow(operation: AnyOperation, context: AskedContext, input: unknown): Promise<unknown> {
  const { store, clockWatch } = context
  const mover = moverOf(operation, context)
  const isTrusted = (await clockWatch.show()).state === 'trusted'
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const seen = await look(operation, context, input)
    const rows = sumRows(mover, seen.moved)
    const whole = await store.step({
      rows,
      decide: (held, at) => ({ answer: judgeSums(mover, seen.moved, held, { at, isTrusted }), writes: [] }),
    })
    if (whole.outcome === 'violated') throw new Error(`Looking at sums violated ${whole.constraint}.`)
    if (!whole.answer.ok) return askAbove(operation, context, { input, seen }, whole.answer.exceeded)
    try {
      const judged = judgedStore(store, {
        rows,
        judge: (step, held, at) => {
          const moved = movedBy([step])
          if (!isWithin(moved, seen.moved)) throw new MovedOn()
          const answer = judgeSums(mover, moved, held, { at, isTrusted })
          if (!answer.ok) throw new NeedsSecond(answer.exceeded)
          return answer.writes
        },
      })
      return await operation.run(over(context, judged), input)
    } catch (error) {
      if (error instanceof NeedsSecond) return askAbove(operation, context, { input, seen }, error.exceeded)
      if (!(error instanceof MovedOn)) throw error
    }
  }
  throw new OperationError('conflict', 'Others keep changing what it is about; nothing was changed.', {
    hint: 'Try it again.',
  })
}

/** The rows of what it was looked at for are held, and no others. */
function isWithin(moved: readonly Moved[], known: readonly Moved[]): boolean {
  return moved.every(({ currency, parties }) => {
    const same = known.find((one) => one.currency === currency)
    return (
      same !== undefined &&
      parties.every((id) => same.parties.includes(id)) &&
      parties.length > 0 === same.parties.length > 0
    )
  })
}

interface Asking {
  input: unknown
  seen: Look
}

function askAbove(
  operation: AnyOperation,
  context: AskedContext,
  asking: Asking,
  { currency, amountMinor, thresholdMinor, beforeMinor }: Exceeded,
): Promise<never> {
  const money = (minor: bigint) => `${formatPrice(minor, currency)} ${currency}`
  const before = beforeMinor === 0n ? '' : `, with ${money(beforeMinor)} within a day before it,`
  const because = `${money(amountMinor)}${before} is above the threshold of ${money(thresholdMinor)}.`
  return ask(operation, context, { ...asking, because })
}

async function ask(
  operation: AnyOperation,
  context: AskedContext,
  { input, seen, because }: Asking & { because: string },
): Promise<never> {
  const preview = await previewOf(context.store, seen, because)
  return askFor(operation, context, { input, preview, fingerprint: seen.fingerprint, because })
}

/** @throws ApprovalAsked */
async function askFor(
  operation: AnyOperation,
  context: AskedContext,
  asked: { input: unknown; preview: Preview; fingerprint: string; because: string },
): Promise<never> {
  const { person, operator, approvals } = context
  const rule = approvalRuleOf(operation)
  const { approval, isNew } = await askApproval(context, {
    operation: operation.name,
    input: keptInput(operation, asked.input),
    preview: asked.preview,
    fingerprint: asked.fingerprint,
    carriedBy: rule?.[1] ?? 'node',
    // Names are compared by those who approve.
    askedBy: (person ?? operator).toLowerCase(),
    isPerson: person !== null,
    expireMs: approvals.expireHours * 3_600_000,
  })
  throw new ApprovalAsked(approval, { isNew, because: asked.because })
}

/** Without secrets, and without what says nothing. */
function keptInput({ audited }: AnyOperation, input: unknown): unknown {
  const kept = audited === undefined ? input : audited(input)
  if (typeof kept !== 'object' || kept === null) return kept
  return Object.fromEntries(Object.entries(kept).filter(([name]) => name !== 'dryRun'))
}

/** What was approved of the very same request, where whoever asked for it has to come back. */
async function grantedBefore(
  operation: AnyOperation,
  { store, person }: AskedContext,
  input: unknown,
): Promise<Row<'approvals'> | null> {
  const digest = inputDigest(operation.name, keptInput(operation, input))
  const known = await store.query(approvalsOfInput, { digest })
  const isMine = ({ is_person, asked_by }: Row<'approvals'>) =>
    person === null ? is_person === 0 : is_person === 1 && asked_by === person
  return known.find((one) => one.state === 'approved' && isMine(one)) ?? null
}

/** Booked in many steps, each once: the approval is used up by beginning. */
async function runFile(operation: AnyOperation, context: AskedContext, input: unknown): Promise<unknown> {
  const file = await askedFile(operation.name, context, input)
  if (file === null) return operation.run(context, input)
  const granted = await grantedBefore(operation, context, file.input)
  if (granted === null) {
    const because = 'What a file books needs two people.'
    const preview = { ...(await file.preview()), because }
    const fingerprint = JSON.stringify([inputDigest(operation.name, file.input)])
    return askFor(operation, context, { input: file.input, preview, fingerprint, because })
  }
  const { number, asked_by } = granted
  await tellApprovalRow(context, { number, said: { type: 'approval.carry_out' }, actor: asked_by })
  return operation.run(context, input)
}

/** The first step that writes ends the approval; none writes anything that was not approved. */
export async function runGranted(
  operation: AnyOperation,
  context: AskedContext,
  input: unknown,
  approval: Row<'approvals'>,
): Promise<unknown> {
  const left: string[] = JSON.parse(approval.fingerprint)
  let pending: { head: string; print: string } | null = null
  let head: string | null = null
  const store = judgedStore(context.store, {
    rows: { approval: row('approvals', { id: approval.id }), lost: voidRow },
    judge: (step, held, at) => {
      if (held.approval === null) throw new Error(`Approval ${approval.number} is gone.`)
      const [print = ''] = fingerprintsOf([step])
      const isListed = left.includes(print)
      // What follows the one step of an operation moves nothing: it was not looked at.
      if (!isListed && (head === null || movedBy([step]).length > 0)) throw new OtherResult()
      pending = { head: held.approval.head, print }
      if (head !== null && head === held.approval.head) return []
      if (isLost(held.approval, held.lost)) throw lostByRestore(held.approval)
      const told = toldWrites(
        context.journalKey,
        held.approval,
        { said: { type: 'approval.carry_out' }, actor: held.approval.asked_by },
        at,
      )
      if (told === null) throw endedMeanwhile(held.approval)
      pending = { head: told.approval.head, print }
      return told.writes
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

export function endedMeanwhile({ number, state }: Row<'approvals'>): OperationError {
  return new OperationError(
    'conflict',
    `Approval ${number} is ${state.replaceAll('_', ' ')}: it is not carried out now.`,
    {
      hint: `Look at it: approval show ${number}`,
    },
  )
}
