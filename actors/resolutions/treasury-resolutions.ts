/** What an operator's word does with a treasury: a difference that is explained, and a refund that was seen leaving. */
import { formatPrice } from '../../machines/money.ts'
import { conversionOfOutflow } from '../../persistence/queries/conversions.ts'
import { outflowsOfTransaction } from '../../persistence/queries/treasuries.ts'
import type { Row, Store, Write } from '../../persistence/store.ts'
import { explainedParts, unexplainedUnits } from '../chains/outflows.ts'
import { treasuryPosting } from '../chains/treasury-postings.ts'
import { stakeOf } from '../exceptions/stake.ts'
import { done, type Resolve, type Subject } from './resolution.ts'

/** The books follow what is there; what that is more or less is the operator's. */
export const followTreasury: Resolve = ({ count, exception }) => {
  // Counted anew since, for another treasury perhaps: there is nothing left to follow.
  if (count === null || count.exception_id !== exception.id) return done()
  const minor = BigInt(count.told_units)
  const { blockchain, asset_id, currency } = count
  const set = {
    book_units: (BigInt(count.book_units) + minor).toString(),
    told_units: '0',
    exception_id: null,
    missing_since_height: null,
  }
  return done({
    writes: [
      ...treasuryPosting('difference', currency, { minor, against: 'fee', reference: exception.id }),
      { update: 'treasury_counts', key: { blockchain, asset_id }, set },
    ],
  })
}

/** A refund that stays in the treasury, or was sent from elsewhere: its posting out of the treasury is undone. */
export const keepUnsent: Resolve = ({ exception }) => {
  const { rest, currency }: { rest: string; currency: string } = JSON.parse(exception.evidence_json)
  const back = { minor: BigInt(rest), against: 'fee', reference: exception.id } as const
  return done({ writes: treasuryPosting('unsent', currency, back) })
}

/** Ids of transactions in what an operator writes. */
const transactionIds = /\b(?:0x)?[0-9A-Za-z]{43,90}\b/g

/** More than these are not looked up in one text. */
const maxNamed = 5

/** What left in a transaction that the evidence of a refund names, and nothing explains so far. */
export async function outflowNamed(
  store: Store,
  { chain, evidence_json }: Row<'exceptions'>,
  inHand: string,
): Promise<Row<'treasury_outflows'> | undefined> {
  const { assetId }: { assetId?: string } = JSON.parse(evidence_json)
  for (const transactionId of (inHand.match(transactionIds) ?? []).slice(0, maxNamed)) {
    for (const outflow of await store.query(outflowsOfTransaction, { transactionId }))
      if (
        outflow.blockchain === chain &&
        outflow.asset_id === assetId &&
        unexplainedUnits(outflow) > 0n &&
        !(await isConverted(store, outflow))
      )
        return outflow
  }
  return undefined
}

/** It was sold, and sent back nothing. */
async function isConverted(store: Store, { id: outflowId }: Row<'treasury_outflows'>): Promise<boolean> {
  return (await store.query(conversionOfOutflow, { outflowId })).length > 0
}

/** A refund that left before it was said to be one: it was told as what nobody knew of, and is that no more. */
export function madeUpBy({ exception, outflow, outflowException, at, acceptance }: Subject): Write[] {
  const stake = stakeOf(exception.evidence_json)
  if (outflow === null || outflowException === null || stake === null) return []
  const rest = unexplainedUnits(outflow)
  let units = rest
  if (stake.minor < rest) units = stake.minor
  if (units <= 0n) return []
  const explained = [...explainedParts(outflow), { exception: exception.id, units: units.toString() }]
  const wasKept = outflowException.state === 'resolved'
  const back = {
    minor: units,
    against: wasKept ? ('fee' as const) : ('suspense' as const),
    reference: outflow.id,
  }
  return [
    {
      update: 'treasury_outflows',
      key: { id: outflow.id },
      set: { explained_json: JSON.stringify(explained) },
    },
    // What left a former treasury was not posted when it was told.
    ...(outflow.former_treasury === null ? treasuryPosting('outflow', stake.currency, back) : []),
    ...(wasKept ? [] : [explainedFurther(outflowException, rest - units, stake.currency)]),
  ]

  function explainedFurther(told: Row<'exceptions'>, left: bigint, currency: string): Write {
    const key = { id: told.id }
    const revision = told.revision + 1
    if (left === 0n) {
      const said = { resolution: 'refunded', resolution_reason: acceptance.reason, resolution_evidence: null }
      const { name } = acceptance.actor.kind === 'operator' ? acceptance.actor : { name: null }
      const set = { state: 'resolved', resolved_at: at, resolved_by: name, ...said, revision } as const
      return { update: 'exceptions', key, set }
    }
    const evidence: object = JSON.parse(told.evidence_json)
    const carried = outflow?.former_treasury === null ? currency : null
    const changed = { ...evidence, units: left.toString(), stake: { currency: carried, minor: `${-left}` } }
    const set = { evidence_json: JSON.stringify(changed), amount: formatPrice(left, currency), revision }
    return { update: 'exceptions', key, set }
  }
}
