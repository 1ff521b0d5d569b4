/**
 * The sender of a sandbox: it stands between the delivery worker and a merchant's receiver, lets go wrong what was asked for, and keeps
 * what was sent. What the worker makes of an attempt (its retries, its dead letters) is its own, as in life.
 */
import { judgeStatus } from '../../machines/retry.ts'
import { deliveriesPage } from '../../persistence/queries/sandbox-receivers.ts'
import type { Row, Store, Write } from '../../persistence/store.ts'
import { type Clock, worldNow } from '../foundation/clock.ts'
import type { Credentials } from '../keys/credentials.ts'
import { webhookHeaders } from '../webhooks/headers.ts'
import type { AttemptResult, MessageAbout, WebhookMessage, WebhookSender } from '../webhooks/sender.ts'
import { createOrderedIds } from './ordered-id.ts'
import type { ReceiverFaults, TakenFault } from './receiver-faults.ts'

export interface SandboxSenderOptions {
  store: Pick<Store, 'query'>
  clock: Clock
  faults: Pick<ReceiverFaults, 'take'>
  credentials: Pick<Credentials, 'webhookCredential'>
  /** How long an attempt may take in all. */
  timeoutMs: number
  /** Whether a URL is an inbox of this node, whose answers say what it has found. */
  isInbox: (url: string) => boolean
  /** Told of every request that came to an end. */
  onSent?: (about: MessageAbout, sent: SentRequest) => Promise<void>
}

const nextId = createOrderedIds()

export type SentRequest = Row<'sandbox_deliveries'>

export function createSandboxSender(sender: WebhookSender, options: SandboxSenderOptions): WebhookSender {
  return {
    async send(message, signal) {
      const { about } = message
      if (about === undefined) return sender.send(message, signal)
      // Whoever receives it knows without looking at the key that no money is behind it.
      const headers = { ...message.headers, 'Webhook-Mode': 'sandbox' }
      const attempt = new SandboxAttempt(sender, options, { ...message, headers, about }, signal)
      // A database that cannot be written lets nothing go wrong besides.
      const fault = await options.faults.take(about).catch(() => null)
      const result = fault === null ? await attempt.send(null) : await attempt.withFault(fault)
      return { ...result, writes: attempt.writes }
    },
    close: () => sender.close(),
  }
}

type KnownMessage = WebhookMessage & { about: MessageAbout }

/** One attempt, and what is kept of its requests. */
class SandboxAttempt {
  readonly writes: Write[] = []
  readonly #sender: WebhookSender
  readonly #options: SandboxSenderOptions
  readonly #message: KnownMessage
  readonly #signal: AbortSignal | undefined

  constructor(
    sender: WebhookSender,
    options: SandboxSenderOptions,
    message: KnownMessage,
    signal: AbortSignal | undefined,
  ) {
    this.#sender = sender
    this.#options = options
    this.#message = message
    this.#signal = signal
  }

