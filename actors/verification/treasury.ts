/**
 * The treasuries' books against the ledger: what was counted last, and what was recorded since, is what the ledger's
 * treasury accounts hold, but for refunds between the word of an operator and the transfer itself. No chain is asked.
 */
import {
  allOutflows,
  allTreasuryMovements,
  chainDeposits,
  chainRefunds,
  treasuryCounts,
  writtenOffRefunds,
} from '../../persistence/queries/treasuries.ts'
import { allAccounts } from '../../persistence/queries/verification.ts'
import { accountId, type Reader, type Row } from '../../persistence/store.ts'
import { explainedParts } from '../chains/outflows.ts'
import { maxCarriedMinor } from '../chains/treasury-postings.ts'
import { stakeOf } from '../exceptions/stake.ts'
import { own } from '../orders/foreign-postings.ts'

type Count = Row<'treasury_counts'>

export interface TreasuryFacts {
  counts: readonly Count[]
  movements: readonly Row<'treasury_movements'>[]
  outflows: readonly Row<'treasury_outflows'>[]
  /** Exceptions that were resolved as refunded. */
  refunds: readonly Pick<Row<'exceptions'>, 'id' | 'chain' | 'resolved_at' | 'evidence_json'>[]
  /** Of these, those that an operator expects to leave no more. */
  writtenOff: ReadonlySet<string>
  /** What former treasuries got, and what a sandbox has simulated: it is in the ledger, and not in the books. */
  former: readonly Pick<
    Row<'deposits'>,
    'blockchain' | 'asset_id' | 'amount' | 'flags_json' | 'recorded_at'
  >[]
  /** What the treasury accounts of the ledger hold, by currency. */
  held: ReadonlyMap<string, bigint>
}

export async function readTreasuryFacts(reader: Reader): Promise<TreasuryFacts> {
  return reader.snapshot(async (query) => {
    const accounts = await query(allAccounts, {})
    const balances = new Map(accounts.map(({ id, balance_minor }) => [id, balance_minor]))
    const counts = await query(treasuryCounts, {})
    const written = await query(writtenOffRefunds, {})
    return {
      counts,
      movements: await query(allTreasuryMovements, {}),
      outflows: await query(allOutflows, {}),
      refunds: await query(chainRefunds, {}),
      writtenOff: new Set(written.map(({ evidence_json }): string => JSON.parse(evidence_json).refund)),
      former: [
        ...(await query(chainDeposits, { part: '%"formerTreasury"%' })),
        // With its value's beginning: a memo of a stranger may be any text.
        ...(await query(chainDeposits, { part: '%"simulated":"deposit_%' })),
      ],
      held: new Map(
        counts.map(({ currency }) => [currency, -(balances.get(accountId(own('treasury', currency))) ?? 0n)]),
      ),
    }
  })
}

/** What does not agree, one sentence for each asset. */
export function treasuryProblems(facts: TreasuryFacts): string[] {
  return facts.counts.flatMap((count) => {
    // What the ledger cannot carry is not in it.
    if (BigInt(count.opened_units) > maxCarriedMinor || BigInt(count.book_units) > maxCarriedMinor) return []
    const expected = expectedOf(count, facts)
    const held = facts.held.get(count.currency) ?? 0n
    if (held === expected) return []
    const { blockchain, symbol } = count
    return [`the ledger's treasury of ${symbol} on ${blockchain} holds ${held}, its books say ${expected}`]
  })
}

function expectedOf(
  count: Count,
  { movements, outflows, refunds, writtenOff, former }: TreasuryFacts,
): bigint {
  const { blockchain, asset_id, opened_height, opened_at, currency } = count
  const isOurs = (one: { blockchain: string; asset_id: string }) =>
    one.blockchain === blockchain && one.asset_id === asset_id
  const counted = outflows.filter((one) => isOurs(one) && one.former_treasury === null)
  let expected = BigInt(count.book_units)
  // What was there at the beginning is taken back from the ledger when it gets into the books.
  for (const movement of movements.filter(isOurs))
    expected += movement.height > opened_height ? BigInt(movement.units) : movement.ledger_minor
  const due = new Map<string, bigint>()
  for (const { id, chain, resolved_at, evidence_json } of refunds) {
    const stake = stakeOf(evidence_json)
    if (chain !== blockchain || stake?.currency !== currency || (resolved_at ?? 0) < opened_at) continue
    if (!writtenOff.has(id)) due.set(id, stake.minor)
    // What had left before it was written off was the refund.
    else due.set(id, sentOf(id, counted))
  }
  for (const minor of due.values()) expected -= minor
  for (const outflow of counted)
    if (outflow.height > opened_height)
      for (const { units } of explainedParts(outflow)) expected += BigInt(units)
  for (const { amount, flags_json, recorded_at } of former.filter(isOurs))
    if (recorded_at >= opened_at)
      expected += flags_json.includes('clawback') ? -BigInt(amount) : BigInt(amount)
  return expected
}

function sentOf(refund: string, outflows: readonly Row<'treasury_outflows'>[]): bigint {
  return outflows
    .flatMap(explainedParts)
    .reduce((sum, { exception, units }) => (exception === refund ? sum + BigInt(units) : sum), 0n)
}
