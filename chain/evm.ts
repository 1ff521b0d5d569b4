/**
 * EVM chains: a call of the token's `transfer` with the reference behind its arguments, and deposits read from the
 * logs of final blocks. What tells one of them from another is data (evm/chains.ts).
 */
import type { EvmBlockchain } from '../machines/blockchains.ts'
import type { ChainAdapter, ChainContext } from './chain.ts'
import { EvmChainDeposits } from './evm/chain-deposits.ts'
import { evmChain } from './evm/chains.ts'
import { check, health } from './evm/health.ts'
import { EvmNetwork, type EvmSettings } from './evm/network.ts'
import { assemble, refund } from './evm/transactions.ts'
import { openReader } from './evm/treasury.ts'
import { keptFor, readNetwork, readWallets } from './evm/values.ts'
import { inTurn, openReaders } from './turns.ts'

export type { EvmSettings }

/** Throws when the settings hold no addresses. Asks nothing of the network yet. */
export function openEvm(name: EvmBlockchain, settings: EvmSettings, context: ChainContext): ChainAdapter {
  const chain = evmChain(name)
  const network = new EvmNetwork(chain, settings, context)
  const deposits = new EvmChainDeposits(network)
  const readers = openReaders((turn) =>
    openReader(new EvmNetwork(chain, { ...settings, rpc: inTurn(settings.rpc, turn) }, context)),
  )
  return {
    blockchain: name,
    assets: network.assets,
    keptFor: keptFor(chain),
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
