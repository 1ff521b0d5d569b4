/**
 * Validation: ajv judges by the schemas, and every error it can report is translated once into the catalogue.
 *
 * All errors of all fields are reported together, in the order of the documented fields.
 */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { isDay } from '../../actors/terms/days.ts'
import { parseInstant } from '../../machines/time.ts'
import type { FieldProblemName } from '../catalogue/field-problems.ts'
import { type FieldError, fieldError, nonFieldErrors } from '../foundation/errors.ts'
import {
  isDecimal,
  isEmail,
  isUrl,
  loneSurrogate,
  maxNumberLength,
  parseUuid,
} from '../foundation/formats.ts'
import { datatype, isJsonObject, type Json, JsonNumber, member } from '../foundation/json.ts'
import type { FieldFormat, FieldSchema, RequestSchema } from './field-schemas.ts'
import { type RequestName, requestSchemas } from './schemas.ts'

/** The fields that were sent and are texts or numbers, as texts, without the blanks around. */
export type Fields = Readonly<Record<string, string | undefined>>

/** Judges a field that is there and agrees with its schema. */
export type FieldRule = (value: string, fields: Fields) => FieldError | null

export interface Validated {
  /** Empty when all is right. */
  errors: readonly FieldError[]
  fields: Fields
}

/** Judges a body. A rule is asked for a field that is there and agrees with its schema. */
export function validate(
  name: RequestName,
  body: Json,
  rules: Readonly<Record<string, FieldRule>> = {},
): Validated {
  if (!isJsonObject(body)) {
    const error =
      body === null
        ? fieldError(nonFieldErrors, 'no_data')
        : fieldError(nonFieldErrors, 'not_an_object', { datatype: datatype(body) })
    return { errors: [error], fields: {} }
  }
  const schema: RequestSchema = requestSchemas[name]
  const { data, fields } = readFields(schema, body)
  const judge = validatorOf(name)
  const found = judge(data) ? [] : (judge.errors ?? [])
  const errors: FieldError[] = []
  for (const [attr, field] of Object.entries(schema.properties)) {
    const own = leading(found.filter((error) => attrOf(error) === attr))
    errors.push(...own.map((error) => translate(error, attr, field)))
    const value = fields[attr]
    const added = own.length === 0 && value !== undefined ? rules[attr]?.(value, fields) : null
    if (added) errors.push(added)
  }
  // A rule across fields is worth telling once each of them is right.
  if (errors.length === 0 && found.length > 0) errors.push(fieldError(nonFieldErrors, 'consumer_contact'))
  return { errors, fields }
}

export interface ValidatedList {
  errors: readonly FieldError[]
  items: readonly Fields[]
}

/** Whoever mends a program reads no more at once. */
const maxListErrors = 50

/** Judges a list of a body by the schema of its items; their errors are told of `name.place.field`, places from 0 on. */
export function validateList(
  name: RequestName,
  list: string,
  body: Json,
  rules: Readonly<Record<string, FieldRule>>,
  judge: (fields: Fields) => FieldError | null,
): ValidatedList {
  const schema: RequestSchema = requestSchemas[name]
  const { item, maxItems } = schema.lists?.[list] ?? missing(name, list)
  const found = member(body, list)
  const refused = (error: FieldError): ValidatedList => ({ errors: [error], items: [] })
  if (found === undefined) return refused(fieldError(list, 'required'))
  if (found === null) return refused(fieldError(list, 'null'))
  if (!Array.isArray(found)) return refused(fieldError(list, 'not_a_list', { datatype: datatype(found) }))
  if (found.length > maxItems) return refused(fieldError(list, 'max_items', { max_items: maxItems }))
  const errors: FieldError[] = []
  const items: Fields[] = []
  for (const [place, one] of found.entries()) {
    const judged = validate(item, one, rules)
    const more = judged.errors.length === 0 ? judge(judged.fields) : null
    const all = more === null ? judged.errors : [more]
    errors.push(...all.map((error) => ({ ...error, attr: `${list}.${place}.${error.attr}` })))
    if (errors.length >= maxListErrors) return { errors: errors.slice(0, maxListErrors), items: [] }
    items.push(judged.fields)
  }
  return { errors, items }
}

function missing(name: RequestName, list: string): never {
  throw new Error(`${name} has no list ${list}.`)
}

/** Takes what the schema knows out of a body; nothing else of it, nor of any prototype, is looked at. */
function readFields(schema: RequestSchema, body: { [name: string]: Json }) {
  const data: Record<string, Json | number> = {}
  const fields: Record<string, string> = {}
  for (const [name, field] of Object.entries(schema.properties)) {
    const value = Object.hasOwn(body, name) ? body[name] : undefined
    if (value === undefined) continue
    if (typeof value !== 'string' && !(value instanceof JsonNumber)) {
      data[name] = value
      continue
    }
    const text = typeof value === 'string' ? value : value.text
    // Ids and closed lists are compared as they are; around everything else blanks are harmless.
    const plain = field.enum !== undefined || field.format === 'uuid' ? text : text.trim()
    fields[name] = plain
    data[name] = field.type === 'integer' && /^[+-]?\d{1,15}$/.test(plain) ? Number(plain) : plain
  }
  return { data, fields }
}

