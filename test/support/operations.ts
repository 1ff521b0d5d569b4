/** Operations asked as an operator asks them: through the dispatcher, with schemas and audit log. */

import { createVault, type Vault } from '../../actors/keys/vault.ts'
import { operationsOf } from '../../actors/operations/index.ts'
import { type Operation, type OperationContext, OperationError } from '../../actors/operations/operation.ts'
import { createDispatch } from '../../http/operator/dispatch.ts'

export interface Operator {
  vault: Vault
  ask<Input, Output>(operation: Operation<Input, Output>, input: Input): Promise<Output>
  /** The error an operation ends with; `input` may be anything. */
  refusal(name: string, input: unknown): Promise<OperationError>
}

export function operatorOf(
  context: Pick<OperationContext, 'store' | 'orders' | 'clock'>,
  mode: 'sandbox' | 'production' = 'sandbox',
): Operator {
  const vault = createVault(Buffer.alloc(32, 7))
  const dispatch = createDispatch(operationsOf(mode), { ...context, vault })
  return {
    vault,
    ask: async (operation, input) =>
      (await dispatch(operation.name, input, 'ana')) as Awaited<ReturnType<typeof operation.run>>,
    async refusal(name, input) {
      try {
        await dispatch(name, input, 'ana')
      } catch (error) {
        if (error instanceof OperationError) return error
        throw error
      }
      throw new Error(`${name} was done`)
    },
  }
}
