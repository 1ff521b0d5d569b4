/** Mutants that no test can tell from the original: what they change cannot be seen, and why. */
export interface Equivalent {
  file: string
  /** The line that the change begins in, and the change, as the runner prints them. */
  line: string
  change: string
  reason: string
}

export const equivalents: readonly Equivalent[] = []
