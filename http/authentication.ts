/**
 * Who speaks: part 5 of the specification.
 *
 * A request is verified over its raw target and its exact bytes, before anything is decoded. The caller learns
 * only that it was refused; the log says why.
 */
import type { IncomingMessage } from 'node:http'
import type { Credentials, Identity } from '../actors/keys/credentials.ts'
import { parseMessageDate, verifySignature } from '../actors/keys/signature.ts'
import type { PartyKind } from '../actors/parties.ts'
import type { Instant } from '../machines/time.ts'

export interface Signed {
  identity: Identity
  /** The verified Message-Hash: it identifies the message. */
  digest: string
}

/** Why a signature was refused: for the log, never for the caller. */
export type AuthenticationProblem =
  | 'headers'
  | 'unknown_key'
  | 'wrong_party'
  | 'message_date'
  | 'clock'
  | 'signature'

export interface AuthenticationOptions {
  credentials: Credentials
  clock: { now(): Instant }
  toleranceMs: number
}

/** What an unknown key is verified with, so that it takes the same time as a known one. */
const decoySecret = 'a secret that signs nothing at all'

const keyHeaders: Record<PartyKind, string> = { merchant: 'merchant-key', provider: 'provider-key' }

export async function authenticate(
  options: AuthenticationOptions,
  kind: PartyKind,
  request: { message: IncomingMessage; signedPath: string; body: Buffer },
): Promise<Signed | { problem: AuthenticationProblem }> {
  const headers = signatureHeaders(request.message, kind)
  if (headers === null) return { problem: 'headers' }
  const { key, messageDate, digest } = headers

  const identity = await options.credentials.identify(key)
  const verified = verifySignature(
    { key, messageDate, method: request.message.method ?? '', path: request.signedPath, body: request.body },
    identity?.secret ?? decoySecret,
    digest,
  )
  if (identity === null) return { problem: 'unknown_key' }
  if (identity.kind !== kind) return { problem: 'wrong_party' }
  const saidAt = parseMessageDate(messageDate)
  if (saidAt === null) return { problem: 'message_date' }
  if (!verified) return { problem: 'signature' }
  // After the signature: the log then tells a wrong clock from a wrong secret.
  if (Math.abs(options.clock.now() - saidAt) > options.toleranceMs) return { problem: 'clock' }
  return { identity, digest }
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