  async withFault(taken: TakenFault): Promise<AttemptResult> {
    const { fault, status, seconds } = taken
    const { timeoutMs } = this.#options
    switch (fault) {
      case 'status':
      case 'redirect':
        return this.#unsent(`${fault} ${status}`, 0, { outcome: judgeStatus(status), status })
      case 'hang':
        return this.#unsent(fault, timeoutMs, { outcome: 'timeout' })
      case 'delay': {
        if (seconds * 1000 >= timeoutMs)
          return this.#unsent(`delay ${seconds} s`, timeoutMs, { outcome: 'timeout' })
        const began = performance.now()
        if (!(await pause(seconds * 1000, this.#signal))) return this.#unsent(fault, 0, stopped)
        const result = await this.send(`delay ${seconds} s`)
        return { ...result, milliseconds: Math.round(performance.now() - began) }
      }
      case 'cut': {
        const lost = {
          outcome: 'connection',
          status: null,
          answer: null,
          answerBytes: 0,
          retryAfter: null,
        } as const
        return this.send(fault, { ...lost, error: said('the answer was cut off') })
      }
      case 'duplicate': {
        const first = await this.send(fault)
        // One that failed is sent again by itself.
        if (first.outcome === 'acknowledged') await this.send(`${fault}, the second`)
        return first
      }
      case 'out_of_order': {
        const result = await this.send(fault)
        await this.#sendEarlier()
        return result
      }
      case 'bad_signature': {
        const { headers } = this.#message
        const wrong = await this.#request({ ...this.#message, headers: withWrongSignature(headers) }, fault)
        // Of one that cannot be reached nothing more is asked.
        if (wrong.outcome === 'unknown') return wrong
        const right = await this.send(null)
        return { ...right, error: right.error ?? said('a wrong signature came first') }
      }
    }
  }

  /** @param changes what becomes of its answer on the way back */
  async send(fault: string | null, changes: Partial<AttemptResult> = {}): Promise<AttemptResult> {
    return this.#request(this.#message, fault, changes)
  }

  async #request(
    message: KnownMessage,
    fault: string | null,
    changes: Partial<AttemptResult> = {},
  ): Promise<AttemptResult> {
    const real = await this.#sender.send(message, this.#signal)
    const result = { ...real, ...(real.wasSent && real.status !== null ? changes : {}) }
    await this.#keep(message, fault, result, real)
    return fault === null ? result : { ...result, error: result.error ?? said(fault) }
  }

  async #unsent(fault: string, ms: number, ended: Partial<AttemptResult>): Promise<AttemptResult> {
    const isOver = await pause(ms, this.#signal)
    const result: AttemptResult = {
      ...{ outcome: 'unknown', status: null, address: null, answer: null, answerBytes: 0, isCut: false },
      ...{ retryAfter: null, milliseconds: ms, error: said(fault), wasSent: false },
      ...(isOver ? ended : stopped),
    }
    await this.#keep(this.#message, fault, result, result)
    return result
  }

  /** The last webhook before it that was acknowledged: of its own order, else of another one. */
  async #sendEarlier(): Promise<void> {
    const { store, clock, credentials } = this.#options
    const { merchantId, orderId, webhookId } = this.#message.about
    const page = { after: null, limit: 20 }
    const ofOrder =
      orderId === null ? [] : await store.query(deliveriesPage({ merchantId, orderId }, page), {})
    const found = [...ofOrder, ...(await store.query(deliveriesPage({ merchantId }, page), {}))]
    const earlier = found.find(
      (one) => one.webhook_id !== webhookId && one.outcome === 'acknowledged' && (one.body ?? '') !== '',
    )
    const credential = await credentials.webhookCredential(merchantId)
    if (earlier === undefined || credential === null) return
    const { webhook_id: id, sequence, url, body, attempt, order_status: status } = earlier
    if (sequence === null || body === null) return
    const signed = webhookHeaders({ id, sequence, url, body }, attempt, credential, worldNow(clock))
    const headers = { ...signed, 'Webhook-Mode': 'sandbox' }
    const about = { ...this.#message.about, webhookId: id, orderId: earlier.order_id, attempt, status }
    await this.#request({ ...this.#message, url, body, headers, about }, 'out_of_order, the earlier one')
  }

  /** @param real as it was before a fault changed it */
  async #keep(
    { about, url, headers, body }: KnownMessage,
    fault: string | null,
    result: AttemptResult,
    real: AttemptResult,
  ): Promise<void> {
    const { clock, isInbox, onSent } = this.#options
    const now = clock.now()
    const values: SentRequest = {
      id: nextId(now),
      merchant_id: about.merchantId,
      webhook_id: about.webhookId,
      order_id: about.orderId,
      attempt: about.attempt,
      sent_at: now,
      url,
      headers_json: JSON.stringify(headers),
      ping_body: about.orderId === null ? body : null,
      fault,
      was_sent: real.wasSent ? 1 : 0,
      outcome: result.outcome,
      status: real.status,
      error: result.error,
      milliseconds: result.milliseconds,
      verdict: isInbox(url) ? verdictOf(real) : null,
    }
    this.writes.push({ insert: 'sandbox_deliveries', values })
    // What cannot be noted now is seen again another time.
    await onSent?.(about, values).catch(() => {})
  }
}

/** What an inbox has answered. */
function verdictOf({ answer }: AttemptResult): string | null {
  return /^\{"verdict":"([^"\\]{1,200})"/.exec(answer ?? '')?.[1] ?? null
}

const stopped = { outcome: 'unknown', status: null } as const

function said(fault: string): string {
  return `simulated fault: ${fault}`
}

/** `false` where the node stops meanwhile. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<boolean> {
  if (signal?.aborted === true) return Promise.resolve(false)
  return new Promise((resolve) => {
    const end = (isOver: boolean) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
      resolve(isOver)
    }
    const stop = () => end(false)
    const timer = setTimeout(() => end(true), ms)
    signal?.addEventListener('abort', stop, { once: true })
  })
}

/** As a stranger would have it who does not know the secret: of the right form, and wrong. */
function withWrongSignature(headers: Readonly<Record<string, string>>): Record<string, string> {
  const { 'Message-Hash': hash = '', 'Webhook-Signature': standard } = headers
  const wrong = hash.replace(/^./, (first) => (first === '0' ? '1' : '0'))
  const ofStandard = standard?.replace(/(?<=v1,)./g, (first) => (first === 'A' ? 'B' : 'A'))
  return {
    ...headers,
    'Message-Hash': wrong,
    ...(ofStandard === undefined ? {} : { 'Webhook-Signature': ofStandard }),
  }
}
