/**
 * Runs an operation, and writes down in the audit log who asked for what, and how it ended.
 *
 * The entry is there before anything is changed: a node that dies meanwhile leaves `begun` behind.
 */
import { beginAudit, settleAudit } from '../../persistence/queries/operations.ts'
import type { Row } from '../../persistence/store.ts'
import { OperationError } from '../foundation/operation.ts'
import { UnreadableOrder } from '../orders/unreadable-order.ts'
import { runWithApproval } from './approved.ts'
import type { AskedContext } from './context.ts'
import { runGranted } from './granted.ts'
import type { AnyOperation } from './index.ts'

/**
 * @param input has passed the operation's schema.
 * @param approval by which it is carried out now; without one it is asked for wherever it needs one.
 * @throws OperationError, or what went wrong.
 */
export async function perform(
  operation: AnyOperation,
  context: AskedContext,
  input: unknown,
  approval?: Row<'approvals'>,
): Promise<unknown> {
  if (operation.isRead || isDryRun(input)) return attempt(() => operation.run(context, input))
  const { store, clock, operator } = context
  const [entry] = await store.execute(beginAudit, {
    at: clock.now(),
    operator,
    operation: operation.name,
    inputJson: JSON.stringify(operation.audited ? operation.audited(input) : input),
    outcome: 'begun',
  })
  // What was done is told as done, and what went wrong as it went wrong, whatever becomes of the entry.
  const settle = async (outcome: string) => {
    try {
      if (entry) await store.execute(settleAudit, { id: entry.id, outcome })
    } catch (error) {
      process.emitWarning(`The audit log could not be completed: ${String(error)}`)
    }
  }
  let answer: unknown
  try {
    answer = await attempt(() =>
      approval === undefined
        ? runWithApproval(operation, context, input)
        : runGranted(operation, context, input, approval),
    )
  } catch (error) {
    await settle(error instanceof OperationError ? `${error.code}: ${error.message}` : 'failed')
    throw error
  }
  const by =
    approval === undefined ? '' : ` (approval ${approval.number}, approved by ${approval.decided_by})`
  await settle(operation.concluded ? `done${by}: ${operation.concluded(answer)}` : `done${by}`)
  return answer
}

/** What would be done is looked at by pages as often as they are opened, and changes nothing. */
export function isDryRun(input: unknown): boolean {
  return typeof input === 'object' && input !== null && 'dryRun' in input && input.dryRun === true
}

/** What cannot be decided about one order is no fault of the operation, and nothing was changed. */
async function attempt(run: () => Promise<unknown>): Promise<unknown> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof UnreadableOrder)) throw error
    const hint = 'Run the program that stored it; order show tells what can be told.'
    throw new OperationError('refused', error.message, { hint })
  }
}
