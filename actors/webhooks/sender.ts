/**
 * One attempt to deliver one webhook: protocol 6.
 *
 * The name is resolved at each attempt, every address is judged, and the connection goes to an address that
 * was judged: whatever DNS says a moment later does not matter. The target is checked before each request,
 * also before one on a connection that was kept open; such a connection is only used for the same address.
 */
import http from 'node:http'
import https from 'node:https'
import { isIP, type Socket } from 'node:net'
import { type AttemptOutcome, judgeStatus } from '../../machines/retry.ts'
import type { OrderStatus } from '../../machines/statuses.ts'
import type { Write } from '../../persistence/store.ts'
import type { ResolveName } from '../outbound/resolver.ts'
import {
  bareHost,
  isExempt,
  judgeAddress,
  judgeUrl,
  parseNotifyUrl,
  type TargetRules,
} from '../outbound/target.ts'
import { type AnswerLimits, readAnswer } from './answer.ts'

export interface SenderLimits extends AnswerLimits {
  dnsMs: number
  /** Connecting and TLS. */
  connectMs: number
  /** All of it, the answer's body included. */
  totalMs: number
}

const usualLimits: SenderLimits = {
  dnsMs: 3000,
  connectMs: 5000,
  totalMs: 15_000,
  readBytes: 16 * 1024,
  keptBytes: 4 * 1024,
}

export interface SenderOptions {
  resolve: ResolveName
  limits?: Partial<SenderLimits>
  /** Certificates to trust instead of the usual ones, as PEM. */
  certificates?: readonly string[]
}

export interface WebhookMessage {
  url: string
  /** Sent as its UTF-8 bytes. */
  body: string
  headers: Readonly<Record<string, string>>
  rules: TargetRules
  /** Of a merchant's webhook, for a sender that keeps what it sends. */
  about?: MessageAbout
}

export interface MessageAbout {
  merchantId: string
  webhookId: string
  /** `null` for a ping. */
  orderId: string | null
  attempt: number
  /** The order's, as the body tells it; `null` for a ping. */
  status: OrderStatus | null
}

export interface AttemptResult {
  outcome: AttemptOutcome
  /** The HTTP status, also of an answer that broke off or did not end in time. */
  status: number | null
  /** Where the last connection went, or was to go. */
  address: string | null
  /** The beginning of the answer's body. */
  answer: string | null
  /** How many bytes of it were read. */
  answerBytes: number
  isCut: boolean
  /** The Retry-After header as it came. */
  retryAfter: string | null
  milliseconds: number
  /** Why there is no answer, for people. */
  error: string | null
  /** False when the receiver cannot have seen anything of it. */
  wasSent: boolean
  /** What its sender wants kept, in the step that ends the attempt. */
  writes?: readonly Write[]
}

/** Of an attempt from which nothing came back. */
export const nothingHeard = {
  outcome: 'unknown',
  status: null,
  address: null,
  answer: null,
  answerBytes: 0,
  isCut: false,
  retryAfter: null,
} as const satisfies Partial<AttemptResult>

export interface WebhookSender {
  /**
   * Never rejects: whatever goes wrong is an outcome. Aborting ends the attempt at once with `unknown`;
   * `wasSent` tells whether the receiver may have seen it.
   */
  send(message: WebhookMessage, signal?: AbortSignal): Promise<AttemptResult>
  /** Closes the connections that are kept open. */
  close(): void
}

/** Why an attempt has no answer. */
class Failure extends Error {
  readonly outcome: AttemptOutcome
  constructor(outcome: AttemptOutcome, message: string) {
    super(message)
    this.outcome = outcome
  }
}

/**
 * Shorter than what any usual receiver keeps its idle connections for: a request on one that the receiver is
 * just closing would fail for nothing.
 */
const idleMs = 1000

/** Addresses of a name that are tried, one after the other, until one connects. */
const maxAddresses = 3

