/**
 * The machine that a simulated process runs on: its clocks, timers, turns of the event loop, chance and files.
 *
 * While it is installed nothing in this Node process passes by itself: a timer fires when the scheduler lets time pass, an
 * immediate runs when the scheduler gives a turn, what is random comes from the seed, files that the program opens for
 * appending answer in the same turn, and whatever is at an address on the network is the scheduler's. So the same seed gives the same history to the byte. A crash forgets all of it.
 */
import crypto from 'node:crypto'
import fs from 'node:fs'
import fsPromises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { Readable } from 'node:stream'
import timersPromises from 'node:timers/promises'
import { type Random, seededRandom } from '../durability/random.ts'
import { openFile } from './files.ts'

type Callback = (...args: unknown[]) => void
/** Answers in the place of `fetch`; `onAnswer` is called where no time-out will be needed. */
type Ask = (address: string, init: RequestInit | undefined, onAnswer: () => void) => Promise<Response>

interface Timer {
  id: number
  at: number
  everyMs: number | null
  call: Callback
  args: unknown[]
}

const realImmediate = globalThis.setImmediate
const maxTurns = 100_000

export class Platform {
  /** What has passed since the machine was booted; it never jumps. */
  #bootMs = 1_000_000
  /** How far the wall clock of the node is from true time. */
  clockOffsetMs = 0
  readonly #startedAt: number
  #timers: Timer[] = []
  #turns: { id: number; call: Callback; args: unknown[] }[] = []
  #ids = 0
  #chance: Random
  readonly #undo: (() => void)[] = []
  #ask: Ask = () => Promise.reject(new TypeError('there is no network'))
  /** The time-out of the request that is about to be made. */
  #deadline: number | undefined

  constructor(seed: number, startedAt: number) {
    this.#startedAt = startedAt
    this.#chance = seededRandom(seed)
  }

  /** What everybody's clock would show who has the right time. */
  get trueTime(): number {
    return this.#startedAt + this.#bootMs - 1_000_000
  }

  /** How often somebody has asked for the time, or written one down. */
  asked = 0

  readonly clock = {
    now: () => this.trueTime + this.clockOffsetMs,
    sinceBootMs: () => this.#bootMs,
  }

  /** Who answers what is asked of the network. */
  connect(ask: Ask): void {
    this.#ask = ask
  }

