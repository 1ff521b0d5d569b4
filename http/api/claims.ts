/** Claims, as the parties open, answer and read them: protocol 16.8. */
import { type Anchors, anchorRead } from '../../actors/claims/anchored.ts'
import type { ClaimsContext } from '../../actors/claims/opening.ts'
import {
  type AskedByParty,
  type OwnClaim,
  openByParty,
  ownClaim,
  ownClaims,
  type PartyOpened,
  tellByParty,
} from '../../actors/claims/party-claims.ts'
import type { ClaimTold, Said } from '../../actors/claims/telling.ts'
import type { Answer, MessageGuard, Repeated } from '../../actors/orders/answers.ts'
import type { PartyKind } from '../../actors/parties/party-limits.ts'
import type { Instant } from '../../machines/time.ts'
import type { Outcome } from '../foundation/errors.ts'
import { type FieldError, fieldError, type HttpAnswer, type HttpRefusal } from '../foundation/errors.ts'
import { amountError } from '../foundation/formats.ts'
import type { Json } from '../foundation/json.ts'
import {
  type ClaimRequest,
  readClaim,
  readClaimAnswer,
  readClaimList,
  readClaimText,
} from './claim-requests.ts'
import { viewOfClaim, viewOfClaimText } from './claim-views.ts'
import { keyAnswer } from './creation-answers.ts'
import {
  type Endpoint,
  guardOf,
  jsonAnswer,
  type Route,
  type RouteOperation,
  refuse,
  type SignedRequest,
  speaker,
  storedAnswer,
} from './route.ts'

export interface SaidByParty {
  speaker: AskedByParty['speaker']
  number: number
  said: Said
  text: string | null
}

type Refused<Outcome> = Extract<Outcome, { outcome: 'refused' }>
type Done = { outcome: 'done'; number: number; answer: Answer } | Repeated

/** Beside the store: what is answered is made in the step that keeps it. */
export function createClaims(context: ClaimsContext) {
  const answerOf = (status: number) => (claim: OwnClaim) => ({
    status,
    body: JSON.stringify(viewOfClaim(claim)),
  })
  const done = (claim: { number: number }, answer: Answer | null): Done => {
    if (answer === null) throw new Error(`Claim ${claim.number} has no answer.`)
    return { outcome: 'done', number: claim.number, answer }
  }
  return {
    async openClaim(asked: AskedByParty, guard: MessageGuard): Promise<Done | Refused<PartyOpened>> {
      const opened = await openByParty(context, asked, guard, answerOf(201))
      return opened.outcome === 'opened' ? done(opened.claim, opened.answer) : opened
    },
    async tellClaim(
      asked: SaidByParty,
      guard: MessageGuard,
    ): Promise<Done | Refused<ClaimTold> | { outcome: 'unknown' }> {
      const told = await tellByParty(context, asked, guard, answerOf(200))
      return told.outcome === 'told' ? done(told.claim, told.answer) : told
    },
  }
}

export interface ClaimRoutesOptions extends ReturnType<typeof createClaims>, Anchors {
  store: Parameters<typeof ownClaims>[0]
  clock: { now(): Instant }
}

export function claimRoutes(options: ClaimRoutesOptions): Route[] {
  return [...routesOf(options, 'merchant'), ...routesOf(options, 'provider')]
}

