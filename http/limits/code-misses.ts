/**
 * How many codes a provider may ask for in vain: a code is as good as money, and whoever could try them all
 * would find some (protocol 8.3).
 *
 * A look at a code is paid for before it is made. What it costs is taken out of the budgets in the database, where
 * every node and every later start sees it; a code that is found gives the payment back to this node, which makes the
 * next look with it. So a miss is counted before anybody hears of it, however many ask at once and wherever, and what is
 * found costs the database one step a minute.
 */

import type { BudgetWant, CodeBudgets, Granted, Usage } from '../../actors/parties/code-budgets.ts'
import type { Instant } from '../../machines/time.ts'

export interface CodeMisses {
  /**
   * Pays for one look; resolves with the usage that is over where nothing is left. Waits while looks of this provider
   * that are under way may yet give theirs back.
   */
  pay(providerId: string): Promise<Look | Exhausted>
}

export type Exhausted = Usage & { isOver: true }

/** A look that is paid for. To be ended exactly once. */
export interface Look {
  isOver: false
  /** There is such an order: nothing was missed. */
  found(orderId: string): void
  missed(): void
}

/**
 * How many looks of a provider this node makes at once. What it holds and does not use is missing to other nodes, so it is
 * little; a look takes a fraction of a millisecond.
 */
const maxHeld = 3
const hourMs = 3_600_000
/** Bounds the memory of a provider's hour; what is found beyond it earns nothing. */
const maxHitsPerHour = 5_000

export function createCodeMisses(budgets: CodeBudgets, clock: { now(): Instant }): CodeMisses {
  // As many as the operator has registered: only who has signed gets here.
  const providers = new Map<string, ProviderLooks>()
  return {
    pay(providerId) {
      const known = providers.get(providerId)
      const looks = known ?? new ProviderLooks((want) => budgets.take(providerId, want), clock)
      if (known === undefined) providers.set(providerId, looks)
      return looks.pay()
    },
  }
}

/** What this node holds of one provider's budgets. */
class ProviderLooks {
  readonly #takeFromBudgets: (want: BudgetWant) => Promise<Granted>
  readonly #clock: { now(): Instant }
  /** Held of the present minute, and not in use. */
  #free = 0
  #inUse = 0
  #minute: Instant = 0
  /** On this node's clock, between which the minute lies. */
  #from: Instant = 0
  #until: Instant = 0
  /** Held of minutes that are over: given back to the day with the next payment. */
  #owed = 0
  /** Orders found in the present hour, and those of them that no payment has told yet. */
  #hour = 0
  #found = new Set<string>()
  #untold = 0
  /** While it is not `null` nothing is left until then. */
  #over: { usage: Usage; until: Instant; at: Instant } | null = null
  #taking: Promise<void> | null = null
  #waiting = 0
  #changed: (() => void)[] = []

  constructor(take: (want: BudgetWant) => Promise<Granted>, clock: { now(): Instant }) {
    this.#takeFromBudgets = take
    this.#clock = clock
  }

  async pay(): Promise<Look | Exhausted> {
    this.#waiting++
    try {
      return await this.#nextLook()
    } finally {
      this.#waiting--
    }
  }

  async #nextLook(): Promise<Look | Exhausted> {
    for (;;) {
      const now = this.#clock.now()
      this.#endMinute(now)
      if (this.#free > 0) {
        this.#free--
        return this.#begin()
      }
      const over = this.#over
      const isOver = over !== null && now >= over.at && now < over.until
      if (isOver && this.#inUse === 0) return { ...over.usage, isOver: true, resetMs: over.until - now }
      if (isOver || this.#inUse >= maxHeld) {
        await new Promise<void>((resolve) => this.#changed.push(resolve))
        continue
      }
      this.#taking ??= this.#take().finally(() => {
        this.#taking = null
      })
      await this.#taking
    }
  }

  #endMinute(now: Instant): void {
    if (now >= this.#from && now < this.#until) return
    this.#owed += this.#free
    this.#free = 0
  }

  #begin(): Look {
    const minute = this.#minute
    this.#inUse++
    const end = () => {
      this.#inUse--
      // All that wait look again, each for itself.
      for (const wake of this.#changed.splice(0)) wake()
    }
    return {
      isOver: false,
      found: (orderId) => {
        this.#count(orderId)
        if (this.#minute === minute) this.#free++
        else this.#owed++
        end()
      },
      missed: end,
    }
  }

  #count(orderId: string): void {
    const hour = Math.floor(this.#clock.now() / hourMs)
    if (this.#hour !== hour) {
      this.#hour = hour
      this.#found = new Set()
    }
    if (this.#found.has(orderId) || this.#found.size >= maxHitsPerHour) return
    this.#found.add(orderId)
    this.#untold++
  }

  async #take(): Promise<void> {
    const untold = this.#untold
    const want: BudgetWant = {
      looks: Math.max(Math.min(this.#waiting, maxHeld - this.#inUse - this.#free), 1),
      giveBack: this.#owed,
      hits: untold,
    }
    this.#owed = 0
    this.#untold = 0
    let granted: Granted
    try {
      granted = await this.#takeFromBudgets(want)
    } catch (error) {
      // Nothing was taken or given back, as far as anybody knows: what is lost is never in the provider's favour.
      this.#untold += untold
      throw error
    }
    const { minute, minuteLeftMs, looks, usage } = granted
    const at = this.#clock.now()
    if (minute !== this.#minute) {
      this.#owed += this.#free
      this.#free = 0
    }
    this.#minute = minute
    this.#from = at
    this.#until = at + minuteLeftMs
    this.#free += looks
    this.#over = looks > 0 ? null : { usage, until: at + usage.resetMs, at }
  }
}
