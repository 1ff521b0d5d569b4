/** Follows the journal and the workers, and tells the listeners what has become of them. */
import type { WebSocket } from 'ws'
import type { JournalDocument } from '../../actors/inspection/operations.ts'
import type { Replay, ReplayStep } from '../../actors/inspection/replay.ts'
import type { WorkerState } from '../../actors/inspection/workers.ts'
import { type Listeners, tellOne } from './listeners.ts'
import {
  actorMessage,
  type InspectMessage,
  snapshotOf,
  stepMessages,
  workerMessage,
  workerSnapshot,
} from './messages.ts'

export interface Followed {
  /** The newest entries first without a position, else those behind it. */
  journal(after?: number): Promise<JournalDocument[]>
  replay(orderId: string): Promise<Replay>
  workers(): WorkerState[]
  /** Definitions by chart, as receivers draw them. */
  definitions: ReadonlyMap<string, unknown>
  /** Calls back after commits that may have added to the journal. */
  subscribe(listener: () => void): () => void
  onError(error: unknown): void
  /** How often each listener is asked whether it is there still; 30 s unless said. */
  pingEveryMs?: number
}

const lookEveryMs = 500
const standardPingMs = 30_000

/** From its making until it is stopped, once for all who listen. */
export class Following {
  /** What is in the journal before is not told. */
  readonly begun: Promise<void>
  readonly #followed: Followed
  readonly #listeners: Listeners
  readonly #toldOfWorkers = new Map<string, string>()
  readonly #toldOrders = new Set<string>()
  #position = 0
  #isLooking = false
  #isBehind = false
  #isStopped = false
  #release = () => {}

  constructor(followed: Followed, listeners: Listeners) {
    this.#followed = followed
    this.#listeners = listeners
    this.begun = this.#begin()
  }

  async #begin(): Promise<void> {
    const { journal, subscribe, pingEveryMs = standardPingMs } = this.#followed
    this.#position = (await journal())[0]?.position ?? 0
    if (this.#isStopped) return
    const look = () => void this.#look()
    const unsubscribe = subscribe(look)
    const looking = setInterval(look, lookEveryMs)
    const pinging = setInterval(() => this.#listeners.ping(), pingEveryMs)
    this.#release = () => {
      unsubscribe()
      clearInterval(looking)
      clearInterval(pinging)
    }
  }

  stop(): void {
    this.#isStopped = true
    this.#release()
  }

  /** Tells what is new. While it does so already, it looks once more at its end. */
  async #look(): Promise<void> {
    if (this.#isLooking) {
      this.#isBehind = true
      return
    }
    this.#isLooking = true
    try {
      do {
        this.#isBehind = false
        await this.#listeners.judge()
        this.#tellWorkers()
        for (const entry of await this.#followed.journal(this.#position)) {
          await this.#tellEntry(entry)
          this.#position = entry.position
        }
      } while (this.#isBehind)
    } catch (error) {
      this.#followed.onError(error)
    } finally {
      this.#isLooking = false
    }
  }

  /** A new listener learns of the workers, and of the orders that others have heard of already. */
  async welcome(listener: WebSocket): Promise<void> {
    const { workers, definitions, replay } = this.#followed
    for (const worker of workers()) {
      const placed = { sessionId: `worker:${worker.name}`, at: 0 }
      const snapshot = workerSnapshot(worker)
      tellOne(listener, actorMessage(placed, worker.name, definitions.get('worker'), snapshot))
    }
    for (const order of this.#toldOrders) {
      const { chart, steps } = await replay(order)
      const last = steps.at(-1)
      if (last === undefined) continue
      await this.#listeners.judge()
      tellOne(listener, this.#orderMessage(order, chart, last))
    }
  }

  async #tellEntry({ order, sequence }: JournalDocument): Promise<void> {
    const { chart, steps } = await this.#followed.replay(order)
    const step = steps.find((one) => one.sequence === sequence)
    if (step === undefined) return
    await this.#listeners.judge()
    if (!this.#toldOrders.has(order)) {
      this.#toldOrders.add(order)
      this.#listeners.tell(this.#orderMessage(order, chart, step))
    }
    for (const message of stepMessages(order, step)) this.#listeners.tell(message)
  }

  #tellWorkers(): void {
    for (const worker of this.#followed.workers()) {
      const text = JSON.stringify(worker)
      if (this.#toldOfWorkers.get(worker.name) === text) continue
      this.#toldOfWorkers.set(worker.name, text)
      this.#listeners.tell(workerMessage(worker, 0))
    }
  }

  #orderMessage(order: string, chart: string, step: ReplayStep): InspectMessage {
    const placed = { sessionId: order, at: Date.parse(step.at) }
    const definition = this.#followed.definitions.get(chart)
    return actorMessage(placed, `${chart} ${order.slice(-8)}`, definition, snapshotOf(step))
  }
}
