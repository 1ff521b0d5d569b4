/** Wallets on Monad that are contracts, and what is read of final blocks. */
import { encodeFunctionData, getAddress, type Hex, parseAbi } from 'viem'
import type { ChainAdapter } from '../../../chain/chain.ts'
import type { LocalEvm } from '../../support/chains/evm/local.ts'
import { read } from '../asking.ts'

const walletAbi = parseAbi([
  'function execute(address to, bytes data)',
  'function executeAll(address[] to, bytes[] data)',
])

export async function finalChainDeposits(t: { chain: LocalEvm }, adapter: ChainAdapter, cursor: string) {
  await t.chain.finalize()
  return await read(adapter, cursor)
}

/** A wallet that is a contract and holds some of the accepted token, and its owner. */
export async function newContractWallet({ chain }: { chain: LocalEvm }) {
  const owner = await chain.newWallet()
  const address = await chain.accounts.deployWallet(getAddress(owner.address))
  await chain.grant(address, 1_000n)
  const execute = (data: Hex): Promise<Hex> =>
    chain.send(owner, {
      to: address,
      data: encodeFunctionData({
        abi: walletAbi,
        functionName: 'execute',
        args: [getAddress(chain.asset.id), data],
      }),
    })
  const executeAll = (data: readonly Hex[]): Promise<Hex> =>
    chain.send(owner, {
      to: address,
      data: encodeFunctionData({
        abi: walletAbi,
        functionName: 'executeAll',
        args: [data.map(() => getAddress(chain.asset.id)), data],
      }),
    })
  return { wallet: { address }, owner, execute, executeAll }
}
