/** Answers of Horizon, read member by member: what has another shape than expected is no answer. */
import type { Instant } from '../../machines/time.ts'
import { unitsOf } from './addresses.ts'
import { ChainFailed } from './failed.ts'

export class Fields {
  readonly #members: Readonly<Record<string, unknown>>
  readonly #what: string

  /** `what` names the answer in failures. */
  constructor(value: unknown, what: string) {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new ChainFailed('unavailable', `answers something else than ${what}.`)
    this.#members = { ...value }
    this.#what = what
  }

  has(name: string): boolean {
    return (this.#members[name] ?? null) !== null
  }

  text(name: string): string {
    const value = this.#members[name]
    return typeof value === 'string' ? value : this.#unreadable(name)
  }

  /** `null` when it is absent or no text. */
  optionalText(name: string): string | null {
    const value = this.#members[name]
    return typeof value === 'string' ? value : null
  }

  integer(name: string): number {
    const value = this.#members[name]
    return typeof value === 'number' && Number.isSafeInteger(value) ? value : this.#unreadable(name)
  }

  /** Absent counts as false. */
  flag(name: string): boolean {
    return this.#members[name] === true
  }

  /** What is neither true nor false says nothing. */
  truth(name: string): boolean {
    const value = this.#members[name]
    return typeof value === 'boolean' ? value : this.#unreadable(name)
  }

  /** Absent counts as true: Horizon leaves it out where it does not apply. */
  isNotFalse(name: string): boolean {
    return this.#members[name] !== false
  }

  units(name: string): bigint {
    return unitsOf(this.text(name)) ?? this.#unreadable(name)
  }

  instant(name: string): Instant {
    const at = Date.parse(this.text(name))
    return Number.isNaN(at) ? this.#unreadable(name) : at
  }

  /** An unsigned decimal number in a text: paging tokens, sequences. */
  digits(name: string): string {
    const text = this.text(name)
    return /^\d{1,20}$/.test(text) ? text : this.#unreadable(name)
  }

  object(name: string): Fields {
    return new Fields(this.#members[name], `${this.#what}: ${name}`)
  }

  list(name: string): readonly Fields[] {
    const value = this.#members[name]
    if (!Array.isArray(value)) return this.#unreadable(name)
    return value.map((item: unknown) => new Fields(item, `${this.#what}: ${name}`))
  }

  #unreadable(name: string): never {
    throw new ChainFailed('unavailable', `answers ${this.#what} without a readable ${name}.`)
  }
}

/** The records of a page. */
export function recordsOf(page: Fields): readonly Fields[] {
  return page.object('_embedded').list('records')
}
