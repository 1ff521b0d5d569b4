/** Everything an operation can be refused with, by status: what any request may be told, and its own. */
import { type FieldProblemName, fieldProblems } from '../../catalogue/field-problems.ts'
import { type RefusalName, refusals } from '../../catalogue/refusals.ts'
import type { FieldSchema, RequestSchema } from '../field-schemas.ts'
import type { OperationDescription } from '../operation.ts'
import type { Method } from '../route.ts'
import { requestSchemas } from '../schemas.ts'
import { formatProblems } from '../validation.ts'

export interface OperationPlace {
  method: Method
  /** Below `/api/v1`, in the router's syntax. */
  path: string
  takesQuery: boolean
}

/** The names of the catalogue that an operation can answer with, by status, the lowest first. */
export function refusalsOf(
  operation: OperationDescription,
  place: OperationPlace,
): Map<number, (RefusalName | FieldProblemName)[]> {
  const byStatus = new Map<number, (RefusalName | FieldProblemName)[]>()
  const add = (status: number, name: RefusalName | FieldProblemName) =>
    byStatus.set(status, [...(byStatus.get(status) ?? []), name])
  const problems = new Set([
    ...placeProblems(place),
    ...schemaProblems(operation, place),
    ...operation.problems,
  ])
  // In the order of the catalogue.
  for (const name of namesOf(fieldProblems)) if (problems.has(name)) add(400, name)
  const refused = new Set([...requestRefusals(place, operation.dryRun !== undefined), ...operation.refusals])
  for (const name of namesOf(refusals)) if (refused.has(name)) add(refusals[name].status, name)
  return new Map([...byStatus].toSorted(([a], [b]) => a - b))
}

function namesOf<Name extends string>(catalogue: Readonly<Record<Name, unknown>>): Name[] {
  // The catalogues are literals: they have no other keys than their type says.
  return Object.keys(catalogue) as Name[]
}

const everyRequest: readonly RefusalName[] = [
  'malformed_request',
  'permission_denied',
  'method_not_allowed',
  'not_acceptable',
  'request_timeout',
  'body_too_large',
  'throttled',
  'error',
  'unavailable',
]

const everyPost: readonly RefusalName[] = [
  'parse_error',
  'unsupported_media_type',
  'unsupported_encoding',
  'idempotency_in_flight',
  'idempotency_key_reused',
  'idempotency_key_invalid',
  'dry_run_invalid',
]

function requestRefusals({ method, path }: OperationPlace, hasDryRun: boolean): RefusalName[] {
  const ofPath: RefusalName[] = path.includes(':') ? ['not_found'] : []
  const ofPost: RefusalName[] = hasDryRun ? [...everyPost] : [...everyPost, 'dry_run_unknown']
  return [...everyRequest, ...(method === 'POST' ? ofPost : []), ...ofPath]
}

function placeProblems({ method, takesQuery }: OperationPlace): FieldProblemName[] {
  return method === 'GET' && takesQuery ? ['body_not_allowed'] : ['query_not_allowed']
}

function schemaProblems({ request }: OperationDescription, { method }: OperationPlace): FieldProblemName[] {
  const schemas: RequestSchema[] = request.map((name) => requestSchemas[name])
  const items = schemas.flatMap(({ lists = {} }) =>
    Object.values(lists).map(({ item }): RequestSchema => requestSchemas[item]),
  )
  return [...schemas, ...items].flatMap((schema) => [
    ...when(schema.lists !== undefined, 'not_a_list', 'max_items'),
    ...when(method === 'POST', 'no_data', 'not_an_object', 'null'),
    ...when(schema.required.length > 0, 'required'),
    ...when(schema['x-at-least-one-of'] !== undefined, 'consumer_contact'),
    ...Object.values(schema.properties).flatMap((field) => fieldProblemsOf(field, method)),
  ])
}

function fieldProblemsOf(field: FieldSchema, method: Method): FieldProblemName[] {
  const isPlainText = field.type === 'string' && field.format === undefined && field.enum === undefined
  const isAmount = field.format === 'decimal'
  return [
    // A query has texts alone.
    ...when(isPlainText && method === 'POST', 'not_a_string'),
    ...(field.format === undefined ? [] : [formatProblems[field.format]]),
    ...when(
      isAmount,
      'max_string_length',
      'max_digits',
      'max_decimal_places',
      'max_whole_digits',
      'min_value',
    ),
    ...when(!isAmount && field.maxLength !== undefined, 'max_length'),
    ...when(field.minLength !== undefined, 'blank'),
    ...when(field.enum !== undefined, 'not_a_choice'),
    ...when(field.type === 'integer', 'not_an_integer'),
    ...when(field.minimum !== undefined, 'min_value'),
    ...when(field['x-null-characters'] === false, 'null_characters'),
    ...when(field['x-surrogate-characters'] === false, 'surrogate_characters'),
  ]
}

function when(condition: boolean, ...names: FieldProblemName[]): FieldProblemName[] {
  return condition ? names : []
}
