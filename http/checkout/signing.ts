/**
 * What wallets ask for: a fresh transaction just before it is signed, and a way to send what they have signed. Solana's
 * phone wallets ask by a protocol of their own (Solana Pay, transaction requests).
 */
import type { Context } from 'koa'
import type { Clock } from '../../actors/foundation/clock.ts'
import type { Instant } from '../../machines/time.ts'
import { parseBody, readBody } from '../foundation/body.ts'
import { fundingState } from './funding.ts'
import { iconName } from './scripts.ts'
import type { CheckoutOrder, CheckoutSigning } from './view.ts'

/** What became of a signed transaction: sent, or why not (chain/chain.ts). */
export type Relayed = 'sent' | 'expired' | 'insufficient' | 'failed' | 'unavailable'

export interface SigningOptions {
  /** The base of `redirect_url`, without a slash at its end. */
  checkoutUrl: string

  findOrder(id: string): Promise<CheckoutOrder | null>
  /** Sends on what an order's wallet has signed; `null` for an order that there is not. */
  relay(id: string, signed: string): Promise<Relayed | null>
  clock: Clock
}

/** The browser tells its user by these why there is nothing to sign. */
type NoOffer = 'closed' | 'paid' | 'building'

type Offer = { ok: true; transaction: string; signing: CheckoutSigning } | { ok: false; reason: NoOffer }

const parts = ['transaction', 'submission', 'solana-pay'] as const
type Part = (typeof parts)[number]

export function signingPart(text: string | undefined): Part | null {
  return parts.find((part) => part === text) ?? null
}

const methods: Readonly<Record<Part, readonly string[]>> = {
  transaction: ['GET'],
  submission: ['POST'],
  'solana-pay': ['GET', 'POST'],
}

/**
 * `false` when there is no such order, or no order can be meant (`id` is null): what is answered then is the same for
 * both.
 */
export async function serveSigning(
  options: SigningOptions,
  context: Context,
  part: Part,
  id: string | null,
): Promise<boolean> {
  if (!methods[part].includes(context.method)) {
    context.set('Allow', methods[part].join(', '))
    context.status = 405
    return true
  }
  const order = id === null ? null : await options.findOrder(id)
  if (order === null || order.funding === null) return false
  if (part === 'submission') await submit(options, context, order)
  else if (part === 'transaction') answerOffer(context, offerOf(order, options.clock.now()))
  else await solanaPay(options, context, order)
  return true
}

function offerOf({ funding, status }: CheckoutOrder, now: Instant): Offer {
  const none = (reason: NoOffer): Offer => ({ ok: false, reason })
  if (funding === null || status === 'CANCELLED' || status === 'EXPIRED') return none('closed')
  if (status !== 'CREATED') return none('paid')
  const state = fundingState(funding, now)
  if (state === 'seen') return none('paid')
  if (state === 'closed') return none('closed')
  const { signing } = funding
  if (signing === null || signing.transaction === '') return none('building')
  return { ok: true, transaction: signing.transaction, signing }
}

function answerOffer(context: Context, offer: Offer): void {
  context.status = offer.ok ? 200 : 409
  context.body = offer.ok ? { transaction: offer.transaction } : { problem: offer.reason }
}

async function submit(options: SigningOptions, context: Context, order: CheckoutOrder): Promise<void> {
  const { signed } = await bodyOf(context)
  const outcome = signed === undefined ? 'failed' : await options.relay(order.id, signed)
  context.status = outcome === 'sent' ? 200 : 409
  context.body = outcome === 'sent' ? {} : { problem: outcome ?? 'failed' }
}

/** The text members of a small JSON object; no other site can send one without asking first. */
async function bodyOf(context: Context): Promise<Record<string, string>> {
  const body = await readBody(context.req, { maxBytes: 16_384, timeoutMs: 10_000 })
  const parsed = body.ok ? parseBody(body.value, context.req.headers) : body
  if (!parsed.ok || typeof parsed.value !== 'object' || parsed.value === null) return {}
  const texts = Object.entries(parsed.value).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value]] : [],
  )
  return Object.fromEntries(texts)
}

/** https://docs.solanapay.com/spec: GET names who asks, POST answers an account with what it is to sign. */
async function solanaPay(
  { checkoutUrl, clock }: SigningOptions,
  context: Context,
  order: CheckoutOrder,
): Promise<void> {
  const label = order.merchantName
  if (context.method === 'GET') {
    context.body = { label, icon: `${checkoutUrl}/${iconName}` }
    return
  }
  const { account } = await bodyOf(context)
  const offer = offerOf(order, clock.now())
  const isWallets = account === order.funding?.wallet
  if (!offer.ok || !isWallets || offer.signing.blockchain !== 'SOLANA') {
    context.status = 400
    const wallet = order.funding?.wallet ?? ''
    context.body = {
      message: isWallets ? 'There is nothing to sign for this order.' : `Only ${wallet} can pay.`,
    }
    return
  }
  context.body = { transaction: offer.transaction, message: order.description.slice(0, 200) }
}
