/**
 * Solana: a versioned transaction with the reference as the one extra read-only key of its `transferChecked`,
 * and deposits read from the treasury's token accounts.
 */
import type { ChainAdapter, ChainContext } from './chain.ts'
import { SolanaChainDeposits } from './solana/chain-deposits.ts'
import { check, health } from './solana/health.ts'
import { SolanaNetwork, type SolanaSettings } from './solana/network.ts'
import { assemble, refund } from './solana/transactions.ts'
import { openReader } from './solana/treasury.ts'
import { keptFor, readNetwork, readWallets } from './solana/values.ts'
import { inTurn, openReaders } from './turns.ts'

export type { SolanaSettings }

/** Throws when the settings hold no addresses. Asks nothing of the network yet. */
export function openSolana(settings: SolanaSettings, context: ChainContext): ChainAdapter {
  const network = new SolanaNetwork(settings, context)
  const deposits = new SolanaChainDeposits(network)
  const readers = openReaders((turn) =>
    openReader(new SolanaNetwork({ ...settings, rpc: inTurn(settings.rpc, turn) }, context)),
  )
  return {
    blockchain: 'SOLANA',
    assets: network.assets.map(({ symbol, id, decimals }) => ({ symbol, id, decimals })),
    keptFor,
    canonicalWallet: (address) => network.canonicalWallet(address),
    readNetwork: () => readNetwork(network),
    readWallets: (requests) => readWallets(network, requests),
    assemble: (request, kept, at) => assemble(network, request, kept, at),
    startCursor: () => deposits.startCursor(),
    deposits: (cursor) => deposits.page(cursor),
    unfinalizedChainDeposits: () => deposits.unfinalized(),
    endpoints: settings.rpc.length,
    reader: readers.reader,
    refund: (request) => refund(network, request),
    health: () => health(network),
    check: () => check(network),
    async close() {
      network.requests.close()
      await readers.close()
    },
  }
}
