/** What a route says of itself, so that the API's document follows from the routes by itself. */
import type { FieldProblemName } from '../catalogue/field-problems.ts'
import type { RefusalName } from '../catalogue/refusals.ts'
import type { AnswerName } from './openapi/answers.ts'
import type { RequestName } from './schemas.ts'

/**
 * How a request may be sent again when its answer was lost (protocol 5.6). freely: it
 * changes nothing, or nothing more. message: the same signed bytes. idempotency_key: under the same
 * Idempotency-Key.
 */
export type Repetition = 'freely' | 'message' | 'idempotency_key'

/** A part of the document: JSON. */
export type Part = Readonly<Record<string, unknown>>

export interface OperationDescription {
  /** Unique, for programs: `createPayOutOrder`. */
  id: string
  summary: string
  description: string
  /** The body of a POST, the query of a GET: one of these. Empty where there is none. */
  request: readonly RequestName[]
  answer: { status: 200 | 201; schema: AnswerName }
  /** What a dry run is answered; where there is none, one is refused. */
  dryRun?: AnswerName
  /** It is a table, too: with `format=csv`. */
  hasTable?: true
  repetition: Repetition
  /** What it may be refused with, besides what any signed request, path and body may. */
  refusals: readonly RefusalName[]
  /** What may be said of its fields, besides what follows from the schemas of `request`. */
  problems: readonly FieldProblemName[]
}
