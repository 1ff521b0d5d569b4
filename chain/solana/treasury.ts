/** The second pair of eyes on Solana: the token accounts at a final slot, and deposits read again from any slot. */
import type { ChainFailure, ChainReader, Outcome, TreasuryLook } from '../chain.ts'
import { SolanaChainDeposits } from './chain-deposits.ts'
import { writeCursor } from './cursor.ts'
import { blockTime } from './listing.ts'
import { ChainFailed, finality, type SolanaNetwork } from './network.ts'
import { readTokenAccount } from './token-account.ts'

/** @param network of its own: closing the reader closes it. */
export function openReader(network: SolanaNetwork): ChainReader {
  const deposits = new SolanaChainDeposits(network, { onlyAccepted: true })
  return {
    look: () => look(network),
    cursorAt: async (height) => ({ ok: true, value: cursorAt(Number(height)) }),
    deposits: (cursor) => deposits.page(cursor),
    close: async () => network.requests.close(),
  }
}

async function look(network: SolanaNetwork): Promise<Outcome<TreasuryLook, ChainFailure>> {
  return await network.ask(async (connection, host) => {
    const { assets } = network
    const { context, value } = await connection.getMultipleAccountsInfoAndContext(
      assets.map(({ account }) => account),
      { commitment: finality },
    )
    if (value.length !== assets.length)
      throw new ChainFailed('unavailable', 'answers for other accounts than it was asked about.')
    const at = await blockTime(connection, context.slot)
    if (at === null) throw new ChainFailed('inconsistent', `has no time for slot ${context.slot}.`)
    const holdings = assets.map(({ symbol, id, decimals }, index) => {
      // An account that nobody has opened yet, or that was closed, holds nothing.
      const account = value[index] ?? null
      const token = readTokenAccount(account)
      if (account !== null && token === null)
        throw new ChainFailed('unavailable', `answers something else than the token account of ${symbol}.`)
      return { asset: { symbol, id, decimals }, units: token?.amount ?? 0n }
    })
    return {
      treasury: network.settings.treasury,
      endpoint: host,
      height: context.slot.toString(),
      at,
      holdings,
    }
  })
}

/** Whether the endpoint still has what follows, the listing proves. */
function cursorAt(slot: number): string {
  return writeCursor({ floor: slot, readTo: null, anchors: {}, others: {}, othersFloor: slot, pass: null })
}
