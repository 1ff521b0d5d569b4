/**
 * Refusals as values, and the one place that turns them into answers.
 *
 * Shapes (protocol 7.1): a 400 has `type` and `errors[]`, and for
 * business rules `detail` above them; a 409 has exactly `detail`; all others have `detail`, `type` and
 * `errors[]`.
 */
import { type FieldProblemName, fieldProblems } from '../catalogue/field-problems.ts'
import { type RefusalEntry, type RefusalName, refusals } from '../catalogue/refusals.ts'

/** The names between braces in a text of the catalogue. */
type Placeholder<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never

type Values<Text extends string> = { readonly [Name in Placeholder<Text>]: string | number }

/** No further argument for a text without placeholders, else the values for them. */
type ValueArguments<Text extends string> = [Placeholder<Text>] extends [never] ? [] : [values: Values<Text>]

/** An item of `errors[]`. */
export interface FieldError {
  /**
   * A field, `non_field_errors` for rules across fields, or null for business rules and what is no field's.
   */
  attr: string | null
  code: string
  detail: string
}

export const nonFieldErrors = 'non_field_errors'

export function fieldError<Name extends FieldProblemName>(
  attr: string,
  name: Name,
  ...values: ValueArguments<(typeof fieldProblems)[Name]['text']>
): FieldError {
  const { code, text } = fieldProblems[name]
  return { attr, code, detail: fill(text, values[0]) }
}

/** The methods a path has, and the seconds to wait, also go into headers. */
interface HeaderValues {
  method_not_allowed: { allow: readonly string[] }
  throttled: { wait: number }
}

type RefusalOf<Name extends RefusalName> = Name extends keyof HeaderValues
  ? { name: Name; values: Values<(typeof refusals)[Name]['text']> & HeaderValues[Name] }
  : [Placeholder<(typeof refusals)[Name]['text']>] extends [never]
    ? { name: Name }
    : { name: Name; values: Values<(typeof refusals)[Name]['text']> }

/**
 * Everything a request can be refused with: closed, and answered by `answerRefusal` alone. For example
 * `{ name: 'not_found' }` or `{ name: 'throttled', values: { wait: 30 } }`.
 */
export type HttpRefusal =
  | { name: 'fields'; errors: readonly FieldError[] }
  | { [Name in RefusalName]: RefusalOf<Name> }[RefusalName]

/** Values, or the refusal that takes their place. */
export type Outcome<Value> = { ok: true; value: Value } | { ok: false; refusal: HttpRefusal }

export interface HttpAnswer {
  status: number
  headers: Readonly<Record<string, string>>
  /** JSON text. */
  body: string
  /** In its place what is sent one after the other, however long it is. */
  parts?: AsyncGenerator<string>
}

/** Serializes a refusal: the same one gives the same bytes. */
export function answerRefusal(refusal: HttpRefusal): HttpAnswer {
  if (refusal.name === 'fields') {
    return answer(400, {}, { type: 'validation_error', errors: refusal.errors.map(inOrder) })
  }
  const entry: RefusalEntry = refusals[refusal.name]
  const detail = singular(fill(entry.text, 'values' in refusal ? refusal.values : {}))
  const rest = { type: entry.type, errors: [{ attr: null, code: entry.code, detail }] }
  return answer(entry.status, headersOf(refusal), body(entry, detail, rest))
}

function body(entry: RefusalEntry, detail: string, rest: object): object {
  if (entry.status === 409) return { detail }
  // Only the business rules of protocol 7.3 have both shapes.
  if (entry.status === 400 && entry.type === 'client_error') return rest
  return { detail, ...rest }
}

function headersOf(refusal: HttpRefusal): Record<string, string> {
  switch (refusal.name) {
    case 'method_not_allowed':
      return { Allow: refusal.values.allow.join(', ') }
    case 'throttled':
      return { 'Retry-After': String(refusal.values.wait) }
    // Maintenance takes minutes; a till that asks each second would only fill the order's journal.
    case 'draining':
      return { 'Retry-After': '60' }
    // What is left of the body stays unread, so that the connection is of no further use.
    case 'body_too_large':
    case 'request_timeout':
    case 'malformed_request':
      return { Connection: 'close' }
    default:
      return {}
  }
}

function answer(status: number, headers: Record<string, string>, document: object): HttpAnswer {
  return {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(document),
  }
}

function singular(text: string): string {
  return text.replace(/\b1 seconds\b/, '1 second')
}

function inOrder({ attr, code, detail }: FieldError): FieldError {
  return { attr, code, detail }
}

function fill(text: string, values: Readonly<Record<string, unknown>> = {}): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]))
}
