/** What clients are made of, whatever their language: the methods that the document's operations come to. */
import type { ApiDocument } from '../../http/api/openapi/document.ts'

export interface SchemaPart {
  $ref?: string
  description?: string
  type?: string | readonly string[]
  enum?: readonly string[]
  properties?: Readonly<Record<string, SchemaPart>>
  required?: readonly string[]
  items?: SchemaPart
  oneOf?: readonly SchemaPart[]
}

export interface OperationPart {
  operationId: string
  summary: string
  description: string
  tags: readonly string[]
  security: readonly object[]
  'x-repetition': string
  parameters: readonly {
    name: string
    in: string
    required?: boolean
    description: string
    schema: SchemaPart
  }[]
  requestBody?: { content: { 'application/json': { schema: SchemaPart } } }
  responses: Readonly<
    Record<string, { content: { 'application/json': { schema: SchemaPart }; 'text/csv'?: unknown } }>
  >
  /** Of a method that asks for another form than JSON. */
  format?: 'csv'
  isDryRun?: true
}

/** A method of a client. */
export interface ClientMethod {
  /** With the API's base, and `{name}` for what is filled in. */
  path: string
  /** In capitals. */
  method: string
  operation: OperationPart
}

export type Party = 'merchant' | 'provider'

export function clientMethods(document: ApiDocument, party: Party): ClientMethod[] {
  const base = String(document.servers[0]?.url ?? '')
  return Object.entries(document.paths)
    .flatMap(([path, item]) =>
      Object.entries(item).map(([method, part]) => ({ path, method, operation: operationOf(part) })),
    )
    .filter(({ operation: { tags, security } }) => {
      const key = party === 'merchant' ? 'MerchantKey' : 'ProviderKey'
      return tags.includes(party) || (tags.includes('sandbox') && security.some((one) => key in one))
    })
    .flatMap(({ path, method, operation }) =>
      methodsOf(operation).map((one) => ({
        path: `${base}${path}`,
        method: method.toUpperCase(),
        operation: one,
      })),
    )
}

export function schemasOf(document: ApiDocument): [name: string, schema: SchemaPart][] {
  return Object.entries(document.components.schemas ?? {})
}

/** What a method answers with when all is well. */
export function answerOf({ responses }: OperationPart): SchemaPart {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  if (success === undefined) throw new Error('An operation has no answer.')
  return success.content['application/json'].schema
}

export function nameOf(reference: string): string {
  return reference.split('/').at(-1) ?? ''
}

/** The document is what `describeApi` makes; the linters see to its form. */
function operationOf(part: unknown): OperationPart {
  return part as OperationPart
}

/** What a client asks for as JSON; where there is one, its table as a text, or its dry run. */
function methodsOf(operation: OperationPart): OperationPart[] {
  const { operationId, summary, parameters, responses } = operation
  if (parameters.some(({ name }) => name === 'Dry-Run')) return [made(operation), dryRunOf(operation)]
  const without = (...names: string[]) => parameters.filter(({ name }) => !names.includes(name))
  const success = responses['200']
  if (success?.content['text/csv'] === undefined) return [operation]
  const csv = { ...success, content: { 'application/json': { schema: { type: 'string' } } } }
  return [
    { ...operation, parameters: without('format') },
    {
      ...operation,
      operationId: `${operationId}Csv`,
      summary: `${summary} as a table`,
      description: 'All its lines, for spreadsheets (CSV).',
      parameters: without('format', 'limit', 'cursor'),
      responses: { 200: csv },
      format: 'csv',
    },
  ]
}

/** The answer to what was really made. */
function made(operation: OperationPart): OperationPart {
  const { 200: _, ...responses } = operation.responses
  return { ...operation, responses }
}

function dryRunOf(operation: OperationPart): OperationPart {
  return {
    ...operation,
    operationId: `${operation.operationId}DryRun`,
    summary: `${operation.summary}: a dry run`,
    description: 'Everything is checked, and nothing is written.',
    'x-repetition': 'freely',
    isDryRun: true,
  }
}
