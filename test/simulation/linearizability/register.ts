/** A register that is read, written, and changed where it has a value: what the published histories are of. */
import type { Sequential } from './checker.ts'

export type RegisterInput =
  | { does: 'read' }
  | { does: 'write'; value: number }
  | { does: 'swap'; from: number; to: number }

/** What a read has shown (`'none'` before the first write), or whether a write or a swap was done. */
export type RegisterOutput = number | 'none' | 'done' | 'not done'

export const register: Sequential<number | 'none', RegisterInput, RegisterOutput> = {
  initial: 'none',
  key: String,
  step(state, input, output) {
    if (input.does === 'read') return output === null || output === state ? [state] : []
    if (input.does === 'write') return [input.value]
    const isDone = state === input.from
    if (output !== null && (output === 'done') !== isDone) return []
    return [isDone ? input.to : state]
  },
}
