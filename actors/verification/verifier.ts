/** How operations ask for a verification: wherever it runs, it disturbs nobody. */
import type { VerifyProgress } from '../operations/verification.ts'
import type { Verification } from './verify.ts'

export interface Verifier {
  /** The database file; `null` when a server has it. */
  readonly file: string | null
  /** One at a time: a second call gets the result of the first. */
  verify(): Promise<Verification>
  progress(): VerifyProgress
}
