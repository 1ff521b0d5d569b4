/**
 * Who speaks: protocol 5.1.
 *
 * A request is verified over its raw target and its exact bytes, before anything is decoded. The caller learns
 * only that it was refused; the log says why. What a stranger sends costs one digest of its bytes and nothing more:
 * mistakes are searched for of known keys alone, in small messages, and so many a minute (see explanations.ts).
 */
import type { IncomingMessage } from 'node:http'
import { type Clock, worldNow } from '../../actors/foundation/clock.ts'
import type { Identity, SignatureKeys } from '../../actors/keys/credentials.ts'
import { parseMessageDate, type SignedMessage, verifySignature } from '../../actors/keys/signature.ts'
import { isTestKey } from '../../actors/keys/test-keys.ts'
import type { PartyKind } from '../../actors/parties/party-limits.ts'

export interface Signed {
  identity: Identity
  /** The verified Message-Hash: it identifies the message. */
  digest: string
  /** As it was signed. */
  messageDate: string
}

/** Why a signature was refused: for the log, never for the caller. */
export type AuthenticationProblem =
  | 'headers'
  | 'unknown_key'
  /** A key of sandboxes, at a node in production. */
  | 'test_key'
  | 'wrong_party'
  | 'message_date'
  | 'clock'
  | 'signature'

/** A refused signature, for the log. */
export interface Unsigned {
  problem: AuthenticationProblem
  /** What is known of it at no cost. */
  facts: Readonly<Record<string, string | number>>
  /** What its mistake can be searched in; `null` where nobody of ours has signed. */
  refused: RefusedSignature | null
  /** Whose key it names, where that is one of ours. */
  claimed: Pick<Identity, 'partyId' | 'kind' | 'key'> | null
  /** A message of ours that comes before its time: as it is, it would be taken later. */
  early: Signed | null
}

export interface RefusedSignature {
  message: SignedMessage & { body: Buffer }
  /** What follows its path in the target and is not signed. */
  unsignedQuery: string
  secret: string
  digest: string
}

export interface AuthenticationOptions {
  credentials: Pick<SignatureKeys, 'identify'>
  clock: Clock
  toleranceMs: number
  /** In production: whatever the database holds, no test key is anybody's there. */
  refusesTestKeys: boolean
}

/** What an unknown key is verified with, so that it takes the same time as a known one. */
const decoySecret = 'a secret that signs nothing at all'

const keyHeaders: Record<PartyKind, string> = { merchant: 'merchant-key', provider: 'provider-key' }

export type Authenticated = { ok: true; signed: Signed } | { ok: false; unsigned: Unsigned }

export async function authenticate(
  options: AuthenticationOptions,
  party: PartyKind | 'either',
  request: { message: IncomingMessage; signedPath: string; unsignedQuery?: string; body: Buffer },
): Promise<Authenticated> {
  const kind = party === 'either' ? claimedKind(request.message) : party
  const headers = signatureHeaders(request.message, kind)
  if (headers === null) {
    return {
      ok: false,
      unsigned: { problem: 'headers', facts: {}, refused: null, claimed: null, early: null },
    }
  }
  const { key, messageDate, digest } = headers

  const identity = await options.credentials.identify(key)
  const message = {
    key,
    messageDate,
    method: request.message.method ?? '',
    path: request.signedPath,
    body: request.body,
  }
  const secret = identity?.secret ?? decoySecret
  const verified = verifySignature(message, secret, digest)
  const saidAt = parseMessageDate(messageDate)
  const offsetMs = saidAt === null ? 0 : saidAt - worldNow(options.clock)
  const refused = (problem: AuthenticationProblem, early: Signed | null = null): Authenticated => {
    const facts = {
      // What is no key of ours may be a secret in the wrong place.
      ...(identity === null ? {} : { key }),
      bodyBytes: request.body.length,
      ...(saidAt === null ? {} : { clockOffsetSeconds: Math.round(offsetMs / 100) / 10 }),
    }
    const { unsignedQuery = '' } = request
    const mistaken = identity === null || verified ? null : { message, unsignedQuery, secret, digest }
    return { ok: false, unsigned: { problem, early, facts, refused: mistaken, claimed: identity } }
  }
  if (options.refusesTestKeys && isTestKey(key)) return refused('test_key')
  if (identity === null) return refused('unknown_key')
  if (identity.kind !== kind) return refused('wrong_party')
  if (saidAt === null) return refused('message_date')
  if (!verified) return refused('signature')
  // After the signature: the log then tells a wrong clock from a wrong secret.
  const signed = { identity, digest, messageDate }
  if (Math.abs(offsetMs) > options.toleranceMs) return refused('clock', offsetMs > 0 ? signed : null)
  return { ok: true, signed }
}

/** Both of them are refused as no signature at all. */
function claimedKind({ headersDistinct }: IncomingMessage): PartyKind {
  return headersDistinct[keyHeaders.provider] === undefined ? 'merchant' : 'provider'
}

/** The signature's headers; `null` when one is missing, comes twice, or names the other kind of party too. */
function signatureHeaders(
  message: IncomingMessage,
  kind: PartyKind,
): { key: string; messageDate: string; digest: string } | null {
  const once = (name: string): string | undefined => {
    const values = message.headersDistinct[name]
    return values?.length === 1 ? values[0] : undefined
  }
  const other = keyHeaders[kind === 'merchant' ? 'provider' : 'merchant']
  if (message.headersDistinct[other] !== undefined) return null
  const key = once(keyHeaders[kind])
  const messageDate = once('message-date')
  const digest = once('message-hash')
  if (key === undefined || messageDate === undefined || digest === undefined) return null
  return { key, messageDate, digest }
}
