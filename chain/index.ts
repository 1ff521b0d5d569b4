/** The adapters by blockchain. An SDK is loaded only when its chain is on: each costs a third of a second. */
import { type Blockchain, blockchains, type ChainAdapter, type ChainContext } from './chain.ts'
import type { MonadSettings } from './evm.ts'
import type { SolanaSettings } from './solana.ts'
import type { StellarSettings } from './stellar.ts'

/** `chains` of the settings: `null` for a chain that is off. */
export interface ChainsSettings {
  readonly SOLANA: SolanaSettings | null
  readonly STELLAR: StellarSettings | null
  readonly MONAD: MonadSettings | null
}

const openers: {
  readonly [Chain in Blockchain]: (
    settings: NonNullable<ChainsSettings[Chain]>,
    context: ChainContext,
  ) => Promise<ChainAdapter>
} = {
  SOLANA: async (settings, context) => (await import('./solana.ts')).openSolana(settings, context),
  STELLAR: async (settings, context) => (await import('./stellar.ts')).openStellar(settings, context),
  MONAD: async (settings, context) => (await import('./evm.ts')).openMonad(settings, context),
}

/** Opens every chain that is on. Throws on settings that hold no addresses; asks nothing of a network. */
export async function openChains(
  settings: ChainsSettings,
  context: ChainContext,
): Promise<readonly ChainAdapter[]> {
  const opened = await Promise.all(blockchains.map((name) => open(name, settings[name], context)))
  return opened.filter((adapter) => adapter !== null)
}

async function open<Chain extends Blockchain>(
  name: Chain,
  settings: ChainsSettings[Chain],
  context: ChainContext,
): Promise<ChainAdapter | null> {
  return settings === null ? null : await openers[name](settings, context)
}
