/** The second pair of eyes on an EVM chain: balances at the final head, and deposits read again from any block. */
import type { ChainFailure, ChainReader, Outcome, TreasuryLook } from '../chain.ts'
import { readHeader, readWord } from './answers.ts'
import { EvmChainDeposits } from './chain-deposits.ts'
import { writeCursor } from './cursor.ts'
import { RpcFailed, resultOf, unreadable } from './json-rpc.ts'
import { balanceCall, blockCall, type EvmEndpoint, type EvmNetwork } from './network.ts'

/** @param network of its own: closing the reader closes it. */
export function openReader(network: EvmNetwork): ChainReader {
  const deposits = new EvmChainDeposits(network)
  return {
    look: () => look(network),
    cursorAt: (height) => cursorAt(network, Number(height)),
    deposits: (cursor) => deposits.page(cursor),
    close: async () => network.requests.close(),
  }
}

async function look(network: EvmNetwork): Promise<Outcome<TreasuryLook, ChainFailure>> {
  const { treasury, assets } = network
  return await network.askAtHead(async ({ rpc }, head) => {
    const answers = await rpc.ask([
      blockCall(head.height),
      ...assets.map(({ id }) => balanceCall(id, treasury, head.height)),
    ])
    const [block, ...balances] = answers
    const header = block === undefined ? null : readHeader(resultOf(block))
    // Behind one name there may be several servers, and one of them may be on a fork of its own.
    if (header?.hash !== head.hash)
      throw new RpcFailed('inconsistent', `names another block ${head.height} than before.`)
    const holdings = assets.map((asset, index) => {
      const answer = balances[index]
      const units = answer === undefined ? null : readWord(resultOf(answer))
      if (units === null) throw unreadable(`a balance of ${asset.symbol}`)
      return { asset, units }
    })
    return { treasury, endpoint: rpc.host, height: head.height.toString(), at: head.at, holdings }
  })
}

async function cursorAt(network: EvmNetwork, height: number): Promise<Outcome<string, ChainFailure>> {
  return await network.ask(async ({ rpc }: EvmEndpoint) => {
    const [answer] = await rpc.results([blockCall(height)])
    const header = readHeader(answer ?? null)
    if (header === null)
      throw new RpcFailed(
        'history_missing',
        `does not have block ${height}. Begin later, or add an endpoint that keeps it to ${network.setting('rpc')}.`,
      )
    const settled = { height: header.height, at: header.at }
    return writeCursor({ settled, read: header.height, marks: [], pages: 0 })
  })
}
