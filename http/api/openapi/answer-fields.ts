/** What the descriptions of answers are made of. */

export interface AnswerField {
  type: 'string' | 'integer' | 'boolean' | 'array' | readonly ['string' | 'integer', 'null']
  description: string
  examples?: readonly (string | number | boolean | null)[]
  format?: 'date-time' | 'uuid' | 'uri'
  pattern?: string
  enum?: readonly string[]
  items?: { $ref: string }
}

export interface AnswerSchema {
  title: string
  description: string
  type: 'object'
  properties: Readonly<Record<string, AnswerField>>
  required: readonly string[]
}

export const text = (description: string, example: string): AnswerField => ({
  type: 'string',
  description,
  examples: [example],
})

export const time = (description: string, example: string): AnswerField => ({
  ...text(description, example),
  format: 'date-time',
})

export const amount = (description: string): AnswerField => ({
  ...text(description, '1000.00'),
  pattern: String.raw`^\d+\.\d{2,}$`,
})

export const currency = text('ISO 4217 code of three letters', 'MXN')

export const cursorOfNext: AnswerField = {
  type: ['string', 'null'],
  description: 'The `cursor` of the next page; null on the last one',
  examples: ['eyJvIjoxfQ'],
}

export function object(
  title: string,
  description: string,
  properties: Readonly<Record<string, AnswerField>>,
  optional: Readonly<Record<string, AnswerField>> = {},
): AnswerSchema {
  const required = Object.keys(properties)
  return { title, description, type: 'object', properties: { ...properties, ...optional }, required }
}

export function schemaReference(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` }
}
