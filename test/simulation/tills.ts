/**
 * The counters: each till plays one order at a time, as the contract tells it to. It hands out or takes cash only once it was
 * answered that it holds the order, repeats the bytes that were not answered, and asks to let go where it is not sure.
 */
import type { Random } from '../durability/random.ts'
import type { OrderInput } from './linearizability/order.ts'
import type { Direction, Truth } from './model/truth.ts'
import type { Network } from './network.ts'
import { type Answer, type Message, signed } from './requests.ts'
import type { tills } from './terms.ts'
import type { Witness } from './witness.ts'

export type Provider = (typeof tills)[number]

export interface Offered {
  id: string
  code: string
  direction: Direction
  price: string
  /** The provider that holds it, or held it. */
  holder?: string
}

type Step = 'looking' | 'starting' | 'holding' | 'confirming' | 'cancelling'

interface Session {
  order: Offered
  step: Step
  message: Message | null
  /** What was said last: the same again is a repetition. */
  said: Message | null
  signedAt: number
  isWaiting: boolean
  /** The message was said while the node's clock was wrong: it may be refused for that for ever (protocol 5.6). */
  isDoubtful: boolean
}

/** What is older is signed anew: the node would not take it. */
const repeatableMs = 250_000

export interface TillOptions {
  provider: Provider
  random: Random
  truth: Truth
  network: Pick<Network, 'send'>
  now: () => number
  /** The time for a message: no two are the same. */
  stamp: () => number
  problem: (text: string) => void
  witness: Witness
  /** Whether the node's clock is right, so that a refusal says something of the order. */
  isClockRight: () => boolean
  note: (text: string) => void
}

export class Till {
  readonly provider: Provider
  readonly #options: TillOptions
  #session: Session | null = null
  /** While it is set nobody comes to the counter, and what was begun is ended. */
  isClosing = false

  constructor(options: TillOptions) {
    this.provider = options.provider
    this.#options = options
  }

  get isIdle(): boolean {
    return this.#session === null
  }

  /** What it has in hand. */
  get orderId(): string | null {
    return this.#session?.order.id ?? null
  }

