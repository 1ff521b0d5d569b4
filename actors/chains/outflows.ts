/**
 * What leaves a treasury: recorded once. A refund explains it, by the transaction that an operator named for it or by
 * the reference it carries; what nothing explains is told once, and waits in suspense for a word. Conversions will
 * explain outflows in the same way, once there are any.
 */

import type { ChainAdapter } from '../../chain/chain.ts'
import type { Outflow } from '../../chain/chain-deposits.ts'
import { assetCurrency, formatUnits } from '../../machines/money.ts'
import type { Instant } from '../../machines/time.ts'
import { exceptionById } from '../../persistence/queries/operations.ts'
import {
  openRefunds,
  outflowsOfTransaction,
  refundsOfChain,
  treasuryOutflowById,
} from '../../persistence/queries/treasuries.ts'
import { type Decision, type Row, type RowRef, row, type Store, type Write } from '../../persistence/store.ts'
import { outflowExceptionId, refundReference, refundUnseenId } from '../exceptions/exception-id.ts'
import { newException } from '../exceptions/kinds.ts'
import { type AtStake, stakeOf } from '../exceptions/stake.ts'
import { intoTreasury, maxCarriedMinor, treasuryPosting } from './treasury-postings.ts'

/** So many of a chain's refunds are looked through for one that explains an outflow. */
const maxRefunds = 1_000

/** A part of an outflow that a refund explains. */
export interface Explained {
  exception: string
  /** Smallest units, decimal text. */
  units: string
}

export function outflowIdentity({ blockchain, transactionId, index }: Outflow): string {
  return `${blockchain}/${transactionId}/${index}`
}

export function explainedParts({
  explained_json,
}: Pick<Row<'treasury_outflows'>, 'explained_json'>): Explained[] {
  return JSON.parse(explained_json)
}

/** What no refund explains so far. */
export function unexplainedUnits(
  outflow: Pick<Row<'treasury_outflows'>, 'units' | 'explained_json'>,
): bigint {
  return explainedParts(outflow).reduce((rest, { units }) => rest - BigInt(units), BigInt(outflow.units))
}

/**
 * @param isOwn it went from the present treasury to a former one, where it is in no books.
 * @returns whether it was not known before.
 */
export async function recordOutflow(
  store: Store,
  { assets }: Pick<ChainAdapter, 'assets'>,
  outflow: Outflow,
  isOwn = false,
): Promise<boolean> {
  const asset = assets.find(({ id }) => id === outflow.assetId)
  const id = outflowIdentity(outflow)
  const [known] = await store.query(treasuryOutflowById, { id })
  if (asset === undefined || known !== undefined) return false
  const currency = assetCurrency(asset.symbol, outflow.blockchain, asset.decimals)
  const candidates = isOwn ? [] : await refundsOf(store, outflow, currency)
  const rows: Record<`refund ${string}`, RowRef<'exceptions'>> & { outflow: RowRef<'treasury_outflows'> } = {
    outflow: row('treasury_outflows', { id }),
  }
  for (const { id: refund } of candidates) rows[`refund ${refund}`] = row('exceptions', { id: refund })
  const spent = await spentBy(store, outflow.transactionId)
  const result = await store.step({
    rows,
    decide: ({ outflow: present, ...refunds }, at): Decision<boolean> => {
      if (present !== null) return { answer: false, writes: [] }
      const found = Object.values<Row<'exceptions'> | null>(refunds).filter((one) => one !== null)
      const explained = explain(outflow.amount, found, spent)
      const told = isOwn
        ? handedOver(id, outflow, currency)
        : tell(id, outflow, { ...asset, currency }, explained, at)
      const writes = [...told.writes, ...hints(outflow, found, explained)]
      return {
        answer: true,
        writes: [
          ...writes,
          { insert: 'treasury_outflows', values: outflowRow(id, outflow, { ...told, explained }, at) },
          // What a former treasury holds is in no books.
          ...(outflow.formerTreasury === undefined ? [movementOf(id, outflow, -outflow.amount, writes)] : []),
        ],
        wake: told.exceptionId === null ? [] : ['exceptions'],
      }
    },
  })
  if (result.outcome === 'violated') throw new Error(`Outflow ${id} violated ${result.constraint}.`)
  return result.answer
}

/** A movement that is to get into the books of its treasury. */
export function movementOf(
  id: string,
  { blockchain, assetId, height }: Pick<Outflow, 'blockchain' | 'assetId' | 'height'>,
  units: bigint,
  writes: readonly Write[],
): Write {
  return {
    insert: 'treasury_movements',
    values: {
      id,
      blockchain,
      asset_id: assetId,
      height: Number(height),
      units: units.toString(),
      ledger_minor: intoTreasury(writes),
    },
  }
}

