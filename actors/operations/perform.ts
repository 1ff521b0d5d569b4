/**
 * Runs an operation, and writes down in the audit log who asked for what, and how it ended.
 *
 * The entry is there before anything is changed: a node that dies meanwhile leaves `begun` behind.
 */
import { beginAudit, settleAudit } from '../../persistence/queries/operations.ts'
import { OperationError } from '../foundation/operation.ts'
import { UnreadableOrder } from '../orders/unreadable-order.ts'
import type { NodeContext } from './context.ts'
import type { AnyOperation } from './index.ts'

/** @param input has passed the operation's schema. @throws OperationError, or what went wrong. */
export async function perform(
  operation: AnyOperation,
  context: NodeContext,
  input: unknown,
): Promise<unknown> {
  if (operation.isRead || isDryRun(input)) return attempt(operation, context, input)
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
    answer = await attempt(operation, context, input)
  } catch (error) {
    await settle(error instanceof OperationError ? `${error.code}: ${error.message}` : 'failed')
    throw error
  }
  await settle(operation.concluded ? `done: ${operation.concluded(answer)}` : 'done')
  return answer
}

/** What would be done is looked at by pages as often as they are opened, and changes nothing. */
export function isDryRun(input: unknown): boolean {
  return typeof input === 'object' && input !== null && 'dryRun' in input && input.dryRun === true
}

/** What cannot be decided about one order is no fault of the operation, and nothing was changed. */
async function attempt(operation: AnyOperation, context: NodeContext, input: unknown): Promise<unknown> {
  try {
    return await operation.run(context, input)
  } catch (error) {
    if (!(error instanceof UnreadableOrder)) throw error
    const hint = 'Run the program that stored it; order show tells what can be told.'
    throw new OperationError('refused', error.message, { hint })
  }
}
