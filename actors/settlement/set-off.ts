/**
 * What settles statements without a further payment: what was paid before it was asked for; then set-off, where what one statement asks for
 * settles what an opposite one does. The oldest first.
 */
import { openStatementsOf } from '../../persistence/queries/statements.ts'
import { type Row, rows, type Store, type Write } from '../../persistence/store.ts'
import { settleFromRests } from './rests.ts'

type Statement = Row<'statements'>

const statementsPerStep = 100

/** @returns how many pairs were set off. */
export async function setOff(
  store: Store,
  { partyId, currency }: { partyId: string; currency: string },
): Promise<number> {
  await settleFromRests(store, { partyId, currency })
  const open = await store.query(openStatementsOf, { partyId, currency, limit: statementsPerStep })
  if (pairsOf(open).length === 0) return 0
  const keys = open.map(({ party_id, number }) => ({ party_id, currency, number }))
  const result = await store.step({
    rows: { held: rows('statements', keys) },
    decide: ({ held }, at) => {
      const statements = held.filter((one) => one !== null)
      const pairs = pairsOf(statements)
      const settled = new Map<number, bigint>()
      for (const { older, newer, amountMinor } of pairs) {
        settled.set(older, (settled.get(older) ?? 0n) + amountMinor)
        settled.set(newer, (settled.get(newer) ?? 0n) - amountMinor)
      }
      const updates = statements
        .filter(({ number }) => settled.has(number))
        .map(
          ({ party_id, number, allocated_minor }): Write => ({
            update: 'statements',
            key: { party_id, currency, number },
            set: { allocated_minor: allocated_minor + (settled.get(number) ?? 0n) },
          }),
        )
      return {
        answer: pairs.length,
        writes: [...pairs.flatMap((pair) => allocationsOf(pair, at)), ...updates],
      }
    },
  })
  if (result.outcome === 'violated') throw new Error(`A set-off violated ${result.constraint}.`)
  return result.answer

  function allocationsOf({ older, newer, amountMinor }: Pair, allocated_at: number): Write[] {
    const allocation = (number: number, other: number, amount_minor: bigint): Write => ({
      insert: 'allocations',
      values: {
        id: `set_off/${partyId}/${currency}/${number}/${other}/${allocated_at}`,
        party_id: partyId,
        currency,
        number,
        source: 'set_off',
        source_id: String(other),
        amount_minor,
        allocated_at,
      },
    })
    return [allocation(older, newer, amountMinor), allocation(newer, older, -amountMinor)]
  }
}

interface Pair {
  older: number
  newer: number
  /** Signed as the older one's is. */
  amountMinor: bigint
}

/** Each with the oldest of the other sign. @param statements in the order of their numbers */
function pairsOf(statements: readonly Statement[]): Pair[] {
  const pairs: Pair[] = []
  const left: { number: number; minor: bigint }[] = []
  for (const { number, due_minor, allocated_minor } of statements) {
    const one = { number, minor: due_minor - allocated_minor }
    for (const other of left) {
      if (one.minor === 0n || other.minor === 0n || one.minor > 0n === other.minor > 0n) continue
      const [own, theirs] = [
        one.minor < 0n ? -one.minor : one.minor,
        other.minor < 0n ? -other.minor : other.minor,
      ]
      const size = own < theirs ? own : theirs
      const amountMinor = other.minor < 0n ? -size : size
      pairs.push({ older: other.number, newer: number, amountMinor })
      other.minor -= amountMinor
      one.minor += amountMinor
    }
    left.push(one)
  }
  return pairs
}
