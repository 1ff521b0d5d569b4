/** The chains of a running node: every adapter that the settings turn on, opened once. */

import { unknownReading, unreadLine, unreadTreasuries } from '../actors/chains/named-treasuries.ts'
import { type ChainTreasuries, treasuryName } from '../actors/chains/treasuries.ts'
import { type Clock, worldNow } from '../actors/foundation/clock.ts'
import type { ChainAdapter, ChainContext, Chains } from '../chain/chain.ts'
import { openChains } from '../chain/index.ts'
import { type Blockchain, blockchains, perBlockchain } from '../machines/blockchains.ts'
import type { Store } from '../persistence/store.ts'
import { chainOnClock } from './chain-times.ts'
import { CommandError, exitCodes } from './exit-codes.ts'
import type { Settings } from './settings/config.ts'

export interface NodeChains {
  readonly chains: Chains
  /** Of each chain that is on. */
  readonly treasuries: ReadonlyMap<Blockchain, ChainTreasuries>
  /** Ends the requests that are under way, so that nobody waits for a network. */
  close(): Promise<void>
}

/**
 * Asks nothing of a network: an endpoint that is down stops no start.
 *
 * @throws CommandError for settings that hold no addresses of their chain.
 */
export async function openNodeChains(settings: Settings['chains'], clock: Clock): Promise<NodeChains> {
  try {
    const context = { clock: () => worldNow(clock) }
    const opened = await openChains(settings, context)
    const adapters = opened.map((adapter) => chainOnClock(adapter, clock))
    const former = await Promise.all(
      adapters.map(({ blockchain }) => openFormer(blockchain, settings, context, clock)),
    )
    return {
      chains: new Map(adapters.map((adapter) => [adapter.blockchain, payable(adapter, settings)])),
      treasuries: new Map(
        adapters.map((chain, index) => {
          const name = treasuryName(settings[chain.blockchain]?.treasury ?? '')
          return [chain.blockchain, { current: { name, chain }, former: former[index] ?? [] }]
        }),
      ),
      async close() {
        const all = [...adapters, ...former.flat().map(({ chain }) => chain)]
        await Promise.all(all.map((adapter) => adapter.close()))
      },
    }
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    const hint = '`ventanilla chain check` compares the settings with the chains.'
    throw new CommandError(exitCodes.usage, cause, hint, { cause: error })
  }
}

/**
 * What is offered names a treasury, and may be paid as long as its order is open.
 *
 * @throws CommandError with a line for each treasury that open orders name and the settings do not.
 */
export async function refuseUnreadTreasuries(
  store: Pick<Store, 'query'>,
  settings: Settings['chains'],
): Promise<void> {
  const unread = await unreadTreasuries(store, settings)
  const unknown = await unknownReading(store, settings)
  const lines = [
    ...unread.map(unreadLine),
    ...unknown.map(
      (name) =>
        `chains.${name}.formerTreasuries: the database is of a version that kept one treasury and not its name. ` +
        'Start once with the treasury that it had, and without former ones.',
    ),
  ]
  if (lines.length > 0) throw new CommandError(exitCodes.usage, lines.join('\n'), null)
}

/** Each former treasury is read as if it were the present one. */
async function openFormer(
  blockchain: Blockchain,
  settings: Settings['chains'],
  context: ChainContext,
  clock: Clock,
): Promise<{ name: string; chain: ChainAdapter }[]> {
  const off = perBlockchain(blockchains, () => null)
  const chain = settings[blockchain]
  if (chain === null) return []
  const names = new Map(chain.formerTreasuries.map((treasury) => [treasuryName(treasury), treasury]))
  names.delete(treasuryName(chain.treasury))
  return await Promise.all(
    [...names].map(async ([name, treasury]) => {
      const [opened] = await openChains({ ...off, [blockchain]: { ...chain, treasury } }, context)
      if (opened === undefined) throw new Error(`the former treasury ${treasury} was not opened`)
      return { name, chain: chainOnClock(opened, clock) }
    }),
  )
}

/** A former treasury pays for no order: what comes from it is the operator's own. */
function payable(adapter: ChainAdapter, settings: Settings['chains']): ChainAdapter {
  const former = new Set(settings[adapter.blockchain]?.formerTreasuries.map(treasuryName))
  return {
    ...adapter,
    canonicalWallet(address) {
      const wallet = adapter.canonicalWallet(address)
      return wallet === null || former.has(treasuryName(wallet)) ? null : wallet
    },
  }
}
