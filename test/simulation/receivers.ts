/** The merchants' receivers: what each makes of a webhook is the seed's to say. They verify what they are sent by themselves. */
import type { AttemptResult, WebhookMessage, WebhookSender } from '../../actors/webhooks/sender.ts'
import type { Random } from '../durability/random.ts'
import type { Truth } from './model/truth.ts'
import { signature } from './requests.ts'
import { merchants } from './terms.ts'

type Fate = 'acknowledged' | 'failed' | 'refused' | 'lost' | 'unreachable' | 'slow'

const weights: readonly (readonly [Fate, number])[] = [
  ['acknowledged', 50],
  ['failed', 12],
  ['refused', 2],
  ['lost', 8],
  ['unreachable', 10],
  ['slow', 18],
]

/** As the real sender has it. */
const timeoutMs = 15_000

interface Waiting {
  order: string
  finish(): void
}

export class Receivers {
  isWell = false
  /** While it is set nothing leaves the node: it is about to be gone. */
  isSilent = false
  received = 0
  readonly #random: Random
  readonly #truth: () => Truth
  readonly #problem: (text: string) => void
  #waiting: Waiting[] = []

  constructor(random: Random, truth: () => Truth, problem: (text: string) => void) {
    this.#problem = problem
    this.#random = random
    this.#truth = truth
  }

  get sender(): WebhookSender {
    return { send: (message, signal) => this.#send(message, signal), close() {} }
  }

  /** Of those that take their time one answers. */
  answerOne(): boolean {
    const [one] = this.#waiting.splice(this.#random.below(Math.max(1, this.#waiting.length)), 1)
    one?.finish()
    return one !== undefined
  }

  /** The node is gone: whoever is still to answer has nobody to answer to. */
  cut(): void {
    this.#waiting = []
    this.isSilent = false
  }

  #send(message: WebhookMessage, signal?: AbortSignal): Promise<AttemptResult> {
    if (this.isSilent) return new Promise(() => {})
    const fate = this.isWell ? 'acknowledged' : this.#fate()
    const { id: order } = JSON.parse(message.body)
    if (this.#waiting.some((one) => one.order === order))
      this.#problem(`a receiver is sent two messages of order ${order} at once`)
    if (fate === 'unreachable')
      return Promise.resolve(result({ outcome: 'connection', error: 'refused', wasSent: false }))
    this.#hear(message, fate === 'acknowledged' || fate === 'slow')
    if (fate === 'failed') return Promise.resolve(answered(500, 'unavailable'))
    if (fate === 'refused') return Promise.resolve(answered(410, 'refused'))
    if (fate === 'lost')
      return Promise.resolve(result({ outcome: 'connection', error: 'cut', wasSent: true }))
    if (fate === 'acknowledged') return Promise.resolve(answered(200, 'acknowledged'))
    return new Promise((resolve) => {
      const waiting = { order, finish: () => resolve(answered(201, 'acknowledged')) }
      this.#waiting.push(waiting)
      setTimeout(() => {
        this.#waiting = this.#waiting.filter((one) => one !== waiting)
        resolve(result({ outcome: 'timeout', error: 'no answer', wasSent: true }))
      }, timeoutMs)
      signal?.addEventListener('abort', () =>
        resolve(result({ outcome: 'unknown', error: 'stopping', wasSent: true })),
      )
    })
  }

  #fate(): Fate {
    let left = this.#random.below(100)
    for (const [fate, weight] of weights) {
      left -= weight
      if (left < 0) return fate
    }
    return 'acknowledged'
  }

  #hear({ url, body, headers }: WebhookMessage, wasAcknowledged: boolean): void {
    const key = merchants.find((one) => one.key.name === headers['Merchant-Key'])?.key
    const date = headers['Message-Date'] ?? ''
    const expected = key && signature(key, { date, method: 'POST', path: new URL(url).pathname, body })
    const { id, status, paid } = JSON.parse(body)
    this.received += 1
    this.#truth().hears({
      order: id,
      status,
      paid,
      isSignedRightly: headers['Message-Hash'] === expected,
      wasAcknowledged,
    })
  }
}

function result(parts: Pick<AttemptResult, 'outcome' | 'error' | 'wasSent'>): AttemptResult {
  return {
    status: null,
    address: '203.0.113.7',
    answer: null,
    answerBytes: 0,
    isCut: false,
    retryAfter: null,
    milliseconds: 20,
    ...parts,
  }
}

function answered(status: number, outcome: AttemptResult['outcome']): AttemptResult {
  return { ...result({ outcome, error: null, wasSent: true }), status, answer: '' }
}
