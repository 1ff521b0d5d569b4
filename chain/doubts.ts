/**
 * What is readable and yet looks incomplete: a balance that no transfer explains may be a mint, or an answer that left
 * a transfer out. It is asked again, and believed once another endpoint says the same, or the same was said for a
 * while: anybody can make such transactions, so they must not keep the rest waiting for long.
 */
import type { Instant } from '../machines/time.ts'

/** Where no other endpoint can be asked. */
const doubtMs = 30_000

/** More at once are believed sooner: it is a flood, and each is told to a person all the same. */
const maxDoubts = 10_000

interface Doubt {
  readonly since: Instant
  readonly host: string
  readonly said: string
}

export class Doubts {
  readonly #clock: () => Instant
  readonly #open = new Map<string, Doubt>()

  constructor(clock: () => Instant) {
    this.#clock = clock
  }

  /** Whether what `host` says of a thing now is to be believed. */
  isBelieved(thing: string, host: string, said: string): boolean {
    const before = this.#open.get(thing)
    if (before?.said === said) return before.host !== host || this.#clock() - before.since >= doubtMs
    if (this.#open.size >= maxDoubts) return true
    this.#open.set(thing, { since: before?.since ?? this.#clock(), host, said })
    return false
  }

  /** It was told, or is in no doubt any more. */
  settle(thing: string): void {
    this.#open.delete(thing)
  }
}
