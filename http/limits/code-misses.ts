/**
 * How many codes a provider may ask for in vain: a code is as good as money, and whoever could try them all
 * would find some. Protocol 3, Codes.
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

interface Account {
  /** What is held of the present minute, and not in use. */
  free: number
  inUse: number
  minute: Instant
  /** On this node's clock, between which the minute lies. */
  from: Instant
  until: Instant
  /** Held of minutes that are over: given back to the day with the next payment. */
  owed: number
  /** Orders found in the present hour, and those of them that no payment has told yet. */
  hour: number
  found: Set<string>
  untold: number
  /** While it is not `null` nothing is left until then. */
  over: { usage: Usage; until: Instant; at: Instant } | null
  taking: Promise<void> | null
  waiting: number
  changed: (() => void)[]
}

export function createCodeMisses(budgets: CodeBudgets, clock: { now(): Instant }): CodeMisses {
  // As many as the operator has registered: only who has signed gets here.
  const accounts = new Map<string, Account>()

  function accountOf(providerId: string): Account {
    const known = accounts.get(providerId)
    if (known !== undefined) return known
    const made: Account = {
      free: 0,
      inUse: 0,
      minute: 0,
      from: 0,
      until: 0,
      owed: 0,
      hour: 0,
      found: new Set(),
      untold: 0,
      over: null,
      taking: null,
      waiting: 0,
      changed: [],
    }
    accounts.set(providerId, made)
    return made
  }

  async function take(providerId: string, account: Account): Promise<void> {
    const { owed, untold } = account
    const want: BudgetWant = {
      looks: Math.max(Math.min(account.waiting, maxHeld - account.inUse - account.free), 1),
      giveBack: owed,
      hits: untold,
    }
    account.owed = 0
    account.untold = 0
    let granted: Granted
    try {
      granted = await budgets.take(providerId, want)
    } catch (error) {
      // Nothing was taken or given back, as far as anybody knows: what is lost is never in the provider's favour.
      account.untold += untold
      throw error
    }
    const at = clock.now()
    if (granted.minute !== account.minute) {
      account.owed += account.free
      account.free = 0
    }
    account.minute = granted.minute
    account.from = at
    account.until = at + granted.minuteLeftMs
    account.free += granted.looks
    account.over = granted.looks > 0 ? null : { usage: granted.usage, until: at + granted.usage.resetMs, at }
  }

  /** Wakes all that wait: each looks again for itself. */
  function tell(account: Account): void {
    for (const wake of account.changed.splice(0)) wake()
  }

  function endMinute(account: Account, now: Instant): void {
    if (now >= account.from && now < account.until) return
    account.owed += account.free
    account.free = 0
  }

  function count(account: Account, orderId: string, now: Instant): void {
    const hour = Math.floor(now / hourMs)
    if (account.hour !== hour) {
      account.hour = hour
      account.found = new Set()
    }
    if (account.found.has(orderId) || account.found.size >= maxHitsPerHour) return
    account.found.add(orderId)
    account.untold++
  }

  function begin(account: Account): Look {
    const { minute } = account
    account.inUse++
    const end = () => {
      account.inUse--
      tell(account)
    }
    return {
      isOver: false,
      found(orderId) {
        count(account, orderId, clock.now())
        if (account.minute === minute) account.free++
        else account.owed++
        end()
      },
      missed: end,
    }
  }

  async function pay(providerId: string, account: Account): Promise<Look | Exhausted> {
    for (;;) {
      const now = clock.now()
      endMinute(account, now)
      if (account.free > 0) {
        account.free--
        return begin(account)
      }
      const { over } = account
      const isOver = over !== null && now >= over.at && now < over.until
      if (isOver && account.inUse === 0) return { ...over.usage, isOver: true, resetMs: over.until - now }
      if (isOver || account.inUse >= maxHeld) {
        await new Promise<void>((resolve) => account.changed.push(resolve))
        continue
      }
      account.taking ??= take(providerId, account).finally(() => {
        account.taking = null
      })
      await account.taking
    }
  }

  return {
    async pay(providerId) {
      const account = accountOf(providerId)
      account.waiting++
      try {
        return await pay(providerId, account)
      } finally {
        account.waiting--
      }
    },
  }
}
