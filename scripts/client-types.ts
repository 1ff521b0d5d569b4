/**
 * Writes the SDK's types from the document that a node serves: `npm run client-types`.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import type { ApiDocument } from '../http/api/openapi/document.ts'
import { startNode } from '../node/node.ts'
import { loadSettings } from '../node/settings/config.ts'

const target = new URL('../client/api.ts', import.meta.url)

interface SchemaPart {
  $ref?: string
  description?: string
  type?: string | readonly string[]
  enum?: readonly string[]
  properties?: Readonly<Record<string, SchemaPart>>
  required?: readonly string[]
  items?: SchemaPart
  oneOf?: readonly SchemaPart[]
}

interface OperationPart {
  operationId: string
  summary: string
  description: string
  tags: readonly string[]
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

/** The text of `client/api.ts`. */
export function clientTypes(document: ApiDocument): string {
  const schemas: [string, SchemaPart][] = Object.entries(document.components.schemas ?? {})
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, part]) => ({ path, method, operation: operationOf(part) })),
  )
  const ofParty = (party: string) => operations.filter(({ operation }) => operation.tags.includes(party))
  const base = String(document.servers[0]?.url ?? '')
  return [
    '/** Made from the OpenAPI document by scripts/client-types.ts: not to be edited. */\n',
    ...schemas.map(([name, schema]) => declaration(name, schema)),
    ...['merchant', 'provider'].map((party) =>
      [
        `/** What a ${party} asks, by the operation's id. */`,
        `export interface ${party === 'merchant' ? 'Merchant' : 'Provider'}Operations {`,
        ...ofParty(party).flatMap(({ operation }) => methodsOf(operation).map(operationType)),
        '}\n',
      ].join('\n'),
    ),
    "export type Repetition = 'freely' | 'message' | 'idempotency_key'\n",
    'export interface OperationEntry {',
    "  method: 'GET' | 'POST'",
    '  /** With `{name}` for what is filled in. */',
    '  path: string',
    '  /** How it may be sent again when its answer was lost. */',
    '  repetition: Repetition',
    '  /** What is answered is a text of this form, and not JSON. */',
    "  format?: 'csv'",
    '  /** Everything is checked, and nothing is written. */',
    '  isDryRun?: true',
    '}\n',
    ...['merchant', 'provider'].map((party) =>
      [
        `export const ${party}Operations = {`,
        ...ofParty(party).flatMap(({ path, method, operation }) =>
          methodsOf(operation).map(
            (one) => `  ${one.operationId}: ${entryOf(one, method.toUpperCase(), `${base}${path}`)},`,
          ),
        ),
        `} as const satisfies Record<keyof ${party === 'merchant' ? 'Merchant' : 'Provider'}Operations, OperationEntry>\n`,
      ].join('\n'),
    ),
  ].join('\n')
}

/** The document is what `describeApi` makes; the linters see to its form. */
function operationOf(part: unknown): OperationPart {
  return part as OperationPart
}

function declaration(name: string, schema: SchemaPart): string {
  return `${comment(schema.description, '')}export interface ${name} ${typeOf(schema, '')}\n`
}

function comment(text: string | undefined, indent: string): string {
  return text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '* /')} */\n`
}

function typeOf(schema: SchemaPart, indent: string): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? 'never'
  if (schema.oneOf !== undefined) return schema.oneOf.map((one) => typeOf(one, indent)).join(' | ')
  if (schema.enum !== undefined) return schema.enum.map((value) => `'${value}'`).join(' | ')
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  return types.map((type) => plainType(type, schema, indent)).join(' | ')
}

function plainType(type: string, schema: SchemaPart, indent: string): string {
  if (type === 'integer') return 'number'
  if (type === 'array') {
    const item = typeOf(schema.items ?? {}, indent)
    return /[ |]/.test(item) ? `(${item})[]` : `${item}[]`
  }
  if (type !== 'object') return type
  const { properties = {}, required = [] } = schema
  const members = Object.entries(properties).map(
    ([name, property]) =>
      `${comment(property.description, `${indent}  `)}${indent}  ${name}${required.includes(name) ? '' : '?'}: ${typeOf(property, `${indent}  `)}\n`,
  )
  return `{\n${members.join('')}${indent}}`
}

function entryOf(
  { 'x-repetition': repetition, format, isDryRun }: OperationPart,
  method: string,
  path: string,
) {
  const members = { method, path, repetition, ...(format ? { format } : {}) }
  const texts = Object.entries(members).map(([name, value]) => `${name}: '${value}'`)
  return `{ ${[...texts, ...(isDryRun ? ['isDryRun: true'] : [])].join(', ')} }`
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

function operationType(operation: OperationPart): string {
  const { operationId, summary, description, parameters, requestBody, responses } = operation
  const inPath = parameters.filter((parameter) => parameter.in === 'path')
  const inQuery = parameters.filter((parameter) => parameter.in === 'query')
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  const members = [
    ...inPath.map(({ name, description }) => `${comment(description, '      ')}      ${name}: string`),
    ...(inQuery.length === 0
      ? []
      : [
          `      query${inQuery.some(({ required }) => required) ? '' : '?'}: {\n${inQuery
            .map(
              ({ name, required, description, schema }) =>
                `${comment(description, '        ')}        ${name}${required ? '' : '?'}: ${typeOf(schema, '        ')}\n`,
            )
            .join('')}      }`,
        ]),
    ...(requestBody === undefined
      ? []
      : [`      body: ${typeOf(requestBody.content['application/json'].schema, '      ')}`]),
  ]
  return [
    `  /** ${summary}. ${description} */`,
    `  ${operationId}: {`,
    members.length === 0 ? '    input: Record<string, never>' : `    input: {\n${members.join('\n')}\n    }`,
    `    answer: ${success === undefined ? 'never' : typeOf(success.content['application/json'].schema, '    ')}`,
    '  }',
  ].join('\n')
}

async function readDocument(): Promise<ApiDocument> {
  const directory = mkdtempSync(join(tmpdir(), 'ventanilla-document-'))
  const env = {
    VENTANILLA_DATABASE: `sqlite:${join(directory, 'node.db')}`,
    VENTANILLA_HTTP_PORT: '0',
    VENTANILLA_OPERATOR_PORT: '0',
  }
  const settings = loadSettings({ cwd: directory, env })
  const node = await startNode({ settings, log: pino({ level: 'silent' }), ballastBytes: 0 })
  try {
    return JSON.parse(await (await fetch(`${node.publicUrl}/api/v1/openapi.json`)).text())
  } finally {
    await node.stop()
    rmSync(directory, { recursive: true })
  }
}

if (import.meta.main) writeFileSync(target, clientTypes(await readDocument()))
