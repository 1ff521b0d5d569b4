/** The tables of people: who may sign in, and with what they prove who they are. */
import type { Generated } from 'kysely'
import type { Instant } from '../machines/time.ts'

/** ISO 639. */
export type Language = 'en' | 'es' | 'pt'

/** Of operators. */
export type Role = 'viewer' | 'operator' | 'administrator'

/** Of the people of parties. */
export type PartyRole = 'owner' | 'staff' | 'supervisor' | 'cashier'

export interface PersonTable {
  /** In lower case. */
  name: string
  /** Null is an operator. */
  party_id: string | null
  role: Role | PartyRole
  /** `scrypt$…`, with its parameters. */
  password_hash: string
  password_at: Instant
  created_at: Instant
  signed_in_at: Instant | null
  disabled_at: Instant | null
  /** Of the console's pages; null for the browser's. */
  language: Language | null
  /** An IANA zone; null for UTC. */
  time_zone: string | null
  /** The secret of the authenticator, sealed; null while there is none. */
  totp_ciphertext: string | null
  totp_at: Instant | null
  /** The step of the last code that was right: neither it nor one before it counts again. */
  totp_step: Generated<number>
  /** Wrong codes since the last right factor. */
  wrong_codes: Generated<number>
  /** Raised with each change of what proves who it is: a password, a factor, being disabled. */
  revision: Generated<number>
  /**
   * Who has held their password or invitation, or has let them in alone, while operations took two people: `person:ana`, `token`. Null
   * is nobody else.
   */
  let_in_by: string | null
}

/** Of somebody whose password was right; the token itself is only in their browser. */
export interface SessionTable {
  /** SHA-256 of the token. */
  digest: string
  /** What its person calls it by: it opens nothing. */
  id: string
  person_name: string
  /** On the wall, as `seen_at`: the time of steps waits after a clock that went back. */
  created_at: Instant
  seen_at: Instant
  address: string
  /** What the browser said it is. */
  agent: string
  /** When a second factor was last right in it. */
  factor_at: Instant | null
  /** What was asked of the browser and is not answered yet, a list: challenges, and a secret that is to be confirmed. */
  pending_json: string | null
  /** The person's when it began: with another one it counts no more. */
  person_revision: Generated<number>
}

export interface PasskeyTable {
  /** The credential's, base64url. */
  id: string
  person_name: string
  label: string
  /** COSE, base64url. */
  public_key: string
  /** Of signatures, as the authenticator counts them; 0 where it does not. */
  counter: number
  /** Separated by commas. */
  transports: string
  created_at: Instant
  used_at: Instant | null
  /** When its counter went back: two authenticators hold it, and none of them counts any more. */
  cloned_at: Instant | null
}

export interface RecoveryCodeTable {
  person_name: string
  /** SHA-256 of the code. */
  digest: string
  created_at: Instant
  used_at: Instant | null
}

export interface InvitationTable {
  name: string
  /** SHA-256 of what is in the link. */
  digest: string
  party_id: string | null
  role: Role | PartyRole
  invited_by: string
  created_at: Instant
  expires_at: Instant
  /** As of the person that it lets in. */
  let_in_by: string | null
}

export interface PeopleTables {
  people: PersonTable
  sessions: SessionTable
  passkeys: PasskeyTable
  recovery_codes: RecoveryCodeTable
  invitations: InvitationTable
}
