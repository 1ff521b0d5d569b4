/** The chains of a running node: every adapter that the settings turn on, opened once. */
import type { Chains } from '../chain/chain.ts'
import { type ChainsSettings, openChains } from '../chain/index.ts'
import type { Instant } from '../machines/time.ts'
import { CommandError, exitCodes } from './exit-codes.ts'

export interface NodeChains {
  readonly chains: Chains
  /** Ends the requests that are under way, so that nobody waits for a network. */
  close(): Promise<void>
}

/**
 * Asks nothing of a network: an endpoint that is down stops no start.
 *
 * @throws CommandError for settings that hold no addresses of their chain.
 */
export async function openNodeChains(
  settings: ChainsSettings,
  clock: { now(): Instant },
): Promise<NodeChains> {
  try {
    const adapters = await openChains(settings, { clock: () => clock.now() })
    return {
      chains: new Map(adapters.map((adapter) => [adapter.blockchain, adapter])),
      async close() {
        await Promise.all(adapters.map((adapter) => adapter.close()))
      },
    }
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    const hint = '`ventanilla chain check` compares the settings of the chains with the chains themselves.'
    throw new CommandError(exitCodes.usage, cause, hint, { cause: error })
  }
}
