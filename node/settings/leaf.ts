/** What a setting is, and the kinds of settings there are. */

export const modes = ['sandbox', 'production'] as const
export type Mode = (typeof modes)[number]

/** How the text of an environment variable becomes a value. */
export type Notation = 'text' | 'number' | 'flag' | 'json'

interface Meaning {
  meaning: string
  /** Completes the sentence "must be …". */
  allowed: string
}

/** One setting. `Value` is the type of what the schema lets through. */
export class Leaf<Value> {
  declare readonly value?: Value
  readonly notation: Notation
  readonly schema: object
  readonly defaults: Readonly<Record<Mode, unknown>>
  readonly meaning: string
  readonly allowed: string
  /** The value may hold a password or an access key: it is never shown. */
  readonly isSecret: boolean

  constructor(
    notation: Notation,
    schema: object,
    defaults: Record<Mode, unknown>,
    about: Meaning,
    isSecret = false,
  ) {
    this.notation = notation
    this.schema = schema
    this.defaults = defaults
    this.meaning = about.meaning
    this.allowed = about.allowed
    this.isSecret = isSecret
  }
}

export interface Section {
  readonly [name: string]: Section | Leaf<unknown>
}

export type ValueOf<Node> =
  Node extends Leaf<infer Value> ? Value : { readonly [Name in keyof Node]: ValueOf<Node[Name]> }

export const always = (value: unknown): Record<Mode, unknown> => ({ sandbox: value, production: value })

export const whole = (min: number, max: number, value: unknown, meaning: string): Leaf<number> =>
  new Leaf('number', { type: 'integer', minimum: min, maximum: max }, modal(value), {
    meaning,
    allowed: `a whole number from ${min} to ${max}`,
  })

export const optionalWhole = (
  min: number,
  max: number,
  value: unknown,
  meaning: string,
): Leaf<number | null> =>
  new Leaf('json', { type: ['integer', 'null'], minimum: min, maximum: max }, modal(value), {
    meaning,
    allowed: `a whole number from ${min} to ${max}`,
  })

export const decimal = (min: number, max: number, value: number, meaning: string): Leaf<number> =>
  new Leaf('number', { type: 'number', minimum: min, maximum: max }, always(value), {
    meaning,
    allowed: `a number from ${min} to ${max}`,
  })

export const optionalDecimal = (
  min: number,
  max: number,
  value: number | null,
  meaning: string,
): Leaf<number | null> =>
  new Leaf('json', { type: ['number', 'null'], minimum: min, maximum: max }, always(value), {
    meaning,
    allowed: `a number from ${min} to ${max}`,
  })

export const flag = (value: boolean, meaning: string): Leaf<boolean> =>
  new Leaf('flag', { type: 'boolean' }, always(value), { meaning, allowed: 'true or false' })

export function choice<const Choice extends string>(
  choices: readonly Choice[],
  value: unknown,
  meaning: string,
): Leaf<Choice> {
  const allowed = choices.length === 1 ? `${choices[0]}` : `one of ${choices.join(', ')}`
  return new Leaf('text', { enum: choices }, modal(value), { meaning, allowed })
}

export const text = (rule: object, value: unknown, about: Meaning): Leaf<string> =>
  new Leaf('text', { type: 'string', minLength: 1, ...rule }, modal(value), about)

export const optionalText = (
  rule: object,
  value: unknown,
  about: Meaning,
  isSecret = false,
): Leaf<string | null> =>
  new Leaf('text', { type: ['string', 'null'], minLength: 1, ...rule }, modal(value), about, isSecret)

export function list<Item>(
  items: object,
  value: unknown,
  about: Meaning,
  rule: object = {},
  isSecret = false,
): Leaf<readonly Item[]> {
  return new Leaf('json', { type: 'array', items, uniqueItems: true, ...rule }, modal(value), about, isSecret)
}

/** Defaults that differ between the modes. */
export class ByMode {
  readonly values: Record<Mode, unknown>
  constructor(values: Record<Mode, unknown>) {
    this.values = values
  }
}

export const modal = (value: unknown): Record<Mode, unknown> =>
  value instanceof ByMode ? value.values : always(value)
