/** What holds in the database. */

import { defineOperation, type OperationContext } from '../foundation/operation.ts'
import type { Verifier, VerifyProgress } from './verifier.ts'
import type { Verification } from './verify.ts'

/** What verifying needs of the node. */
export interface VerificationContext extends OperationContext {
  verification: Verifier
}

export const verify = defineOperation({
  name: 'verify',
  summary: 'Check that the database is consistent, while the node serves.',
  fields: {},
  isRead: true,
  run: ({ verification }: VerificationContext): Promise<Verification> => verification.verify(),
})

export const verifyProgress = defineOperation({
  name: 'verify.progress',
  summary: 'Show the progress of a verification.',
  fields: {},
  isRead: true,
  run: async ({ verification }: VerificationContext): Promise<VerifyProgress> => verification.progress(),
})
