/** What is said of a difference between a treasury and its books: to whom, in which words, and when it has gone. Pure. */
import type { TreasuryLook } from '../../chain/chain.ts'
import { formatUnits } from '../../machines/money.ts'
import type { Instant } from '../../machines/time.ts'
import type { Row, Write } from '../../persistence/store.ts'
import { treasuryDifferenceId } from '../exceptions/exception-id.ts'
import { newException } from '../exceptions/kinds.ts'
import { treasuryPosting } from './treasury-postings.ts'

export type Count = Row<'treasury_counts'>
export type Movement = Row<'treasury_movements'>

/** What a look found of one asset. */
export interface Judged {
  readonly count: Count
  readonly held: bigint
  /** Those that are in the look, some perhaps with the next fold. */
  readonly movements: readonly Movement[]
  /** What should be there. */
  readonly booked: bigint
  /** What is there beyond that; below zero what is missing. */
  readonly difference: bigint
}

/** Which blocks were read again to find what is missing. */
export interface ReadAgain {
  readonly from: number
  readonly to: number
}

/**
 * The first look is one endpoint's word. Where two later ones say otherwise before anything has agreed with it, they are
 * right; and where what explains them is found after that, the first one was.
 */
export function corrected({ count, difference }: Judged, isNews: boolean): Telling | null {
  const isFirst = count.is_opening_confirmed === 0 && isNews
  const isUndone =
    difference === -BigInt(count.corrected_units) && count.read_twice_height <= count.opened_height
  if (difference === 0n || (!isFirst && !isUndone)) return null
  const { opened_units, corrected_units, currency, opened_height } = count
  return {
    booked: difference,
    set: {
      is_opening_confirmed: 1,
      opened_units: (BigInt(opened_units) + difference).toString(),
      corrected_units: (BigInt(corrected_units) + difference).toString(),
    },
    writes: treasuryPosting('opening', currency, {
      minor: difference,
      against: 'fee',
      reference: `${opened_height}`,
    }),
  }
}

/** `booked` is what gets into the books beside the movements. */
type Telling = { set: Partial<Count>; writes: Write[]; booked?: bigint }

export function telling(
  { count, held, booked, difference }: Judged,
  look: TreasuryLook,
  exception: Row<'exceptions'> | null,
  readAgain: ReadAgain | undefined,
  at: Instant,
): Telling {
  const isOpen = exception?.state === 'open'
  if (difference === 0n) {
    const found = exception !== null && isOpen ? [foundAgain(exception, at)] : []
    const settled = { told_units: '0', exception_id: null, missing_since_height: null }
    const set = count.told_units === '0' ? {} : settled
    return { set: { ...set, is_opening_confirmed: 1 }, writes: found }
  }
  if (readAgain === undefined || difference.toString() === count.told_units) return { set: {}, writes: [] }
  const evidence = {
    count: { blockchain: count.blockchain, assetId: count.asset_id },
    treasury: look.treasury,
    height: look.height,
    held: held.toString(),
    booked: booked.toString(),
    difference: difference.toString(),
    openedWith: { units: count.opened_units, height: count.opened_height },
    readAgain,
    endpoint: look.endpoint,
  }
  const reason = wordsOf(count, { held, booked, difference }, look.height)
  const amount = formatUnits(difference < 0n ? -difference : difference, count.decimals)
  const set = {
    told_units: difference.toString(),
    // A look that was wrong may have agreed with books that were, too: only what was read twice is behind it.
    missing_since_height: count.missing_since_height ?? count.read_twice_height,
  }
  if (exception !== null && isOpen) {
    const changed = {
      reason,
      amount,
      evidence_json: JSON.stringify(evidence),
      revision: exception.revision + 1,
    }
    return { set, writes: [{ update: 'exceptions', key: { id: exception.id }, set: changed }] }
  }
  const values = newException({
    id: treasuryDifferenceId(count.blockchain, count.asset_id, look.height),
    kind: 'treasury_differs',
    order_id: null,
    reason,
    evidence,
    opened_at: at,
    amount,
    asset: count.symbol,
    chain: count.blockchain,
  })
  return { set: { ...set, exception_id: values.id }, writes: [{ insert: 'exceptions', values }] }
}

/** For the operator: the thing, both figures, the next step. */
function wordsOf(
  { symbol, decimals, blockchain }: Pick<Count, 'symbol' | 'decimals' | 'blockchain'>,
  { held, booked, difference }: { held: bigint; booked: bigint; difference: bigint },
  height: string,
): string {
  const text = (units: bigint) => `${formatUnits(units < 0n ? -units : units, decimals)} ${symbol}`
  const signed = (units: bigint) => `${units < 0n ? '−' : ''}${text(units)}`
  const which = difference > 0n ? 'more' : 'less'
  const means =
    difference > 0n
      ? 'A chain deposit may have been missed, or a refund that was said to be sent was not.'
      : 'A transfer out may have been missed.'
  return (
    `On ${blockchain} the treasury holds ${signed(held)} at block ${height}, ${text(difference)} ${which} than the ` +
    `${signed(booked)} of its books. ${means} The blocks since it last agreed are read again by themselves; look ` +
    `further back with chain rescan ${blockchain} --from HEIGHT, or dismiss this with the reason.`
  )
}

function foundAgain({ id, revision }: Row<'exceptions'>, at: Instant): Write {
  const set = {
    state: 'resolved',
    resolved_at: at,
    resolution: 'found',
    resolution_reason: 'The treasury and its books agree again.',
    revision: revision + 1,
  } as const
  return { update: 'exceptions', key: { id }, set }
}
