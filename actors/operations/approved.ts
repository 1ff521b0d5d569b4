/**
 * Runs an operation so that it does nothing that needs a second person and has none. What it would write is judged in the very step
 * that writes it; what was approved is carried out in a step that ends the approval, so that it happens once.
 */
import { currencyName, formatPrice } from '../../machines/money.ts'
import { allThresholds, approvalsOfInput } from '../../persistence/queries/approvals.ts'
import { type Row, row } from '../../persistence/store.ts'
import { inputDigest } from '../approvals/asking.ts'
import { judgedStore } from '../approvals/judged-store.ts'
import { type Moved, movedBy } from '../approvals/moved.ts'
import { type Exceeded, judgeSums, type Mover, sumRows } from '../approvals/sums.ts'
import { toldWrites } from '../approvals/telling.ts'
import { OperationError } from '../foundation/operation.ts'
import { approvalRuleOf } from './approval-rules.ts'
import { askedFile } from './approved-files.ts'
import { circleOf, countIndependent, holderOf } from './approvers.ts'
import { type Asking, ask, askFor, grantedBefore, withoutDryRun } from './asked.ts'
import type { AskedContext } from './context.ts'
import { runGranted, useUp } from './granted.ts'
import type { AnyOperation } from './index.ts'
import { letInWrites } from './let-in.ts'
import { look, over } from './looking.ts'

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
  if (rule === null || !(await areOn(context))) return operation.run(context, input)
  const [need] = rule
  if (need === 'file') return runFile(operation, context, input)
  const granted = await grantedBefore(operation, context, withoutDryRun(input))
  if (granted !== null) return runGranted(operation, context, input, granted)
  if (need === 'amount') return runBelow(operation, context, input)
  const alone = need === 'people' ? await aloneBy(operation, context, input) : null
  if (alone !== null) return runAlone(operation, context, input, alone)
  return runIdle(operation, context, input)
}

/** Done at once only where it changes nothing, neither when it is looked at nor in its own step; otherwise it is asked for. */
async function runIdle(operation: AnyOperation, context: AskedContext, input: unknown): Promise<unknown> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const seen = await look(operation, context, input)
    const because = 'It needs two people, whatever it moves.'
    if (!seen.isIdle) return ask(operation, context, { input, seen, because })
    const judge = () => {
      throw new MovedOn()
    }
    try {
      return await operation.run(over(context, judgedStore(context.store, { rows: {}, judge })), input)
    } catch (error) {
      if (!(error instanceof MovedOn)) throw error
    }
  }
  throw keepsMoving()
}

async function areOn({ store }: AskedContext): Promise<boolean> {
  return (await store.query(allThresholds, {})).length > 0
}

/** What nobody has refused for so long, whoever has the machine does with people. */
const objectionMs = 24 * 3_600_000

/** Why one person changes people alone: nobody else could approve it, or nobody has refused it. */
type Alone = { waited: Row<'approvals'> | null }

/**
 * Where there is nobody else, nobody could approve it. Where none of those who could can sign in, whoever has the machine asks, so that
 * they are told, waits a day, and asks once more.
 */
async function aloneBy(
  operation: AnyOperation,
  context: AskedContext,
  input: unknown,
): Promise<Alone | null> {
  const { store, person, clock, clockWatch, isDirect = false } = context
  if ((await countIndependent(store)) < 2) return { waited: null }
  if (person !== null || !isDirect) return null
  const now = clock.now()
  const digest = inputDigest(context.journalKey, operation.name, withoutDryRun(input))
  const waited = (await store.query(approvalsOfInput, { digest })).find(
    ({ state, is_person, asked_at, expires_at }) =>
      state === 'asked' && is_person === 0 && asked_at + objectionMs <= now && now < expires_at,
  )
  if (waited === undefined || (await clockWatch.show()).state !== 'trusted') return null
  return { waited }
}

/** Whoever it lets in counts as the same person from then on. What has waited ends in the step that does it. */
function runAlone(
  operation: AnyOperation,
  context: AskedContext,
  input: unknown,
  { waited }: Alone,
): Promise<unknown> {
  let isEnded = waited === null
  const store = judgedStore(context.store, {
    rows: { waited: row('approvals', { id: waited?.id ?? '' }) },
    judge: ({ writes }, held, at) => {
      const marks = letInWrites(writes, holderOf(context.person))
      if (isEnded || held.waited === null) return marks
      const { asked_by: by } = held.waited
      const reason = 'Nobody has refused it for a day: whoever has the machine does it.'
      const said = { type: 'approval.withdraw', by } as const
      const told = toldWrites(context.journalKey, held.waited, { said, actor: by, reason }, at)
      if (told === null || held.waited.state !== 'asked') throw decidedMeanwhile(held.waited)
      return [...told.writes, ...marks]
    },
    committed() {
      isEnded = true
    },
  })
  return operation.run(over(context, store), input)
}

function decidedMeanwhile({ number }: Row<'approvals'>): OperationError {
  return new OperationError('conflict', `Somebody has decided approval ${number} meanwhile.`, {
    hint: `Look at it: approval show ${number}`,
  })
}

async function moverOf({ name }: { name: string }, { store, person }: AskedContext): Promise<Mover> {
  return { operation: name, holder: await circleOf(store, person) }
}

/** Done at once as long as it is below the thresholds, with what was done before. */
async function runBelow(operation: AnyOperation, context: AskedContext, input: unknown): Promise<unknown> {
  const { store, clockWatch } = context
  const mover = await moverOf(operation, context)
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
  throw keepsMoving()
}

function keepsMoving(): OperationError {
  return new OperationError('conflict', 'Others keep changing what it is about; nothing was changed.', {
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

function askAbove(
  operation: AnyOperation,
  context: AskedContext,
  asking: Asking,
  { currency, amountMinor, thresholdMinor, beforeMinor }: Exceeded,
): Promise<never> {
  const money = (minor: bigint) => `${formatPrice(minor, currency)} ${currencyName(currency)}`
  const before = beforeMinor === 0n ? '' : `, with ${money(beforeMinor)} within a day before it,`
  const because = `${money(amountMinor)}${before} is above the threshold of ${money(thresholdMinor)}.`
  return ask(operation, context, { ...asking, because })
}

/** Booked in many steps, each once: the approval is used up by beginning. */
async function runFile(operation: AnyOperation, context: AskedContext, input: unknown): Promise<unknown> {
  const file = await askedFile(operation.name, context, input)
  if (file === null) return operation.run(context, input)
  const granted = await grantedBefore(operation, context, file.input)
  if (granted === null) {
    const because = 'What a file books needs two people.'
    const preview = { ...(await file.preview()), withheld: true, because }
    const fingerprint = JSON.stringify([inputDigest(context.journalKey, operation.name, file.input)])
    return askFor(operation, context, { given: file.input, kept: file.input, preview, fingerprint })
  }
  await useUp(operation, context, granted)
  return operation.run(context, input)
}
