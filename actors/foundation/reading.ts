/**
 * Reads a document that a person wrote: everything that is wrong is noted with its place, in one go, and what
 * is right is handed on typed.
 */

/** What is wrong with a value; completes a sentence that begins with the place, and mostly with the value. */
export class Wrong {
  readonly problem: string
  /** False where the value must not be repeated: it may be a secret. */
  readonly showsValue: boolean
  constructor(problem: string, showsValue = true) {
    this.problem = problem
    this.showsValue = showsValue
  }
}

export type Read<Value> = (value: unknown) => Value | Wrong

export class Problems {
  readonly lines: string[] = []

  add(path: string, problem: string): void {
    this.lines.push(path === '' ? problem : `${path}: ${problem}`)
  }
}

/** The members of one object of the document. */
export class Members {
  readonly path: string
  readonly #members: Readonly<Record<string, unknown>>
  readonly #problems: Problems

  private constructor(path: string, members: Readonly<Record<string, unknown>>, problems: Problems) {
    this.path = path
    this.#members = members
    this.#problems = problems
  }

  /** `null` when the value is no object; members that are not `known` are noted. */
  static of(value: unknown, path: string, known: readonly string[], problems: Problems): Members | null {
    if (!isObject(value)) {
      problems.add(path, `${shown(value)} is not an object with ${known.join(', ')}`)
      return null
    }
    for (const key of Object.keys(value)) {
      if (!known.includes(key)) problems.add(joined(path, key), `is unknown; there are ${known.join(', ')}`)
    }
    return new Members(path, value, problems)
  }

  /** `undefined` when it is missing or wrong, both noted. */
  required<Value>(key: string, read: Read<Value>): Value | undefined {
    if (!this.has(key)) this.note(key, 'is missing')
    return this.optional(key, read)
  }

  /** `undefined` when it is not there, or wrong, which is noted. */
  optional<Value>(key: string, read: Read<Value>): Value | undefined {
    if (!this.has(key)) return undefined
    const value = this.#members[key]
    const result = read(value)
    if (!(result instanceof Wrong)) return result
    this.note(key, result.showsValue ? `${shown(value)} ${result.problem}` : result.problem)
    return undefined
  }

  /** The well-formed items of a list; none when it is not there. */
  list<Item>(key: string, read: (item: unknown, path: string) => Item | undefined): Item[] {
    if (!this.has(key)) return []
    const value = this.#members[key]
    if (!Array.isArray(value)) {
      this.note(key, `${shown(value)} is not a list`)
      return []
    }
    return value.flatMap((item: unknown, index) => {
      const result = read(item, `${joined(this.path, key)}[${index}]`)
      return result === undefined ? [] : [result]
    })
  }

  /** The members of an object within this one; `null` when it is not there or none. */
  section(key: string, known: readonly string[]): Members | null {
    return this.has(key)
      ? Members.of(this.#members[key], joined(this.path, key), known, this.#problems)
      : null
  }

  has(key: string): boolean {
    return Object.hasOwn(this.#members, key)
  }

  note(key: string, problem: string): void {
    this.#problems.add(joined(this.path, key), problem)
  }
}

/** A text of 1 to `max` characters, without blanks around it and control characters or half ones in it. */
export function text(max: number): Read<string> {
  return (value) => {
    if (typeof value !== 'string') return new Wrong('is not a text')
    if (!value.isWellFormed()) return new Wrong('has half of a character in it')
    const trimmed = value.trim()
    if (trimmed === '') return new Wrong('is empty')
    if ([...trimmed].length > max) return new Wrong(`is longer than ${max} characters`)
    return /\p{Cc}/u.test(trimmed) ? new Wrong('has control characters in it') : trimmed
  }
}

/** @param what completes "… is not": `a country such as "MX"`. */
export function matching(pattern: RegExp, what: string): Read<string> {
  return (value) => (typeof value === 'string' && pattern.test(value) ? value : new Wrong(`is not ${what}`))
}

export function whole(min: number, max: number): Read<number> {
  return (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
      ? value
      : new Wrong(`is not a whole number from ${min} to ${max}`)
}

export const trueOrFalse: Read<boolean> = (value) =>
  typeof value === 'boolean' ? value : new Wrong('is neither true nor false')

export function nullOr<Value>(read: Read<Value>): Read<Value | null> {
  return (value) => (value === null ? null : read(value))
}

/** A key is part of the signed string, where a colon divides, and of a header. */
export const identifier = matching(
  /^[A-Za-z0-9_.-]{1,64}$/,
  'an identifier: 1 to 64 letters, digits, points, hyphens and underscores',
)

/** One or more different choices. */
export function setOf<const Choice extends string>(choices: readonly Choice[]): Read<ReadonlySet<Choice>> {
  const problem = new Wrong(`is not a list of one or more of ${choices.join(', ')}`)
  return (value) => {
    if (!Array.isArray(value) || value.length === 0) return problem
    const chosen = choices.filter((choice) => value.includes(choice))
    return chosen.length === value.length ? new Set(chosen) : problem
  }
}

/** Of two that say different things about one thing, nobody could tell which is meant. */
export function noteRepeated<Item extends { path: string }>(
  problems: Problems,
  items: readonly Item[],
  describe: (item: Item) => string,
): void {
  const first = new Map<string, string>()
  for (const item of items) {
    const what = describe(item)
    const before = first.get(what)
    if (before === undefined) first.set(what, item.path)
    else problems.add(item.path, `${what} is in ${before} already`)
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function joined(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}

function shown(value: unknown): string {
  const json = JSON.stringify(value)
  return json.length > 60 ? `${json.slice(0, 59)}…` : json
}
