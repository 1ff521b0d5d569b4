/** What a command sees of the world it was called in; tests give it another. */
import type { NodeClock } from '../actors/condition/clock-watch.ts'

export interface Terminal {
  /** Standard output: the command's one answer. */
  out(text: string): void
  /** Standard error: everything that is for people only. */
  err(text: string): void
  /** Whether standard output is a terminal. */
  readonly isTerminal: boolean
  /** All of standard input. */
  readInput(): Promise<Buffer>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** Who runs the command. */
  readonly user: string
  readonly clock: NodeClock
  /** Calls back each time somebody asks the process to stop. Returns the way to listen no more. */
  onStopSignal(listener: () => void): () => void
}
