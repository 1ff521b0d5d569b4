/**
 * Stellar: one payment with the reference as its hash memo, and deposits read from the operations that
 * Horizon lists for the treasury.
 */
import type { ChainAdapter, ChainContext } from './chain.ts'
import { chainDepositPage, startCursor } from './stellar/chain-deposits.ts'
import { check, health } from './stellar/health.ts'
import { HorizonNetwork, type StellarSettings } from './stellar/network.ts'
import { relay } from './stellar/relay.ts'
import { assemble, refund } from './stellar/transactions.ts'
import { openReader } from './stellar/treasury.ts'
import { keptFor, readNetwork, readWallets } from './stellar/values.ts'
import { inTurn, openReaders } from './turns.ts'

export type { StellarSettings }

/** Throws when the settings hold no account, no assets of Stellar. Asks nothing of the network yet. */
export function openStellar(settings: StellarSettings, context: ChainContext): ChainAdapter {
  const network = new HorizonNetwork(settings, context)
  const urls = typeof settings.horizon === 'string' ? [settings.horizon] : settings.horizon
  const readers = openReaders((turn) =>
    openReader(new HorizonNetwork({ ...settings, horizon: inTurn(urls, turn) }, context)),
  )
  return {
    blockchain: 'STELLAR',
    assets: network.assets.map(({ symbol, id, decimals }) => ({ symbol, id, decimals })),
    keptFor,
    canonicalWallet: (address) => network.canonicalWallet(address),
    readNetwork: () => readNetwork(network),
    readWallets: (requests) => readWallets(network, requests),
    assemble: (request, kept, at) => assemble(network, request, kept, at),
    startCursor: () => startCursor(network),
    deposits: (cursor) => chainDepositPage(network, cursor),
    // A ledger is final when it closes.
    unfinalizedChainDeposits: async () => ({ ok: true, value: [] }),
    endpoints: urls.length,
    reader: readers.reader,
    refund: (request) => refund(network, request),
    relay: (signed, order) => relay(network, signed, order),
    health: () => health(network),
    check: () => check(network),
    async close() {
      network.requests.close()
      await readers.close()
    },
  }
}
