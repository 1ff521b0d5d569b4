/** What merchants and providers are enabled for. */
import { networkById, pairOfMerchant, partyById } from '../../persistence/queries/parties.ts'
import type { Row, Store } from '../../persistence/store.ts'

export type { PartyKind } from '../../persistence/schema.ts'

/** A merchant's country and currency with its inclusive limits. */
export type Pair = Row<'pairs'>

export interface Directory {
  /** `null` when the merchant is not enabled for the pair. */
  pair(merchantId: string, country: string, currency: string): Promise<Pair | null>
  /** Whether a network is registered, and to this provider. */
  isRegistered(networkId: string, providerId: string): Promise<boolean>
  /** A party's name as people know it. */
  nameOf(partyId: string): Promise<string>
}

export function createDirectory(store: Store): Directory {
  return {
    async pair(merchantId, country, currency) {
      const [pair] = await store.query(pairOfMerchant, { merchantId, country, currency })
      return pair ?? null
    },
    async isRegistered(networkId, providerId) {
      const [network] = await store.query(networkById, { networkId })
      return network?.provider_id === providerId
    },
    async nameOf(partyId) {
      const [party] = await store.query(partyById, { id: partyId })
      return party?.name ?? ''
    },
  }
}