  /** Milliseconds until a timer is due; null where there is none. */
  get untilTimer(): number | null {
    const next = this.#timers.reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY)
    return next === Number.POSITIVE_INFINITY ? null : Math.max(0, next - this.#bootMs)
  }

  /** Nothing of the process that ran here goes on. */
  forget(): void {
    this.#timers = []
    this.#turns = []
  }

  /** Lets time pass without a timer: what is due waits for its turn. */
  pass(ms: number): void {
    this.#bootMs += ms
  }

  /** The first timer that is due fires. @returns whether there was one */
  fire(): boolean {
    let next: Timer | null = null
    for (const timer of this.#timers) {
      if (timer.at <= this.#bootMs && (next === null || timer.at < next.at)) next = timer
    }
    if (next === null) return false
    if (next.everyMs === null) this.#timers = this.#timers.filter((one) => one !== next)
    else next.at = this.#bootMs + next.everyMs
    next.call(...next.args)
    return true
  }

  /** One immediate runs, and what follows of it at once. @returns whether there was one */
  async turn(): Promise<boolean> {
    await settled()
    const next = this.#turns.shift()
    if (next === undefined) return false
    next.call(...next.args)
    await settled()
    return true
  }

  /** Turns until nothing is left to do before time passes. */
  async rest(): Promise<void> {
    for (let count = 0; count < maxTurns; count++) if (!(await this.turn())) return
    throw new Error('the process does not come to rest')
  }

  install(): void {
    const { clock } = this
    const replace = <Target extends object>(
      target: Target,
      changes: Partial<Record<keyof Target, unknown>>,
    ) => {
      const before = Object.fromEntries(
        Object.keys(changes).map((name) => [name, Object.getOwnPropertyDescriptor(target, name)]),
      )
      for (const [name, value] of Object.entries(changes)) {
        Object.defineProperty(target, name, { value, configurable: true, writable: true, enumerable: true })
      }
      this.#undo.push(() => {
        for (const [name, was] of Object.entries(before)) {
          if (was === undefined) Reflect.deleteProperty(target, name)
          else Object.defineProperty(target, name, was)
        }
      })
    }
    const after = (call: Callback, ms = 0, ...args: unknown[]) => this.#add(call, ms, null, args)
    const every = (call: Callback, ms = 0, ...args: unknown[]) => this.#add(call, ms, Math.max(1, ms), args)
    const soon = (call: Callback, ...args: unknown[]) => this.#addTurn(call, args)
    const forgetTimer = (timer: { id: number } | undefined) => this.#remove(timer?.id)
    replace(globalThis, {
      Date: dateOf(clock, () => {
        this.asked += 1
      }),
      setTimeout: after,
      setInterval: every,
      setImmediate: soon,
      clearTimeout: forgetTimer,
      clearInterval: forgetTimer,
      clearImmediate: forgetTimer,
    })
    replace(globalThis, {
      fetch: (address: string, init?: RequestInit) => {
        const deadline = this.#deadline
        return this.#ask(address, init, () => this.#remove(deadline))
      },
    })
    replace(AbortSignal, { timeout: (ms: number) => this.#timeout(ms) })
    replace(timersPromises, {
      setTimeout: (ms: number, value: unknown) => new Promise((resolve) => after(() => resolve(value), ms)),
      setImmediate: (value: unknown) => new Promise((resolve) => soon(() => resolve(value))),
    })
    replace(performance, { now: () => clock.sinceBootMs() })
    replace(Math, { random: () => this.#chance.fraction() })
    replace(crypto, {
      randomBytes: (count: number) => this.#bytes(count),
      randomInt: (least: number, end?: number) =>
        end === undefined ? this.#chance.below(least) : least + this.#chance.below(end - least),
      randomUUID: () => this.#uuid(),
    })
    replace(fsPromises, { open: openFile })
    replace(fs, { createReadStream: (file: string) => Readable.from([fs.readFileSync(file)]) })
    syncBuiltinESMExports()
  }

  uninstall(): void {
    for (const undo of this.#undo.splice(0).reverse()) undo()
    syncBuiltinESMExports()
  }

  #add(call: Callback, ms: number, everyMs: number | null, args: unknown[]) {
    const id = ++this.#ids
    this.#timers.push({ id, at: this.#bootMs + Math.max(1, Number(ms) || 1), everyMs, call, args })
    return this.#handle(id)
  }

  #timeout(ms: number): AbortSignal {
    const controller = new AbortController()
    const isOver = () => controller.abort(new DOMException('it took too long', 'TimeoutError'))
    this.#deadline = this.#add(isOver, ms, null, []).id
    return controller.signal
  }

  #addTurn(call: Callback, args: unknown[]) {
    const id = ++this.#ids
    this.#turns.push({ id, call, args })
    return this.#handle(id)
  }

  #handle(id: number) {
    const handle = {
      id,
      ref: () => handle,
      unref: () => handle,
      hasRef: () => true,
      [Symbol.toPrimitive]: () => id,
    }
    return handle
  }

  #remove(id: number | undefined): void {
    if (id === undefined) return
    this.#timers = this.#timers.filter((timer) => timer.id !== id)
    this.#turns = this.#turns.filter((turn) => turn.id !== id)
  }

  #bytes(count: number): Buffer {
    const bytes = Buffer.alloc(count)
    for (let at = 0; at < count; at++) bytes[at] = this.#chance.below(256)
    return bytes
  }

  #uuid(): string {
    const bytes = this.#bytes(16)
    bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
    return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  }
}

/** All that follows of what was done, as far as it needs no turn of the program's own. */
function settled(): Promise<void> {
  return new Promise((resolve) => realImmediate(resolve))
}

const RealDate = globalThis.Date

function dateOf(clock: { now(): number }, onMade: () => void): DateConstructor {
  class SimulatedDate extends RealDate {
    constructor(...args: [] | [number | string | Date]) {
      if (args.length === 0) super(clock.now())
      else super(...(args as [number]))
      onMade()
    }
    static override now(): number {
      return clock.now()
    }
  }
  return SimulatedDate as DateConstructor
}