  take(order: Offered): void {
    this.#session = {
      order,
      step: 'looking',
      message: null,
      said: null,
      signedAt: 0,
      isWaiting: false,
      isDoubtful: false,
    }
  }

  /** Somebody confirms, or lets go of, an order that this provider does not hold. */
  meddle(order: Offered, does: 'confirm' | 'cancel'): void {
    const { witness, network, isClockRight, stamp, now, note } = this.#options
    const document = { network_id: this.provider.network, price: order.price, price_currency: 'MXN' }
    const path = pathOf(order, `${does}-payment/`)
    const message = signed(this.provider.key, { method: 'POST', path, at: stamp(), document })
    const name = message.headers['Message-Hash'] ?? ''
    const beganAt = now()
    // The clock may be set right before it is answered.
    const wasClockRight = isClockRight()
    witness.begins(order, name, { does, provider: this.provider.name })
    network.send(message, (answer) => {
      note(`${this.provider.network} meddles to ${does} ${order.id}: ${answer?.status ?? 'no answer'}`)
      if (answer === null) return
      const isInTime = wasClockRight && isClockRight() && now() - beganAt < repeatableMs
      this.#witness(order, name, does === 'confirm' ? 'confirming' : 'cancelling', answer, isInTime)
    })
  }

  act(): void {
    const session = this.#session
    if (session === null || session.isWaiting) return
    if (session.step === 'looking') this.#look(session)
    else if (session.step === 'starting') this.#start(session)
    else if (session.step === 'holding') this.#decide(session)
    else if (session.step === 'confirming') this.#confirm(session)
    else this.#cancel(session)
  }

  #look(session: Session): void {
    const { order } = session
    this.#say(
      session,
      signed(this.provider.key, { method: 'GET', path: pathOf(order, ''), at: this.#options.stamp() }),
      (answer) => {
        if (answer?.status !== 200 || JSON.parse(answer.text).status !== 'READY' || this.isClosing)
          return this.#leave()
        this.#next(session, 'starting')
      },
    )
  }

  #start(session: Session): void {
    const { now, truth, note } = this.#options
    const { order } = session
    // It cannot know whether it holds the order, so it hands out nothing and lets go.
    if (session.message !== null && now() - session.signedAt > repeatableMs) {
      this.#next(session, 'cancelling')
      return
    }
    this.#say(session, this.#message(session, 'start'), (answer) => {
      if (answer === null) return
      if (answer.status !== 200) return this.#leave()
      note(`${this.provider.network} holds ${order.id}`)
      truth.holds(order.id, this.provider.name)
      this.#next(session, 'holding')
    })
  }

  #decide(session: Session): void {
    const { random, truth, now, note } = this.#options
    const { id } = session.order
    // Somebody counts slowly, and perhaps too slowly.
    if (!this.isClosing && random.chance(0.35)) return
    if (random.chance(0.1)) {
      this.#startAgain(session)
      return
    }
    if (random.chance(0.25) || this.isClosing) {
      truth.letsGo(id, this.provider.name)
      this.#next(session, 'cancelling')
      return
    }
    note(`${this.provider.network} handles the cash of ${id}`)
    truth.cash(id, { provider: this.provider.name, at: now() })
    this.#next(session, 'confirming')
  }

  /** Somebody presses the button once more: as a message of its own it is refused, and the order stays held. */
  #startAgain(session: Session): void {
    const message = this.#message({ ...session, message: null }, 'start')
    this.#say({ ...session, step: 'starting' }, message, (answer) => {
      session.isWaiting = false
      if (answer?.status === 200) this.#options.problem(`a second start of ${session.order.id} was accepted`)
    })
  }

  #confirm(session: Session): void {
    const { random, now, truth } = this.#options
    const { id } = session.order
    const isOld = now() - session.signedAt > repeatableMs
    if (isOld || random.chance(0.3)) session.message = null
    const message = this.#message(session, 'confirm')
    const isRepeated = message === session.said
    this.#say(session, message, (answer) => {
      if (answer === null) return
      if (answer.status === 200) {
        truth.confirmed(id, this.provider.name)
        return this.#leave()
      }
      if (answer.status === 422) {
        truth.late(id)
        return this.#leave()
      }
      session.message = null
      // By a wrong clock of the node no message is of this time, and what was judged before is to be signed again once the
      // order has changed (protocol 5.6). Everything else it may not say to who has the cash.
      if (answer.status !== 403 && !(isRepeated && isToSignAgain(answer)))
        this.#options.problem(`a confirm of ${id} was answered ${answer.status} ${answer.text}`)
      else this.#options.note(`${this.provider.network} could not confirm ${id}`)
    })
  }

  #cancel(session: Session): void {
    const { now, truth } = this.#options
    truth.letsGo(session.order.id, this.provider.name)
    if (now() - session.signedAt > repeatableMs) session.message = null
    this.#say(session, this.#message(session, 'cancel'), (answer) => {
      if (answer !== null) this.#leave()
    })
  }

  #message(session: Session, action: 'start' | 'confirm' | 'cancel'): Message {
    const { now } = this.#options
    const { order } = session
    if (session.message !== null) return session.message
    const document = { network_id: this.provider.network, price: order.price, price_currency: 'MXN' }
    session.signedAt = now()
    session.isDoubtful = false
    session.message = signed(this.provider.key, {
      method: 'POST',
      path: pathOf(order, `${action}-payment/`),
      at: this.#options.stamp(),
      document,
    })
    return session.message
  }

  #say(session: Session, message: Message, onAnswer: (answer: Answer | null) => void): void {
    const { witness, isClockRight } = this.#options
    const { order, step } = session
    const name = message.headers['Message-Hash'] ?? ''
    witness.begins(order, name, this.#inputOf(step))
    session.isWaiting = true
    session.said = message
    if (!isClockRight()) session.isDoubtful = true
    const beganAt = step === 'looking' ? this.#options.now() : session.signedAt
    this.#options.network.send(message, (answer) => {
      session.isWaiting = false
      const isInTime = isClockRight() && !session.isDoubtful && this.#options.now() - beganAt < repeatableMs
      if (answer !== null) this.#witness(order, name, step, answer, isInTime)
      this.#options.note(
        `${this.provider.network} ${session.step} ${session.order.id}: ${answer?.status ?? 'no answer'}`,
      )
      onAnswer(answer)
    })
  }

  #inputOf(step: Step): OrderInput {
    const { name: provider } = this.provider
    if (step === 'looking') return { does: 'look' }
    if (step === 'starting') return { does: 'start', provider }
    return { does: step === 'cancelling' ? 'cancel' : 'confirm', provider }
  }

  #witness(order: Offered, name: string, step: Step, { status, text }: Answer, isInTime: boolean): void {
    const { witness } = this.#options
    if (status === 200) witness.ends(order, name, step === 'looking' ? JSON.parse(text).status : 200)
    // A look that is refused, and a start that is vetoed, say nothing of the order, and did nothing to it.
    else if (step === 'looking' || (step === 'starting' && status === 422)) witness.withdraws(order, name)
    // Of a message that was judged before, and of one that comes at a wrong time, it is not known what was done.
    else if (isInTime && !isToSignAgain({ status, text })) witness.ends(order, name, status)
  }

  #next(session: Session, step: Step): void {
    session.step = step
    session.message = null
  }

  #leave(): void {
    this.#session = null
  }
}

function isToSignAgain({ status, text }: Answer): boolean {
  return status === 409 && text.includes('Sign it again')
}

function pathOf({ code, direction }: Offered, action: string): string {
  return `/api/v1/providers/orders/${direction === 'PAY_OUT' ? 'pay-out' : 'pay-in'}/${code}/${action}`
}
