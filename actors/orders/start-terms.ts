/**
 * What was agreed on with the network that starts a payment: what it takes, what it earns, and how much its provider may
 * owe. Read only where there is any such; judged in the step, on rows that it holds (protocol 15.1, 15.5).
 */
import type { Commission } from '../../machines/order.ts'
import type { Instant } from '../../machines/time.ts'
import { exposureOf, usedOf } from '../../persistence/queries/exposure.ts'
import { commissionTermsOfNetwork } from '../../persistence/queries/parties.ts'
import { type Row, row, type Store, sharedRow, type Write } from '../../persistence/store.ts'
import { commissionAt } from './fees.ts'

export interface StartTerms {
  networkId: string
  providerId: string
  /** Of the network, whatever they are about and from when. */
  commissions: readonly Row<'fee_terms'>[]
  /** What counted against the provider's limit in the order's currency before the step; `null` without a limit. */
  exposure: { usedMinor: bigint; startedMinor: bigint } | null
}

export type TermsVeto = 'network_currency' | 'network_limits' | 'exposure_reached'

/** @param order the currency of the order, and whether its cash comes in: only then its provider owes it */
export async function readStartTerms(
  store: Store,
  { networkId, providerId }: { networkId: string; providerId: string },
  { currency, direction }: Pick<Row<'orders'>, 'currency' | 'direction'>,
): Promise<StartTerms> {
  const commissions = await store.query(commissionTermsOfNetwork, { networkId })
  const [found] = direction === 'PAY_IN' ? await store.query(exposureOf, { providerId, currency }) : []
  const exposure = found && { usedMinor: usedOf(found), startedMinor: found.started_minor ?? 0n }
  return { networkId, providerId, commissions, exposure: exposure ?? null }
}

export function startTermsRows(terms: StartTerms | null, currency: string) {
  const key = { provider_id: terms?.providerId ?? '', currency }
  const isLimited = terms !== null && terms.exposure !== null
  return {
    network: terms === null ? undefined : sharedRow('networks', { network_id: terms.networkId }),
    exposureLimit: isLimited ? sharedRow('exposure_limits', key) : undefined,
    // Held alone: of two starts that together pass the limit, the second sees the first.
    exposure: isLimited ? row('exposures', key) : undefined,
  }
}

export interface StartTermsRows {
  network: Row<'networks'> | null
  exposureLimit: Row<'exposure_limits'> | null
  exposure: Row<'exposures'> | null
}

export function termsVeto(
  terms: StartTerms,
  { network, exposureLimit, exposure }: StartTermsRows,
  order: Row<'orders'>,
): TermsVeto | null {
  const { currency, price_minor: price } = order
  if (network !== null && network.currency !== null) {
    if (network.currency !== currency) return 'network_currency'
    const isBelow = network.min_minor !== null && price < network.min_minor
    const isAbove = network.max_minor !== null && price > network.max_minor
    if (isBelow || isAbove) return 'network_limits'
  }
  if (terms.exposure === null || exposureLimit === null) return null
  const { usedMinor, startedMinor } = terms.exposure
  // What was started since the look, whatever became of it meanwhile: rather a start too few.
  const since = (exposure?.started_minor ?? 0n) - startedMinor
  return usedMinor + since + price > exposureLimit.limit_minor ? 'exposure_reached' : null
}

export function commissionOf(
  terms: StartTerms | null,
  order: Row<'orders'>,
  at: Instant,
): { commission?: Commission } {
  const commission = terms === null ? undefined : commissionAt(terms.commissions, order, at)
  return commission === undefined ? {} : { commission }
}

/** What an accepted start adds to what was ever started, where there is a limit. */
export function countStart(
  terms: StartTerms | null,
  { exposureLimit, exposure }: StartTermsRows,
  { price_minor: price, currency }: Row<'orders'>,
): Write[] {
  if (terms === null || exposureLimit === null) return []
  const key = { provider_id: terms.providerId, currency }
  if (exposure === null) return [{ insert: 'exposures', values: { ...key, started_minor: price } }]
  return [{ update: 'exposures', key, set: { started_minor: exposure.started_minor + price } }]
}