// The schemas are this program's own, and a test holds them to the draft: no start has to.
const ajv = new Ajv2020({ allErrors: true, verbose: true, meta: false, validateSchema: false })

const formats: Record<FieldFormat, (text: string) => boolean> = {
  // What is longer is too long to be looked at, and said to be.
  decimal: (text) => text.length > maxNumberLength || isDecimal(text),
  'date-time': (text) => parseInstant(text) !== null,
  date: (text) => text === '' || isDay(text),
  uuid: (text) => parseUuid(text) !== null,
  // An empty text is blank, or was not sent.
  uri: (text) => text === '' || isUrl(text),
  email: (text) => text === '' || isEmail(text),
}
for (const [name, check] of Object.entries(formats)) ajv.addFormat(name, check)

ajv.addKeyword({
  keyword: 'x-null-characters',
  type: 'string',
  schemaType: 'boolean',
  validate: (allowed: boolean, text: string) => allowed || !text.includes('\0'),
})
ajv.addKeyword({
  keyword: 'x-surrogate-characters',
  type: 'string',
  schemaType: 'boolean',
  validate: (allowed: boolean, text: string) => allowed || loneSurrogate(text) === null,
})
ajv.addKeyword({
  keyword: 'x-at-least-one-of',
  type: 'object',
  schemaType: 'array',
  validate: (names: string[], data: Fields) => names.some((name) => (data[name] ?? '') !== ''),
})

const validators = new Map<RequestName, ValidateFunction>()

/** Each is compiled when it is first asked for: a node is ready before. */
function validatorOf(name: RequestName): ValidateFunction {
  const { lists: _, ...schema }: RequestSchema = requestSchemas[name]
  const validator = validators.get(name) ?? ajv.compile(schema)
  validators.set(name, validator)
  return validator
}

type FieldKeyword = Exclude<keyof FieldSchema, 'description' | 'examples'> | 'required'
type Translation = (error: ErrorObject, attr: string, field: FieldSchema) => FieldError

/** One for each keyword that can fail on a field, in the order in which the errors of one field are told. */
const translations: Record<FieldKeyword, Translation> = {
  required: (_, attr) => fieldError(attr, 'required'),
  type: ({ data }, attr, field) => (data === null ? fieldError(attr, 'null') : mismatch(attr, field, data)),
  minLength: (_, attr) => fieldError(attr, 'blank'),
  maxLength: (_, attr, field) =>
    field.format === 'decimal'
      ? fieldError(attr, 'max_string_length')
      : fieldError(attr, 'max_length', { max_length: field.maxLength ?? 0 }),
  'x-null-characters': (_, attr) => fieldError(attr, 'null_characters'),
  'x-surrogate-characters': ({ data }, attr) =>
    fieldError(attr, 'surrogate_characters', { code_point: loneSurrogate(String(data)) ?? '' }),
  enum: ({ data }, attr, field) => mismatch(attr, field, data),
  format: ({ data }, attr, field) => mismatch(attr, field, data),
  minimum: (_, attr, field) => fieldError(attr, 'min_value', { min_value: field.minimum ?? 0 }),
}

/** Of a value that is not what the field is for. */
function mismatch(attr: string, field: FieldSchema, data: unknown): FieldError {
  if (field.enum) return fieldError(attr, 'not_a_choice', { input: shown(data) })
  if (field.type === 'integer') return fieldError(attr, 'not_an_integer')
  return fieldError(attr, field.format ? formatProblems[field.format] : 'not_a_string')
}

export const formatProblems = {
  decimal: 'not_a_number',
  'date-time': 'not_a_datetime',
  date: 'not_a_date',
  uri: 'not_a_url',
  email: 'not_an_email',
  uuid: 'not_a_uuid',
} as const satisfies Record<FieldFormat, FieldProblemName>

function shown(data: unknown): string {
  if (typeof data === 'string') return data
  return typeof data === 'boolean' ? (data ? 'True' : 'False') : JSON.stringify(data)
}

function attrOf(error: ErrorObject): string {
  return error.keyword === 'required' ? String(error.params.missingProperty) : error.instancePath.slice(1)
}

const keywords = Object.keys(translations)

/** The errors of one field in their order; what has the wrong type has no other error. */
function leading(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const sorted = errors.toSorted((a, b) => keywords.indexOf(a.keyword) - keywords.indexOf(b.keyword))
  return sorted[0]?.keyword === 'type' ? sorted.slice(0, 1) : sorted
}

function translate(error: ErrorObject, attr: string, field: FieldSchema): FieldError {
  if (!isFieldKeyword(error.keyword))
    throw new Error(`ajv reports ${error.keyword}, which no schema may use.`)
  return translations[error.keyword](error, attr, field)
}

function isFieldKeyword(keyword: string): keyword is FieldKeyword {
  return Object.hasOwn(translations, keyword)
}
