/** Numbers of claims: the node's, from one on, each given once (protocol 16.8). */
import type { Row, Write } from '../../persistence/store.ts'

/** The last that was given, or that a restore has lost. */
export const numberFact = 'claims.last_number'

export function lastNumber(counter: Row<'facts'> | null): number {
  return Number(counter?.value ?? '0')
}

export function numbered(counter: Row<'facts'> | null, number: number): Write {
  const value = String(number)
  return counter === null
    ? { insert: 'facts', values: { name: numberFact, value } }
    : { update: 'facts', key: { name: numberFact }, set: { value } }
}
