/** Credentials: which party speaks, and with which secret it signs. */
import type { Instant } from '../../machines/time.ts'
import {
  credentialInUse,
  recordFirstUse,
  recordLastUse,
  webhookCredentials,
} from '../../persistence/queries/parties.ts'
import type { PartyKind } from '../../persistence/schema.ts'
import type { Row, Store } from '../../persistence/store.ts'
import { type StandardSecrets, standardSecretName } from './standard-signature.ts'
import type { Vault } from './vault.ts'

/** A live credential and its party. */
export interface Identity {
  kind: PartyKind
  partyId: string
  name: string
  key: string
  secret: string
  isFrozen: boolean
  /** The party's own limit; `null` means the node's. */
  requestsPerMinute: number | null
}

/** What the checks of a signature ask: beside the store, or on another thread. */
export interface SignatureKeys {
  /** `null` when there is no such live key, which costs the same look-ups. */
  identify(key: string): Promise<Identity | null>
  /** Notes a valid request. The first one with a new key moves the merchant's webhooks to it. */
  recordUse(key: string, at: Instant): Promise<void>
}

/** Opens the secret of a key; `null` is sealed for nobody, whose secret takes the same time. @throws VaultError */
export type OpenSecret = (key: string, sealed: string | null) => string | Promise<string>

export interface Credentials extends SignatureKeys {
  openSecret: OpenSecret
  /**
   * What a merchant's webhooks are signed with: its newest used key, or its oldest while none was used; or what
   * an operator chose, until a key is used for the first time after that. Never a revoked one.
   */
  webhookCredential(merchantId: string): Promise<WebhookSecrets | null>
}

export interface WebhookSecrets {
  key: string
  secret: string
  /** Null where the merchant's webhooks are signed in the protocol's way alone. */
  standard?: StandardSecrets | null
}

/** Opening a secret costs more than the rest of a signature; what it is sealed as never changes its meaning. */
const maxOpened = 1_000

/** Last use is for people: once a minute is often enough, and no request waits for it. */
const lastUseGranularityMs = 60_000

/** What an unknown key is looked up and opened as, so that it costs the same as a known one. */
const nobody = { key: 'nobody', secret: 'a secret that signs nothing at all' }

export function credentialName(key: string): string {
  return `credential:${key}`
}

export interface SignatureKeysOptions {
  store: Pick<Store, 'query'>
  openSecret: OpenSecret
  /** Writes that a key was used. */
  writeUse: (key: string, at: Instant) => Promise<void>
}

export function createSignatureKeys({ store, openSecret, writeUse }: SignatureKeysOptions): SignatureKeys {
  const lastRecorded = new Map<string, Instant>()
  const opened = new Map<string, string>()

  async function open(key: string, sealed: string | null): Promise<string> {
    // Of this very key: a secret that was moved to another row does not open.
    const name = `${key} ${sealed}`
    const known = opened.get(name)
    if (known !== undefined) return known
    const secret = await openSecret(key, sealed)
    if (opened.size >= maxOpened) opened.clear()
    opened.set(name, secret)
    return secret
  }

  return {
    async identify(key) {
      const [found] = await store.query(credentialInUse, { key })
      const live = found?.key == null ? null : found
      const secret = await (live === null ? open(nobody.key, null) : open(live.key, live.secret_ciphertext))
      if (live === null) return null
      return {
        kind: live.kind,
        partyId: live.party_id,
        name: live.name,
        key: live.key,
        secret,
        isFrozen: live.frozen_at !== null,
        requestsPerMinute: live.requests_per_minute,
      }
    },

    async recordUse(key, at) {
      const recorded = lastRecorded.get(key)
      if (recorded !== undefined && Math.abs(at - recorded) < lastUseGranularityMs) return
      lastRecorded.set(key, at)
      try {
        await writeUse(key, at)
      } catch (error) {
        // The next request tries again: a merchant's webhooks wait for the first use of its new key.
        lastRecorded.delete(key)
        throw error
      }
    },
  }
}

export function createCredentials(store: Store, vault: Vault): Credentials {
  let decoy: { fingerprint: string; sealed: string } | null = null

  /** Sealed like the others, and anew once the master key was changed. */
  function sealedDecoy(): string {
    const { fingerprint } = vault
    if (decoy?.fingerprint !== fingerprint) {
      decoy = { fingerprint, sealed: vault.seal(credentialName(nobody.key), nobody.secret) }
    }
    return decoy.sealed
  }

  const openSecret = (key: string, sealed: string | null): string =>
    vault.open(credentialName(key), sealed ?? sealedDecoy())

  return {
    openSecret,
    ...createSignatureKeys({
      store,
      openSecret,
      async writeUse(key, at) {
        const [first] = await store.execute(recordFirstUse, { key, at })
        if (first === undefined) await store.execute(recordLastUse, { key, at })
      },
    }),

    async webhookCredential(merchantId) {
      const live = await store.query(webhookCredentials, { partyId: merchantId })
      const chosen = chooseForWebhooks(live)
      if (chosen === undefined) return null
      const secret = vault.open(credentialName(chosen.key), chosen.secret_ciphertext)
      return { key: chosen.key, secret, standard: standardSecrets(vault, merchantId, chosen) }
    },
  }
}

type SealedStandard = Pick<
  Row<'parties'>,
  'webhook_secret_ciphertext' | 'former_webhook_secret_ciphertext' | 'former_webhook_secret_until_at'
>

function standardSecrets(vault: Vault, partyId: string, sealed: SealedStandard): StandardSecrets | null {
  const {
    webhook_secret_ciphertext: present,
    former_webhook_secret_ciphertext: former,
    former_webhook_secret_until_at: untilAt,
  } = sealed
  if (present === null) return null
  const open = (one: string) => vault.open(standardSecretName(partyId), one)
  const isOverlapping = former !== null && untilAt !== null
  return { present: open(present), former: isOverlapping ? { secret: open(former), untilAt } : null }
}

interface WebhookCredential extends SealedStandard {
  key: string
  secret_ciphertext: string
  first_used_at: Instant | null
  webhook_credential_key: string | null
  webhook_credential_at: Instant | null
}

/** @param live the oldest first */
function chooseForWebhooks(live: readonly WebhookCredential[]): WebhookCredential | undefined {
  const usedSince = (credentials: readonly WebhookCredential[], since: Instant) =>
    credentials.filter(({ first_used_at }) => first_used_at !== null && first_used_at > since)
  const index = live.findIndex(({ key, webhook_credential_key }) => key === webhook_credential_key)
  const chosen = live[index]
  if (chosen === undefined) return usedSince(live, Number.NEGATIVE_INFINITY).at(-1) ?? live[0]
  return usedSince(live.slice(index + 1), chosen.webhook_credential_at ?? 0).at(-1) ?? chosen
}