function routesOf(options: ClaimRoutesOptions, party: PartyKind): Route[] {
  const of = party === 'merchant' ? 'Merchant' : 'Provider'
  return [
    {
      path: `/${party}s/claims/`,
      party,
      takesQuery: true,
      methods: { GET: listing(options, party, of), POST: opening(options, party, of) },
    },
    {
      path: `/${party}s/claims/:number/`,
      party,
      methods: {
        GET: {
          id: `get${of}Claim`,
          summary: `Look at a claim of the ${party}`,
          description: 'With its texts. One of others is as unknown as one that does not exist.',
          request: [],
          answer: { status: 200, schema: 'claimDetails' },
          repetition: 'freely',
          refusals: [],
          problems: [],
          endpoint: show(options),
        },
      },
    },
    telling(options, party, {
      name: 'answer',
      id: `answer${of}Claim`,
      summary: `Answer a claim against the ${party}`,
      description: 'Only who is claimed against answers. An operator decides; nothing moves by an answer.',
      request: 'claimAnswer',
      refusals: ['permission_denied', 'claim_ended', 'claim_full'],
      read: (body) => readClaimAnswer(body, party),
    }),
    telling(options, party, {
      name: 'texts',
      id: `add${of}ClaimText`,
      summary: `Add a text to a claim of the ${party}`,
      description: 'Both parties and the operator read it. Files go to the operator.',
      request: 'claimText',
      refusals: ['claim_ended', 'claim_full'],
      read: (body) => readClaimText('claimText', body, { type: 'claim.add_evidence' }),
    }),
    telling(options, party, {
      name: 'withdrawal',
      id: `withdraw${of}Claim`,
      summary: `Withdraw a claim of the ${party}`,
      description: 'Only who has opened it withdraws it, until it is decided.',
      request: 'claimWithdrawal',
      refusals: ['permission_denied', 'claim_ended', 'claim_full'],
      read: (body) => readClaimText('claimWithdrawal', body, { type: 'claim.withdraw', by: party }),
    }),
  ]
}

function listing(options: ClaimRoutesOptions, party: PartyKind, of: string): RouteOperation {
  return {
    id: `list${of}Claims`,
    summary: `List claims of the ${party}`,
    description:
      'Those that it has opened, and those against it, the latest opened first. `next` is the cursor of the following page.',
    request: ['claimList'],
    answer: { status: 200, schema: 'claimPage' },
    repetition: 'freely',
    refusals: [],
    problems: ['cursor_unknown'],
    endpoint: async ({ identity, query, note }) => {
      const { store, clock } = options
      const read = readClaimList(query)
      if (!read.ok) return refuse(read.refusal)
      const found = await ownClaims(store, speaker(identity), read.value, clock.now())
      if (found === null) return refuse({ name: 'fields', errors: [fieldError('cursor', 'cursor_unknown')] })
      const answer = jsonAnswer(200, { results: found.claims.map(viewOfClaim), next: found.next })
      const numbers = found.claims.map(({ number }) => number)
      return outside(() => anchorRead(options, numbers), note, answer)
    },
  }
}

function opening({ openClaim, anchorNow }: ClaimRoutesOptions, party: PartyKind, of: string): RouteOperation {
  return {
    id: `create${of}Claim`,
    summary: `Open a claim of the ${party}`,
    description:
      'The cash of an order that has ended was handled otherwise than it is booked. The other party is asked, an operator ' +
      'decides, and nothing moves before. The same signed bytes get the same answer, with an Idempotency-Key or without.',
    request: ['claim'],
    answer: { status: 201, schema: 'claim' },
    repetition: 'idempotency_key',
    refusals: [],
    problems: [
      'claim_order_unknown',
      'claim_order_open',
      'claim_no_provider',
      'claim_known',
      'claim_amount_missing',
      'claim_amount_unknown',
      'claim_amount_same',
      'claim_amount_exceeds',
      'price_too_low',
    ],
    endpoint: async (request) => {
      const read = readClaim(request.document)
      if (!read.ok) return refuse(read.refusal)
      const asked = { speaker: speaker(request.identity), ...read.value }
      const opened = await openClaim(asked, messageGuard(request))
      if (opened.outcome === 'refused') return refuse(openingRefusal(opened, read.value))
      return outside(anchorNow, request.note, answered(request, opened))
    },
  }
}

/** Without an Idempotency-Key, too: what was signed once is done once. */
function messageGuard(request: SignedRequest): MessageGuard {
  const { identity, digest } = request
  return { partyId: identity.partyId, digest, bindsRevision: false, ...guardOf(request) }
}

function answered(request: SignedRequest, done: Done): HttpAnswer {
  switch (done.outcome) {
    case 'done':
      request.note({ claim: `${done.number}` })
      return storedAnswer(done.answer)
    case 'stale_repetition':
      throw new Error('A claim is not bound to a revision.')
    default:
      return keyAnswer(done)
  }
}

/** Nobody is told of a claim, or of its end, that a restore could lose without a word. */
async function outside(
  anchor: () => Promise<void>,
  note: SignedRequest['note'],
  answer: HttpAnswer,
): Promise<HttpAnswer> {
  try {
    await anchor()
  } catch (error) {
    note({ unanchored: error instanceof Error ? error.message : String(error) })
    return refuse({ name: 'unavailable' })
  }
  return answer
}

