/** What statements ask for, and what settles it: the oldest first, never more than is left of any. Pure. */
import type { Instant } from '../../machines/time.ts'
import type { Row, Write } from '../../persistence/store.ts'

export type Statement = Row<'statements'>

/** Part of a statement's due amount, signed as that is. */
export interface Allocation {
  number: number
  amountMinor: bigint
}

/** What is left of it: above zero the operator owes it, below zero the party does. */
export function remainderOf({ due_minor, allocated_minor }: Statement): bigint {
  return due_minor - allocated_minor
}

export function remainders(statements: readonly Statement[]): bigint {
  return statements.reduce((sum, one) => sum + remainderOf(one), 0n)
}

/** Nothing is ordered, and nobody told what is due, by a statement that may still be lost (protocol 15.10). */
export function isSealed({ sealed_at }: Statement): boolean {
  return sealed_at !== null
}

/** When it falls due; null where it falls due with a later one. */
export function dueDayOf({ due_on, postponed_to }: Statement): string | null {
  return postponed_to ?? due_on
}

/** Those that are sealed and due by a day: with each the ones before it that were too small to fall due by themselves. */
export function dueBy(open: readonly Statement[], day: string): Statement[] {
  const statements = open.filter(isSealed)
  const last = statements.findLastIndex((one) => (dueDayOf(one) ?? '9999') <= day)
  return statements.slice(0, last + 1).filter((one) => (dueDayOf(one) ?? '0000') <= day)
}

/**
 * An amount over open statements of its sign, the oldest first.
 *
 * @param amountMinor above zero for what the operator pays, below zero for what it is paid
 */
export function allocate(statements: readonly Statement[], amountMinor: bigint): Allocation[] {
  let left = amountMinor
  return statements.flatMap((statement) => {
    const open = remainderOf(statement)
    if (left === 0n || open === 0n || open > 0n !== left > 0n) return []
    const isWhole = open > 0n ? open <= left : open >= left
    const part = isWhole ? open : left
    left -= part
    return [{ number: statement.number, amountMinor: part }]
  })
}

/**
 * The writes of a payment's allocations, and of what they make of their statements.
 *
 * @param occasion another one each time that a payment settles or releases something
 */
export function allocationWrites(
  statements: readonly Statement[],
  allocations: readonly Allocation[],
  { paymentId, occasion, at }: { paymentId: string; occasion: string; at: Instant },
): Write[] {
  return allocations.flatMap(({ number, amountMinor }): Write[] => {
    const statement = statements.find((one) => one.number === number)
    if (statement === undefined) throw new Error(`Payment ${paymentId}: statement ${number} is not held.`)
    const { party_id, currency, allocated_minor } = statement
    return [
      {
        insert: 'allocations',
        values: {
          id: `payment/${paymentId}/${occasion}/${number}`,
          party_id,
          currency,
          number,
          source: 'payment',
          source_id: paymentId,
          amount_minor: amountMinor,
          allocated_at: at,
        },
      },
      {
        update: 'statements',
        key: { party_id, currency, number },
        set: { allocated_minor: allocated_minor + amountMinor },
      },
    ]
  })
}
