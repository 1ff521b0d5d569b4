/** Between callers and the node: requests that get lost, answers that get lost, and bytes that arrive twice. */
import type { Random } from '../durability/random.ts'
import type { Host } from './host.ts'
import { type Answer, deliver, type Message } from './requests.ts'

/** `null`: whether it was done is not known. */
export type OnAnswer = (answer: Answer | null) => void

export interface Faults {
  lostRequest: number
  lostAnswer: number
  duplicate: number
}

export class Network {
  faults: Faults
  readonly #host: Host
  readonly #random: Random
  readonly #problem: (text: string) => void
  readonly #underWay = new Set<OnAnswer>()
  /** Bytes that will arrive once more. */
  readonly #copies: Message[] = []
  answered = 0
  /** While it is set nothing leaves the node: it is about to be gone. */
  isSilent = false

  constructor(host: Host, random: Random, faults: Faults, problem: (text: string) => void) {
    this.#host = host
    this.#random = random
    this.faults = faults
    this.#problem = problem
  }

  send(message: Message, onAnswer: OnAnswer): void {
    const { process } = this.#host
    const random = this.#random
    if (process === null || random.chance(this.faults.lostRequest)) {
      onAnswer(null)
      return
    }
    if (random.chance(this.faults.duplicate)) this.#copies.push(message)
    const isAnswerLost = random.chance(this.faults.lostAnswer)
    this.#underWay.add(onAnswer)
    void deliver(process.handle, message).then((answer) => {
      if (this.isSilent || !this.#underWay.delete(onAnswer)) return
      this.#judge(message, answer)
      onAnswer(isAnswerLost || answer.status >= 500 || answer.status === 429 ? null : answer)
    })
  }

  /** One of the copies arrives; whatever it is answered, nobody listens. */
  deliverCopy(): boolean {
    const { process } = this.#host
    if (process === null || this.#copies.length === 0) return false
    const [message] = this.#copies.splice(this.#random.below(this.#copies.length), 1)
    if (message === undefined) return false
    void deliver(process.handle, message).then((answer) => {
      // What a node says that is gone was never said.
      if (this.#host.process === process) this.#judge(message, answer)
    })
    return true
  }

  /** The node is gone: nobody who waits will be answered. */
  cut(): void {
    const waiting = [...this.#underWay]
    this.#underWay.clear()
    this.isSilent = false
    for (const onAnswer of waiting) onAnswer(null)
  }

  #judge({ method, path }: Message, { status, text }: Answer): void {
    this.answered += 1
    const isUnavailable = status === 503
    if (status >= 500 && !isUnavailable && status !== 424)
      this.#problem(`${method} ${path} was answered ${status} ${text}`)
  }
}
