/** What holds in the database. */

import type { Operation, OperationContext } from '../foundation/operation.ts'
import type { Verifier, VerifyProgress } from './verifier.ts'
import type { Verification } from './verify.ts'

/** What verifying needs of the node. */
export interface VerificationContext extends OperationContext {
  verification: Verifier
}

const nothing = { type: 'object', additionalProperties: false } as const

export const verify: Operation<Record<string, never>, Verification, VerificationContext> = {
  name: 'verify',
  summary: 'Check everything that has to hold in the database, while the node serves.',
  input: nothing,
  isRead: true,
  role: 'operator',
  run: ({ verification }) => verification.verify(),
}

export const verifyProgress: Operation<Record<string, never>, VerifyProgress, VerificationContext> = {
  name: 'verify.progress',
  summary: 'Say how far a verification has come.',
  input: nothing,
  isRead: true,
  run: async ({ verification }) => verification.progress(),
}