/** Refunds that name its transaction, or whose reference it carries. */
async function refundsOf(
  store: Store,
  { blockchain: chain, transactionId, references }: Outflow,
  currency: string,
): Promise<Row<'exceptions'>[]> {
  const named = (await store.query(refundsOfChain, { chain, limit: maxRefunds })).filter(
    ({ id, resolution_evidence }) =>
      resolution_evidence?.includes(transactionId) === true || references.includes(refundReference(id)),
  )
  const said: Row<'exceptions'>[] = []
  for (const refund of named) {
    // Where an operator has said that nothing of it will leave any more, it explains nothing.
    const [unseen] = await store.query(exceptionById, { id: refundUnseenId(refund.id) })
    if (unseen?.resolution !== 'dismiss') said.push(refund)
  }
  const carried =
    references.length === 0
      ? []
      : (await store.query(openRefunds, { chain, limit: maxRefunds })).filter(({ id }) =>
          references.includes(refundReference(id)),
        )
  return [...said, ...carried].filter(({ evidence_json }) => stakeOf(evidence_json)?.currency === currency)
}

/** What of each refund other outflows of the transaction have made up already. */
async function spentBy(store: Store, transactionId: string): Promise<ReadonlyMap<string, bigint>> {
  const spent = new Map<string, bigint>()
  for (const outflow of await store.query(outflowsOfTransaction, { transactionId }))
    for (const { exception, units } of explainedParts(outflow))
      spent.set(exception, (spent.get(exception) ?? 0n) + BigInt(units))
  return spent
}

function explain(
  amount: bigint,
  refunds: readonly Row<'exceptions'>[],
  spent: ReadonlyMap<string, bigint>,
): Explained[] {
  let rest = amount
  return refunds.flatMap(({ id, evidence_json }): Explained[] => {
    const due = (stakeOf(evidence_json)?.minor ?? 0n) - (spent.get(id) ?? 0n)
    const units = due < rest ? due : rest
    if (units <= 0n) return []
    rest -= units
    return [{ exception: id, units: units.toString() }]
  })
}

/** What is still open, and was sent back already, says so: only an operator's word closes it. */
function hints(
  { transactionId }: Outflow,
  refunds: readonly Row<'exceptions'>[],
  explained: readonly Explained[],
): Write[] {
  return refunds.flatMap(({ id, state, revision, evidence_json }): Write[] => {
    if (state !== 'open' || !explained.some(({ exception }) => exception === id)) return []
    const evidence: object = JSON.parse(evidence_json)
    const set = {
      evidence_json: JSON.stringify({ ...evidence, sentIn: transactionId }),
      revision: revision + 1,
    }
    return [{ update: 'exceptions', key: { id }, set }]
  })
}

interface Told {
  exceptionId: string | null
  writes: Write[]
}

function handedOver(reference: string, { amount }: Outflow, currency: string): Told {
  const posting = { minor: -amount, against: 'fee', reference } as const
  return { exceptionId: null, writes: treasuryPosting('own_transfer', currency, posting) }
}

function tell(
  id: string,
  outflow: Outflow,
  { symbol, decimals, currency }: { symbol: string; decimals: number; currency: string },
  explained: readonly Explained[],
  at: Instant,
): Told {
  const rest = explained.reduce((left, { units }) => left - BigInt(units), outflow.amount)
  if (rest === 0n) return { exceptionId: null, writes: [] }
  const amount = formatUnits(rest, decimals)
  const { formerTreasury: former } = outflow
  const isCarried = rest <= maxCarriedMinor && former === undefined
  const stake: AtStake = { currency: isCarried ? currency : null, minor: `${-rest}` }
  const from = former === undefined ? 'treasury' : `former treasury ${former}`
  const opened = newException({
    id: outflowExceptionId(id),
    kind: 'treasury_outflow',
    order_id: null,
    reason:
      `${amount} ${symbol} left the ${from} in a transaction that no refund explains. If it was ` +
      `your own transfer, dismiss this with the reason. If nobody knows of it, move what is left ` +
      "and change the treasury's key.",
    evidence: {
      stake,
      outflow: id,
      assetId: outflow.assetId,
      units: rest.toString(),
      height: outflow.height,
      receiver: outflow.to,
      references: outflow.references,
      ...(former === undefined ? {} : { formerTreasury: former }),
      ...(explained.length === 0 ? {} : { explained }),
    },
    opened_at: at,
    amount,
    asset: symbol,
    chain: outflow.blockchain,
    transaction_id: outflow.transactionId,
  })
  const back = { minor: -rest, against: 'suspense', reference: id } as const
  const posting = isCarried ? treasuryPosting('outflow', currency, back) : []
  return { exceptionId: opened.id, writes: [{ insert: 'exceptions', values: opened }, ...posting] }
}

function outflowRow(
  id: string,
  outflow: Outflow,
  { exceptionId, explained }: { exceptionId: string | null; explained: readonly Explained[] },
  at: Instant,
): Row<'treasury_outflows'> {
  return {
    id,
    blockchain: outflow.blockchain,
    transaction_id: outflow.transactionId,
    height: Number(outflow.height),
    chain_at: outflow.at,
    asset_id: outflow.assetId,
    units: outflow.amount.toString(),
    receiver: outflow.to,
    references_json: JSON.stringify(outflow.references),
    explained_json: JSON.stringify(explained),
    exception_id: exceptionId,
    recorded_at: at,
    former_treasury: outflow.formerTreasury ?? null,
  }
}