export function createWebhookSender(options: SenderOptions): WebhookSender {
  const limits = { ...usualLimits, ...options.limits }
  const agents = {
    http: new http.Agent({ keepAlive: true, timeout: idleMs }),
    https: new https.Agent({ keepAlive: true, timeout: idleMs }),
  }
  const trusted = options.certificates ? { ca: [...options.certificates] } : {}

  return {
    async send(message, signal) {
      const attempt = new Attempt(message, limits, signal)
      try {
        const url = judgeTarget(message)
        const addresses = await attempt.resolve(url, options.resolve)
        const agent = url.protocol === 'https:' ? agents.https : agents.http
        await attempt.deliver(url, addresses, { agent, ...trusted })
      } catch (error) {
        attempt.fail(error)
      }
      return attempt.finish()
    },
    close() {
      agents.http.destroy()
      agents.https.destroy()
    },
  }
}

function judgeTarget({ url: text, rules }: WebhookMessage): URL {
  const url = parseNotifyUrl(text)
  if (url === null) throw new Failure('forbidden', 'not a URL')
  const problem = judgeUrl(url, rules)
  if (problem !== null) throw new Failure('forbidden', problem)
  return url
}

/** What is known of one attempt while it is under way. */
class Attempt {
  readonly #message: WebhookMessage
  readonly #limits: SenderLimits
  readonly #startedAt = performance.now()
  readonly #total: NodeJS.Timeout
  readonly #signal: AbortSignal | undefined
  /** Why it was stopped, where it was: the first reason is the one that counts. */
  #stopped: Failure | null = null
  /** Ends what is under way at this moment. */
  #interrupt: (failure: Failure) => void = () => {}
  readonly #result: Omit<AttemptResult, 'milliseconds'> = { ...nothingHeard, error: null, wasSent: false }

  constructor(message: WebhookMessage, limits: SenderLimits, signal: AbortSignal | undefined) {
    this.#message = message
    this.#limits = limits
    this.#total = this.#stopAfter(
      limits.totalMs,
      () => new Failure('timeout', `no answer within ${limits.totalMs} ms`),
    )
    this.#signal = signal
    if (signal?.aborted === true) this.#onAbort()
    else signal?.addEventListener('abort', this.#onAbort)
  }

  readonly #onAbort = () => this.#stop(new Failure('unknown', 'the node is stopping'))