function openingRefusal(refused: Refused<PartyOpened>, { order, kind, amount }: ClaimRequest): HttpRefusal {
  const fields = (error: FieldError): HttpRefusal => ({ name: 'fields', errors: [error] })
  switch (refused.reason) {
    case 'order_unknown':
    case 'order_gone':
      return fields(fieldError('order', 'claim_order_unknown', { order }))
    case 'order_open':
      return fields(fieldError('order', 'claim_order_open'))
    case 'no_provider':
      return fields(fieldError('order', 'claim_no_provider'))
    case 'known':
      return fields(fieldError('kind', 'claim_known', { kind }))
    case 'amount_missing':
      return fields(fieldError('amount', 'claim_amount_missing'))
    case 'amount_unknown':
      return fields(fieldError('amount', 'claim_amount_unknown'))
    case 'amount_same':
      return fields(fieldError('amount', 'claim_amount_same'))
    case 'amount_exceeds':
      return fields(fieldError('amount', 'claim_amount_exceeds'))
    case 'amount_invalid':
      return fields(badAmount(amount ?? '', refused.decimals))
    default:
      throw new Error(`A claim of a party names no exception, and is refused for one: ${refused.reason}.`)
  }
}

/** As of any amount: its form, below zero, or nothing. */
function badAmount(text: string, decimals: number): FieldError {
  const error = amountError('amount', text, decimals)
  if (error !== null) return error
  return text.startsWith('-')
    ? fieldError('amount', 'min_value', { min_value: 0 })
    : fieldError('amount', 'price_too_low')
}

interface Telling {
  name: string
  id: string
  summary: string
  description: string
  request: 'claimAnswer' | 'claimText' | 'claimWithdrawal'
  refusals: RouteOperation['refusals']
  read(body: Json): Outcome<{ said: Said; text: string | null }>
}

function telling({ tellClaim, anchorNow }: ClaimRoutesOptions, party: PartyKind, told: Telling): Route {
  const { name, read: readBody, request: schema, ...about } = told
  const endpoint: Endpoint = async (request) => {
    const number = numberOf(request.params.number)
    if (number === null) return refuse({ name: 'not_found' })
    const read = readBody(request.document)
    if (!read.ok) return refuse(read.refusal)
    const asked = { speaker: speaker(request.identity), number, ...read.value }
    const done = await tellClaim(asked, messageGuard(request))
    if (done.outcome === 'unknown') return refuse({ name: 'not_found' })
    if (done.outcome === 'refused') return refuse(toldRefusal(done))
    const answer = answered(request, done)
    // Its number is known already; its end is not.
    return read.value.said.type === 'claim.withdraw' ? outside(anchorNow, request.note, answer) : answer
  }
  return {
    path: `/${party}s/claims/:number/${name}/`,
    party,
    methods: {
      POST: {
        ...about,
        request: [schema],
        answer: { status: 200, schema: 'claim' },
        repetition: 'idempotency_key',
        problems: [],
        endpoint,
      },
    },
  }
}

function toldRefusal({ reason, state }: Refused<ClaimTold>): HttpRefusal {
  switch (reason) {
    case 'ended':
      return { name: 'claim_ended', values: { state } }
    case 'not_theirs':
      return { name: 'permission_denied' }
    case 'full':
    case 'erased':
      return { name: 'claim_full' }
    case 'changed':
      throw new Error('A party says no revision of a claim.')
  }
}

function numberOf(written = ''): number | null {
  return /^[1-9]\d{0,8}$/.test(written) ? Number(written) : null
}

function show(options: ClaimRoutesOptions): Endpoint {
  const { store, clock } = options
  return async ({ identity, params, note }) => {
    const number = numberOf(params.number)
    const found = number === null ? null : await ownClaim(store, speaker(identity), number, clock.now())
    if (found === null) return refuse({ name: 'not_found' })
    const answer = jsonAnswer(200, { ...viewOfClaim(found.claim), texts: found.texts.map(viewOfClaimText) })
    return outside(() => anchorRead(options, [found.claim.number]), note, answer)
  }
}
