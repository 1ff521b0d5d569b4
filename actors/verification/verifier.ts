/** How operations ask for a verification: wherever it runs, it disturbs nobody. */
import type { Verification } from './verify.ts'

export interface VerifyProgress {
  /** False when nothing is being verified. */
  isRunning: boolean
  /** Orders looked at, of about `total`. */
  done: number
  total: number
}

export interface Verifier {
  /** The database file; `null` when a server has it. */
  readonly file: string | null
  /** One at a time: a second call gets the result of the first. */
  verify(): Promise<Verification>
  progress(): VerifyProgress
}