  /** The judged addresses of the URL's host. */
  async resolve(url: URL, resolve: ResolveName): Promise<string[]> {
    const host = bareHost(url)
    // A literal address was judged with the URL; no resolver is ever asked for one.
    if (isIP(host) !== 0) return [host]
    const { dnsMs } = this.#limits
    const timer = this.#stopAfter(dnsMs, () => new Failure('dns', `no address within ${dnsMs} ms`))
    const addresses = await this.#orStop(resolve(host))
      .catch((error) => {
        throw error instanceof Failure ? error : new Failure('dns', describe(error))
      })
      .finally(() => clearTimeout(timer))
    if (addresses.length === 0) throw new Failure('dns', 'the name has no address')
    if (!isExempt(url, this.#message.rules)) this.#judge(addresses)
    return addresses.slice(0, maxAddresses)
  }

  /** One address that is not public condemns the name: its owner has no business with us. */
  #judge(addresses: string[]): void {
    const own = this.#message.rules.ownAddresses()
    for (const address of addresses) {
      const range = judgeAddress(address, own)
      if (range === null) continue
      this.#result.address = address
      throw new Failure('forbidden', `the name resolves to an address that is not public (${range})`)
    }
  }

  /** Sends the webhook to the first address that connects, and reads the answer. */
  async deliver(url: URL, addresses: string[], how: https.RequestOptions): Promise<void> {
    const connectBy = performance.now() + this.#limits.connectMs
    for (const [index, address] of addresses.entries()) {
      const left = addresses.length - index
      // An address that does not react leaves the others their share of the time.
      const connectMs = Math.max(0, connectBy - performance.now()) / left
      this.#result.address = address
      try {
        const response = await this.#post(url, address, connectMs, how)
        return await this.#read(response)
      } catch (error) {
        if (this.#result.wasSent || this.#stopped !== null || left === 1) throw error
        if (error instanceof Failure && error.outcome === 'tls') throw error
      }
    }
  }

  #post(
    url: URL,
    address: string,
    connectMs: number,
    how: https.RequestOptions,
  ): Promise<http.IncomingMessage> {
    const host = bareHost(url)
    const isSecure = url.protocol === 'https:'
    const { headers, body } = this.#message
    return new Promise((resolve, reject) => {
      if (this.#stopped !== null) return reject(this.#stopped)
      let failsAs: AttemptOutcome = 'connection'
      const request = (isSecure ? https : http).request({
        ...how,
        method: 'POST',
        host: address,
        port: url.port === '' ? (isSecure ? 443 : 80) : url.port,
        path: url.pathname + url.search,
        // Certificates are for names; of a literal address the certificate's addresses are compared.
        servername: isIP(host) === 0 ? host : '',
        // A list is written as it is; of an object Node would keep each header by itself first.
        headers: [
          ...Object.entries(headers).flat(),
          ...['Host', url.host, 'Accept-Encoding', 'identity'],
          ...['Content-Length', String(Buffer.byteLength(body))],
        ],
      })
      this.#interrupt = (failure) => request.destroy(failure)
      const timer = setTimeout(
        () => request.destroy(new Failure('timeout', `no connection within ${Math.round(connectMs)} ms`)),
        connectMs,
      )
      const connected = () => {
        clearTimeout(timer)
        failsAs = 'connection'
        this.#result.wasSent = true
      }
      request.on('socket', (socket: Socket) => {
        if (request.reusedSocket) return connected()
        socket.once('connect', () => {
          if (isSecure) failsAs = 'tls'
          else connected()
        })
        if (isSecure) socket.once('secureConnect', connected)
      })
      let isAnswered = false
      const answered = (response: http.IncomingMessage) => {
        isAnswered = true
        resolve(response)
      }
      request.on('response', answered)
      // 101 is an answer like any other that is not 200 or 201.
      request.on('upgrade', (response, socket) => {
        socket.destroy()
        answered(response)
      })
      request.on('error', (error) =>
        reject(error instanceof Failure ? error : new Failure(failsAs, describe(error))),
      )
      request.on('close', () => {
        clearTimeout(timer)
        if (!isAnswered) reject(new Failure(failsAs, 'the connection was closed without an answer'))
      })
      // One text with its head, so one write.
      request.end(body, 'utf8')
    })
  }

  async #read(response: http.IncomingMessage): Promise<void> {
    const status = response.statusCode ?? 0
    this.#result.status = status
    this.#result.retryAfter = response.headers['retry-after'] ?? null
    const answer = await this.#orStop(readAnswer(response, this.#limits)).catch((error) => {
      response.destroy()
      throw error instanceof Failure
        ? error
        : new Failure('connection', `the answer broke off: ${describe(error)}`)
    })
    this.#result.answer = answer.text
    this.#result.answerBytes = answer.bytes
    this.#result.isCut = answer.isCut
    this.#result.outcome = judgeStatus(status)
  }

  fail(error: unknown): void {
    const reason: unknown = this.#stopped ?? error
    this.#result.outcome = reason instanceof Failure ? reason.outcome : 'connection'
    this.#result.error = describe(reason)
  }

  finish(): AttemptResult {
    clearTimeout(this.#total)
    this.#signal?.removeEventListener('abort', this.#onAbort)
    return { ...this.#result, milliseconds: Math.round(performance.now() - this.#startedAt) }
  }

  /** The failure is made when it happens: most attempts would make three for nothing. */
  #stopAfter(ms: number, failure: () => Failure): NodeJS.Timeout {
    return setTimeout(() => this.#stop(failure()), ms)
  }

  #stop(failure: Failure): void {
    if (this.#stopped !== null) return
    this.#stopped = failure
    this.#interrupt(failure)
  }

  #orStop<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      work.then(resolve, reject)
      if (this.#stopped !== null) reject(this.#stopped)
      else this.#interrupt = reject
    })
  }
}

/** One line of an error's text, without anything that a receiver could smuggle into a log. */
function describe(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error
  const text = first instanceof Error ? first.message || first.name : String(first)
  return text.replace(/\p{Cc}+/gu, ' ').slice(0, 200)
}
