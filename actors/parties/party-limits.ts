/** What merchants and providers are enabled for. */
import { feeTermsOfPair, networkById, pairOfMerchant, partyById } from '../../persistence/queries/parties.ts'
import type { Row, Store } from '../../persistence/store.ts'

export type { PartyKind } from '../../persistence/schema.ts'

/** A merchant's country and currency with its inclusive limits, and what was agreed on for it. */
export type Pair = Row<'pairs'> & { feeTerms: readonly Row<'fee_terms'>[] }

export interface Directory {
  /** `null` when the merchant is not enabled for the pair. */
  pair(merchantId: string, country: string, currency: string): Promise<Pair | null>
  /** `null` where a network is not registered, or not to this provider. */
  network(
    networkId: string,
    providerId: string,
  ): Promise<{ hasTerms: boolean; currency: string | null } | null>
  /** A party's name as people know it, and whom to ask; '' where nobody was named. */
  partyOf(partyId: string): Promise<{ name: string; contact: string; isFrozen: boolean }>
}

export function createDirectory(store: Pick<Store, 'query'>): Directory {
  return {
    async pair(merchantId, country, currency) {
      const [pair] = await store.query(pairOfMerchant, { merchantId, country, currency })
      if (pair === undefined) return null
      const { fees, ...row } = pair
      const asked = { merchantId, country, currency }
      return { ...row, feeTerms: (fees ?? 0) > 0 ? await store.query(feeTermsOfPair, asked) : [] }
    },
    async network(networkId, providerId) {
      const [network] = await store.query(networkById, { networkId })
      if (network?.provider_id !== providerId) return null
      const { currency, min_minor, max_minor, commissions, exposures } = network
      const isBounded = currency !== null || min_minor !== null || max_minor !== null
      return { hasTerms: isBounded || (commissions ?? 0) > 0 || (exposures ?? 0) > 0, currency }
    },
    async partyOf(partyId) {
      const [party] = await store.query(partyById, { id: partyId })
      const { name = '', contact = '', frozen_at = null } = party ?? {}
      return { name, contact, isFrozen: frozen_at !== null }
    },
  }
}
