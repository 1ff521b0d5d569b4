/**
 * The input of an operation, described once: its TypeScript type, its JSON Schema, the arguments and options of its
 * command and the fields of its form follow from the description.
 */

interface Wording {
  /** In the schema. */
  description?: string
  /** On the command line, unless it is an argument there: such as `--reason <text>`, and what help says of it. */
  option?: readonly [flags: string, help: string]
  /** In the console's forms. */
  form?: FormWording
}

interface FormWording {
  label: string
  hint?: string
  /** A text is one line unless it is said. */
  /** `amount` of a currency, `units` of an asset: written as people write numbers, and read from there into decimal text. */
  control?: 'area' | 'password' | 'datetime-local' | 'amount' | 'units'
  /** Where the schema has none. */
  maxLength?: number
  autocomplete?: string
  /** Of a choice, what is shown for each value, where that is not the value itself. */
  choices?: readonly (readonly [value: string, text: string])[]
}

/** One member of an input. */
export interface Field<Value = unknown, IsOptional extends boolean = boolean> extends Wording {
  readonly kind: 'text' | 'texts' | 'choice' | 'flag' | 'number'
  readonly isOptional: IsOptional
  /** JSON Schema (draft 2020-12). */
  readonly schema: Readonly<Record<string, unknown>>
  /** All there are, of a choice. */
  readonly values?: readonly string[]
  /** The value of what a person has written; `undefined` where it is none. */
  read(written: string): Value | undefined
}

export type Fields = Readonly<Record<string, Field>>

type NamesOf<Described extends Fields, IsOptional extends boolean> = {
  [Name in keyof Described]: Described[Name]['isOptional'] extends IsOptional ? Name : never
}[keyof Described]

type ValueOf<Described> = Described extends Field<infer Value> ? Value : never

/** The input that `Described` describes. */
export type InputOf<Described extends Fields> = Shown<
  { [Name in NamesOf<Described, false>]: ValueOf<Described[Name]> } & {
    [Name in NamesOf<Described, true>]?: ValueOf<Described[Name]>
  }
>

/** One object, where editors would show two. */
type Shown<Members> = { [Name in keyof Members]: Members[Name] }

interface TextRules {
  minLength?: number
  maxLength?: number
  pattern?: string
}

export function text(described: Wording & TextRules = {}): Field<string, false> {
  const { minLength, maxLength, pattern, ...wording } = described
  const schema = { type: 'string', ...given({ minLength, maxLength, pattern }), ...descriptionOf(wording) }
  return { ...wording, kind: 'text', isOptional: false, schema, read: (written) => written }
}

/** Why somebody does it, kept in `where`. */
export function reason(where: string, wording: Omit<Wording, 'description'> = {}): Field<string, false> {
  return text({ description: where, minLength: 1, maxLength: 500, pattern: '\\S', ...wording })
}

export const auditReason = reason('For the audit log.', {
  option: ['--reason <text>', 'why; kept in the audit log'],
  form: { label: 'Why', hint: 'Kept in the audit log.' },
})

/** A form has no such field: it looks first, and what it shows is then booked. */
export const dryRun = optional(
  flag({
    description: 'Show what would be booked, and book nothing.',
    option: ['--dry-run', 'show what would be booked, and book nothing'],
  }),
)

/** Texts: arguments on the command line, one of them in a form. */
export function texts(described: Wording & { minItems?: number; maxItems?: number }): Field<string[], false> {
  const { minItems, maxItems, ...wording } = described
  const items = { type: 'string' }
  const schema = { type: 'array', items, ...given({ minItems, maxItems }), ...descriptionOf(wording) }
  return { ...wording, kind: 'texts', isOptional: false, schema, read: (written) => [written] }
}

export function choice<const Values extends readonly string[]>(
  values: Values,
  wording: Wording = {},
): Field<Values[number], false> {
  const schema = { enum: values, ...descriptionOf(wording) }
  const read = (written: string) => values.find((value) => value === written)
  return { ...wording, kind: 'choice', isOptional: false, schema, values, read }
}

/** A form sends `yes` for one that is ticked, and nothing for one that is not; any other text is neither. */
export function flag(wording: Wording): Field<boolean, false> {
  const schema = { type: 'boolean', ...descriptionOf(wording) }
  return { ...wording, kind: 'flag', isOptional: false, schema, read: (written) => flagTexts.get(written) }
}

const flagTexts: ReadonlyMap<string, boolean> = new Map([
  ['yes', true],
  ['', false],
])

export function wholeNumber(
  described: Wording & { minimum: number; maximum?: number },
): Field<number, false> {
  const { minimum, maximum, ...wording } = described
  const schema = { type: 'integer', minimum, ...given({ maximum }), ...descriptionOf(wording) }
  const read = (written: string) => {
    const number = /^(0|[1-9]\d{0,8})$/.test(written) ? Number(written) : undefined
    return number !== undefined && number >= minimum ? number : undefined
  }
  return { ...wording, kind: 'number', isOptional: false, schema, read }
}

export function optional<Value>(field: Field<Value>): Field<Value, true> {
  return { ...field, isOptional: true }
}

function descriptionOf({ description }: Wording): { description?: string } {
  return description === undefined ? {} : { description }
}

function given(rules: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(rules).filter(([, rule]) => rule !== undefined))
}

/** JSON Schema (draft 2020-12) of an object with these members alone. */
export function schemaOf(fields: Fields): Readonly<Record<string, unknown>> {
  const members = Object.entries(fields)
  const required = members.filter(([, { isOptional }]) => !isOptional).map(([name]) => name)
  return {
    type: 'object',
    ...(members.length === 0 ? {} : { properties: propertiesOf(fields) }),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  }
}

export function propertiesOf(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema]))
}
