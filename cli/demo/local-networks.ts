/**
 * The local blockchains that the demo plays foreign orders on. They belong to the sources, with the tests: an
 * installed program has neither them nor the packages that execute their transactions.
 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type * as networks from '../../test/support/chains/networks.ts'
import type { Terminal } from '../terminal.ts'

export type Networks = networks.Networks

// Put together at run time, so that nothing that packs the program takes them along.
const file = new URL(['..', '..', 'test', 'support', 'chains', 'networks.ts'].join('/'), import.meta.url)

/** `null` where this program has none. */
export async function startLocalNetworks({ clock }: Terminal): Promise<Networks | null> {
  if (!existsSync(fileURLToPath(file))) return null
  try {
    const { startNetworks }: typeof networks = await import(file.href)
    return await startNetworks({ clock: () => clock.now(), pollSeconds: 0.1 })
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
    if (isMissing) return null
    throw error
  }
}
