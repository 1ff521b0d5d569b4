/**
 * Browsers that somebody has signed in with before carry a mark, sealed under the node's master key and bound to their name. Attempts with
 * it are counted by it alone: a stranger who tries passwords of a name, or stands behind the same proxy, keeps nobody out who has been in.
 */
import { randomUUID } from 'node:crypto'
import type { Context } from 'koa'
import { type Vault, VaultError } from '../../actors/keys/vault.ts'
import { foldedName } from '../../actors/people/sessions.ts'
import { addKnownBrowser, knownBrowser } from './cookies.ts'

type Sealing = Pick<Vault, 'seal' | 'open'>

const sealedName = (name: string) => `browser:${foldedName(name)}`

/** What the attempts of this browser are counted by; `null` where the name has not signed in with it. */
export function browserOf(context: Context, vault: Sealing, name: string): string | null {
  const sealed = knownBrowser(context)
  if (sealed === null) return null
  try {
    return vault.open(sealedName(name), sealed)
  } catch (error) {
    if (error instanceof VaultError) return null
    throw error
  }
}

/** A browser that carries one keeps it; one of two people is known by whoever signed in last. */
export function rememberBrowser(context: Context, vault: Sealing, name: string): void {
  if (browserOf(context, vault, name) !== null) return
  addKnownBrowser(context, vault.seal(sealedName(name), randomUUID()))
}
