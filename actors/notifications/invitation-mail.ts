/**
 * The mail that brings somebody their invitation: the one notification that holds a secret. In the outbox its link is sealed under the
 * master key; it is opened for the attempt alone, and only while the invitation is open.
 */
import { formatInstant, type Instant } from '../../machines/time.ts'
import type { Store, Write } from '../../persistence/store.ts'
import { type Vault, VaultError } from '../keys/vault.ts'
import { findInvitation } from '../people/invitations.ts'
import type { Language } from './channels.ts'
import type { Invited, Notice } from './events.ts'
import { insertions, pendingNotice } from './notices.ts'

interface NewMail {
  to: string
  link: string
  mode: Notice['mode']
  language: Language
  timeZone: string
  invited: Omit<Invited, 'sealed'>
}

const sealedName = ({ name }: Pick<Invited, 'name'>) => `invitation:${name}`

interface Means {
  store: Pick<Store, 'query'>
  vault: Pick<Vault, 'open'>
  clock: { now(): Instant }
}

/** Of no channel. */
export function invitationMail(vault: Pick<Vault, 'seal'>, mail: NewMail, at: Instant): Write[] {
  const { to, link, mode, language, timeZone, invited } = mail
  const notice: Notice = {
    ...{ purpose: 'invitation', mode, created: formatInstant(at), channel: '', language, timeZone },
    ...{ party: null, told: [], more: false },
    invited: { ...invited, sealed: vault.seal(sealedName(invited), link) },
  }
  return insertions([pendingNotice({ kind: 'email', target: to, partyId: '' }, notice, at)])
}

/** `null` where the link makes no account any more: it is not mailed then. */
export async function linkOf({ store, vault, clock }: Means, invited: Invited): Promise<string | null> {
  const link = opened(vault, invited)
  const token = link === null ? null : new URL(link).searchParams.get('invitation')
  const found = token === null ? null : await findInvitation(store, token, clock.now())
  return found === null ? null : link
}

/** What was sealed under a master key of before opens no more. */
function opened(vault: Pick<Vault, 'open'>, invited: Invited): string | null {
  try {
    return vault.open(sealedName(invited), invited.sealed)
  } catch (error) {
    if (error instanceof VaultError) return null
    throw error
  }
}
