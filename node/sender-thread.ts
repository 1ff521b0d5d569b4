/**
 * Sends webhooks from a thread of its own: names, TLS, HTTP and whatever a receiver answers cost the thread that serves orders a
 * message each way, many webhooks in one.
 */
import type { Worker } from 'node:worker_threads'
import { parseNotifyUrl, type TargetRules } from '../actors/outbound/target.ts'
import {
  type AttemptResult,
  nothingHeard,
  type WebhookMessage,
  type WebhookSender,
} from '../actors/webhooks/sender.ts'
import { startThread } from './packed.ts'

export interface SenderTask {
  /** How long an attempt may take in all. */
  totalMs: number
}

/** A message as data: what its rules say of this very URL is asked before. */
export interface PlainMessage extends Pick<WebhookMessage, 'url' | 'body' | 'headers'> {
  rules: Omit<TargetRules, 'isInbox' | 'ownAddresses'>
  isInbox: boolean
}

/** Each is answered under its number. */
export type ToSender =
  | { kind: 'send'; messages: readonly (readonly [number: number, message: PlainMessage])[] }
  | { kind: 'abort'; number: number }
  | { kind: 'close' }

export type FromSender = readonly (readonly [number: number, result: AttemptResult])[]

/** Nothing was to be sent for so long: its memory is worth more than what the next start takes. */
const idleMs = 60_000
/** So long beyond the time that any attempt may take. */
const hungMs = 30_000
const lookEveryMs = 5_000

/**
 * What a thread's silence means.
 * @param waiting attempts under way
 * @param silentMs since it told something, or since it had nothing under way
 */
export function judgeSilence(
  { waiting, silentMs }: { waiting: number; silentMs: number },
  { totalMs }: SenderTask,
): 'well' | 'idle' | 'hung' {
  if (waiting === 0) return silentMs >= idleMs ? 'idle' : 'well'
  return silentMs >= totalMs + hungMs ? 'hung' : 'well'
}

/** Under way at once, where no thread is running: from so many on it is worth its start. */
const fewAtOnce = 8

/**
 * Few at once are sent by `plain`: nobody waits until a thread has started, and it has no memory. More are sent by the thread, and with
 * it all that follow, until it has ended; how is all the same.
 * @param onFailure told of an error that has ended the thread
 */
export function createThreadedSender(
  task: SenderTask,
  plain: WebhookSender,
  onFailure: (error: Error) => void,
): WebhookSender {
  let life: SenderLife | null = null
  let fewUnderWay = 0
  const end = () => {
    life?.close()
    life = null
  }
  return {
    async send(message, signal) {
      if (life?.hasEnded) life = null
      if (life === null && fewUnderWay >= fewAtOnce) life = new SenderLife(task, { onFailure, onIdle: end })
      if (life !== null) return life.send(message, signal)
      fewUnderWay++
      try {
        return await plain.send(message, signal)
      } finally {
        fewUnderWay--
      }
    },
    close() {
      plain.close()
      end()
    },
  }
}

/** One thread, from its start to its end. */
class SenderLife {
  readonly #worker: Worker
  readonly #watch: NodeJS.Timeout
  readonly #waiting = new Map<number, (result: AttemptResult) => void>()
  #asked: [number: number, message: PlainMessage][] = []
  #last = 0
  #heardAt = performance.now()
  hasEnded = false

  /** @param on.onIdle called when nothing was to be sent for long */
  constructor(task: SenderTask, on: { onFailure: (error: Error) => void; onIdle: () => void }) {
    this.#worker = startThread('sender-worker', task)
    this.#worker.on('message', (results: FromSender) => this.#settle(results))
    this.#worker.on('error', (error) =>
      on.onFailure(error instanceof Error ? error : new Error(String(error))),
    )
    this.#worker.on('exit', () => this.#lose())
    this.#watch = setInterval(() => {
      const silentMs = performance.now() - this.#heardAt
      const judged = judgeSilence({ waiting: this.#waiting.size, silentMs }, task)
      if (judged === 'idle') on.onIdle()
      // Its end tells of all that it has under way.
      else if (judged === 'hung') void this.#worker.terminate()
    }, lookEveryMs)
    this.#watch.unref()
  }

  async send(message: WebhookMessage, signal?: AbortSignal): Promise<AttemptResult> {
    if (signal?.aborted === true) return unsentResult
    const number = ++this.#last
    const ended = Promise.withResolvers<AttemptResult>()
    // Once all that was claimed together is here.
    if (this.#asked.length === 0) process.nextTick(() => this.#flush())
    this.#asked.push([number, plainMessage(message)])
    if (this.#waiting.size === 0) {
      this.#heardAt = performance.now()
      this.#worker.ref()
    }
    this.#waiting.set(number, ended.resolve)
    // Behind the message itself.
    const abort = () => process.nextTick(() => this.#post({ kind: 'abort', number }))
    signal?.addEventListener('abort', abort)
    try {
      return await ended.promise
    } finally {
      signal?.removeEventListener('abort', abort)
    }
  }

  close(): void {
    clearInterval(this.#watch)
    this.#post({ kind: 'close' })
  }

  #flush(): void {
    const messages = this.#asked
    this.#asked = []
    this.#post({ kind: 'send', messages })
  }

  #post(message: ToSender): void {
    this.#worker.postMessage(message)
  }

  #settle(results: FromSender): void {
    this.#heardAt = performance.now()
    for (const [number, result] of results) {
      this.#waiting.get(number)?.(result)
      this.#waiting.delete(number)
    }
    // While it has nothing to do it keeps no process alive.
    if (this.#waiting.size === 0) this.#worker.unref()
  }

  #lose(): void {
    this.hasEnded = true
    clearInterval(this.#watch)
    for (const resolve of this.#waiting.values()) resolve(lostResult)
    this.#waiting.clear()
  }
}

function plainMessage({ url, body, headers, rules }: WebhookMessage): PlainMessage {
  const { isInbox, ownAddresses: _, ...plain } = rules
  const asked = isInbox === undefined ? null : parseNotifyUrl(url)
  return { url, body, headers, rules: plain, isInbox: asked !== null && isInbox?.(asked.href) === true }
}

const unsentResult: AttemptResult = {
  ...nothingHeard,
  milliseconds: 0,
  error: 'the node is stopping',
  wasSent: false,
}

/** Nobody knows what a receiver has seen of it. */
const lostResult: AttemptResult = {
  ...unsentResult,
  error: 'the thread that sent it has ended',
  wasSent: true,
}
