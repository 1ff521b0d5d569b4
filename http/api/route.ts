/** What a route is: one entry a path, with whom it serves and an endpoint a method. */
import { createHash } from 'node:crypto'
import type { Identity } from '../../actors/keys/credentials.ts'
import type { Answer, MessageGuard } from '../../actors/orders/answers.ts'
import type { Actor } from '../../actors/orders/journal.ts'
import type { PartyKind } from '../../actors/parties/party-limits.ts'
import { answerRefusal, type HttpAnswer, type HttpRefusal } from '../foundation/errors.ts'
import type { Json } from '../foundation/json.ts'
import type { OperationDescription } from './operation.ts'

export type Method = 'GET' | 'POST'

/** A request whose signature was verified. */
export interface SignedRequest {
  identity: Identity
  /** The verified Message-Hash: the same one again is the same message. */
  digest: string
  messageDate: string
  /**
   * To be asked before a refusal is kept: `null`, or the 429 that takes its place, where a key has used up its limit
   * and is served all the same. What is kept is bounded by the limits, too.
   */
  countRefusal(): HttpAnswer | null
  method: string
  /** As signed. */
  path: string
  params: Readonly<Record<string, string>>
  /** With its question mark; only our own lists and statements take one. */
  query: string
  body: Buffer
  /** What the body says; `{}` for a GET. */
  document: Json
  idempotencyKey: string | null
  /** Everything is checked, and nothing is written. */
  isDryRun: boolean
  /** Its Accept header takes no JSON, and the table that the route gives besides. */
  wantsTable: boolean
  /** Facts for the request's log line: no secrets, no personal data. */
  note(facts: Readonly<Record<string, string>>): void
}

/** What tells one message from another. */
export type SignedMessageId = Pick<SignedRequest, 'identity' | 'digest' | 'messageDate' | 'countRefusal'>

export type Endpoint = (request: SignedRequest) => Promise<HttpAnswer>

/** An endpoint, and what the API's document says of it. */
export interface RouteOperation extends OperationDescription {
  endpoint: Endpoint
}

export interface Route {
  /** Below `/api/v1`, in the router's syntax. */
  path: string
  /** Whose keys it takes; of either kind where both may ask. */
  party: PartyKind | 'either'
  /** Its GET takes a query string, which is then part of the signed PATH: our own lists and statements. */
  takesQuery?: boolean
  /** Its GET gives a table, too (CSV). */
  givesTable?: boolean
  /** Whether a POST is served although its key has used up its limit. */
  isExempt?: (request: Pick<SignedRequest, 'identity' | 'params'>) => Promise<boolean>
  /**
   * Its POSTs are judged once: what it refuses is kept here, and answered as it was when it came before. The endpoint
   * does so by itself; this is for what is refused before it.
   */
  refuseOnce?: (message: SignedMessageId, answer: HttpAnswer) => Promise<HttpAnswer>
  methods: Readonly<Partial<Record<Method, RouteOperation>>>
}

export function jsonAnswer(status: number, document: object): HttpAnswer {
  return { status, headers: jsonHeaders, body: JSON.stringify(document) }
}

/** An answer as it is stored, byte for byte. */
export function storedAnswer({ status, body }: Answer): HttpAnswer {
  return { status, headers: jsonHeaders, body }
}

/** The answer of an earlier message, which says that it is one. */
export function replayedAnswer({ status, body }: Answer): HttpAnswer {
  return { status, headers: { ...jsonHeaders, 'Idempotency-Replayed': 'true' }, body }
}

/** What would have been answered with 201, where nothing was made. */
export function dryRunAnswer({ body }: Answer): HttpAnswer {
  return { status: 200, headers: { ...jsonHeaders, 'Dry-Run': 'true' }, body }
}

export function refuse(refusal: HttpRefusal): HttpAnswer {
  return answerRefusal(refusal)
}

const jsonHeaders = { 'Content-Type': 'application/json' }

/** The actor that speaks in a request, for the journal. */
export function speaker({ kind, partyId, name, key }: Identity): Extract<Actor, { credential: string }> {
  return { kind, id: partyId, name, credential: key }
}

/** How repetitions of a creation are told from new ones: by its Idempotency-Key alone (protocol 5.7). */
export function guardOf(request: SignedRequest): MessageGuard | undefined {
  const idempotency = idempotencyOf(request)
  if (idempotency === null) return undefined
  return { partyId: request.identity.partyId, bindsRevision: false, idempotency }
}

/** How repetitions of a start, confirm or cancel are told from new ones (protocol 5.6). */
export function paymentGuard(
  request: SignedRequest,
  { isConfirmation }: { isConfirmation: boolean },
): MessageGuard {
  const { identity, digest, messageDate } = request
  const idempotency = idempotencyOf(request)
  const acceptedAgain = isConfirmation ? 'harmless' : isPrecise(messageDate) ? 'answered' : 'judged'
  return {
    partyId: identity.partyId,
    digest,
    acceptedAgain,
    bindsRevision: !isConfirmation,
    ...(idempotency === null ? {} : { idempotency }),
  }
}

/** At least milliseconds: no two tills of one provider have the same. */
function isPrecise(messageDate: string): boolean {
  return /\.\d{3}/.test(messageDate)
}

function idempotencyOf({
  idempotencyKey,
  method,
  path,
  body,
}: SignedRequest): Required<MessageGuard>['idempotency'] | null {
  if (idempotencyKey === null) return null
  const payloadDigest = createHash('sha256').update(`${method}:${path}:`).update(body).digest('base64url')
  return { key: idempotencyKey, payloadDigest }
}
