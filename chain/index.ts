/** The adapters by blockchain. An SDK is loaded only when its chain is on: each costs a third of a second. */
import {
  type Blockchain,
  blockchains,
  type EvmBlockchain,
  evmBlockchains,
  perBlockchain,
} from '../machines/blockchains.ts'
import type { ChainAdapter, ChainContext } from './chain.ts'
import type { EvmSettings } from './evm.ts'
import type { SolanaSettings } from './solana.ts'
import type { StellarSettings } from './stellar.ts'

interface OwnSettings {
  readonly SOLANA: SolanaSettings
  readonly STELLAR: StellarSettings
}

type SettingsOf<Chain extends Blockchain> = Chain extends keyof OwnSettings ? OwnSettings[Chain] : EvmSettings

/** `chains` of the settings: `null` for a chain that is off. */
export type ChainsSettings = { readonly [Chain in Blockchain]: SettingsOf<Chain> | null }

type Opener<Settings> = (settings: Settings, context: ChainContext) => Promise<ChainAdapter>

function evmOpener(name: EvmBlockchain): Opener<EvmSettings> {
  return async (settings, context) => (await import('./evm.ts')).openEvm(name, settings, context)
}

const openers: { readonly [Chain in Blockchain]: Opener<NonNullable<ChainsSettings[Chain]>> } = {
  SOLANA: async (settings, context) => (await import('./solana.ts')).openSolana(settings, context),
  STELLAR: async (settings, context) => (await import('./stellar.ts')).openStellar(settings, context),
  ...perBlockchain(evmBlockchains, evmOpener),
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
