/** What people did about themselves, as the audit log keeps it: written in the step that does it. */
import type { Instant } from '../../machines/time.ts'
import type { Write } from '../../persistence/store.ts'

export interface Noted {
  at: Instant
  operator: string
  /** Named as operations are: `operator.signIn`. */
  operation: string
  /** No secret may be in it. */
  input: Readonly<Record<string, string>>
  outcome: string
}

export function noted({ at, operator, operation, input, outcome }: Noted): Write {
  const values = { done_at: at, operator, operation, input_json: JSON.stringify(input), outcome }
  return { insert: 'audit', values }
}
