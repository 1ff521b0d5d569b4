/**
 * Monad: a call of the token's `transfer` with the reference behind its arguments, and deposits read from the
 * logs of final blocks.
 */
import type { ChainAdapter, ChainContext } from './chain.ts'
import { MonadDeposits } from './evm/deposits.ts'
import { check, health } from './evm/health.ts'
import { MonadNetwork, type MonadSettings } from './evm/network.ts'
import { assemble, refund } from './evm/transactions.ts'
import { openReader } from './evm/treasury.ts'
import { keptFor, readNetwork, readWallets } from './evm/values.ts'
import { inTurn, openReaders } from './turns.ts'

export type { MonadSettings }

/** Throws when the settings hold no addresses. Asks nothing of the network yet. */
export function openMonad(settings: MonadSettings, context: ChainContext): ChainAdapter {
  const network = new MonadNetwork(settings, context)
  const deposits = new MonadDeposits(network)
  const readers = openReaders((turn) =>
    openReader(new MonadNetwork({ ...settings, rpc: inTurn(settings.rpc, turn) }, context)),
  )
  return {
    blockchain: 'MONAD',
    assets: network.assets,
    keptFor,
    canonicalWallet: (address) => network.canonicalWallet(address),
    readNetwork: () => readNetwork(network),
    readWallets: (requests) => readWallets(network, requests),
    assemble: (request, kept, at) => assemble(network, request, kept, at),
    startCursor: () => deposits.startCursor(),
    deposits: (cursor) => deposits.page(cursor),
    unfinalizedDeposits: () => deposits.unfinalized(),
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
