/** What the schemas of requests are made of. */
import { maxNumberLength } from '../foundation/formats.ts'

export type FieldFormat = 'decimal' | 'date-time' | 'date' | 'uri' | 'email' | 'uuid'

/** The JSON Schema keywords a field may use; each that can fail has its translation in `validation.ts`. */
export interface FieldSchema {
  type: 'string' | 'integer'
  description: string
  examples: readonly (string | number)[]
  format?: FieldFormat
  enum?: readonly string[]
  /** Blank is an error of its own. */
  minLength?: 1
  /** In code points, without the blanks around. */
  maxLength?: number
  minimum?: number
  /** Whether U+0000 is allowed. */
  'x-null-characters'?: false
  /** Whether halves of surrogate pairs are allowed. */
  'x-surrogate-characters'?: false
}

/** A list of objects that have a schema of their own. */
export interface ListSchema {
  description: string
  item: 'reportLine'
  maxItems: number
}

export interface RequestSchema {
  title: string
  description: string
  type: 'object'
  properties: Readonly<Record<string, FieldSchema>>
  required: readonly string[]
  /** Besides `properties`, and read by whoever needs them: `validateList`. */
  lists?: Readonly<Record<string, ListSchema>>
  /** One of these, at least, is there and not blank. */
  'x-at-least-one-of'?: readonly string[]
}

export function text(description: string, example: string, maxLength: number): FieldSchema {
  return {
    type: 'string',
    description,
    examples: [example],
    minLength: 1,
    maxLength,
    'x-null-characters': false,
    'x-surrogate-characters': false,
  }
}

export const amount = (description: string, example: string): FieldSchema => ({
  type: 'string',
  format: 'decimal',
  description,
  examples: [example],
  maxLength: maxNumberLength,
})

export const url = (description: string, example: string): FieldSchema => ({
  ...text(description, example, 2048),
  format: 'uri',
})

export const time = (description: string): FieldSchema => ({
  type: 'string',
  format: 'date-time',
  description,
  examples: ['2026-03-01T18:00:00Z'],
})

export const day = (description: string, example: string): FieldSchema => ({
  type: 'string',
  format: 'date',
  description,
  examples: [example],
  minLength: 1,
})

export const optional = ({ minLength: _, ...field }: FieldSchema): FieldSchema => field

export const pageSize = (description: string, example: number): FieldSchema => ({
  type: 'integer',
  minimum: 1,
  description,
  examples: [example],
})

export const cursor = text('The `next` of the previous page', 'eyJvIjoxfQ', 512)

/** The longest name that a network may have for a payment, a shop or a till. */
export const maxTillText = 100
