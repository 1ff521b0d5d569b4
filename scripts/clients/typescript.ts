/** The TypeScript client's types and table of operations, from the document. */
import type { ApiDocument } from '../../http/api/openapi/document.ts'
import {
  answerOf,
  clientMethods,
  nameOf,
  type OperationPart,
  type Party,
  type SchemaPart,
  schemasOf,
} from './operations.ts'

const parties: readonly Party[] = ['merchant', 'provider']

/** The text of `client/api.ts`. */
export function typescriptClient(document: ApiDocument): string {
  return [
    '/** Made from the OpenAPI document by scripts/client-types.ts: not to be edited. */\n',
    ...schemasOf(document).map(([name, schema]) => declaration(name, schema)),
    ...parties.map((party) =>
      [
        `/** What a ${party} asks, by the operation's id. */`,
        `export interface ${party === 'merchant' ? 'Merchant' : 'Provider'}Operations {`,
        ...clientMethods(document, party).map(({ operation }) => operationType(operation)),
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
    ...parties.map((party) =>
      [
        `export const ${party}Operations = {`,
        ...clientMethods(document, party).map(
          ({ path, method, operation }) => `  ${operation.operationId}: ${entryOf(operation, method, path)},`,
        ),
        `} as const satisfies Record<keyof ${party === 'merchant' ? 'Merchant' : 'Provider'}Operations, OperationEntry>\n`,
      ].join('\n'),
    ),
  ].join('\n')
}

function declaration(name: string, schema: SchemaPart): string {
  return `${comment(schema.description, '')}export interface ${name} ${typeOf(schema, '')}\n`
}

function comment(text: string | undefined, indent: string): string {
  return text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '* /')} */\n`
}

function typeOf(schema: SchemaPart, indent: string): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref)
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

function operationType(operation: OperationPart): string {
  const { operationId, summary, description, parameters, requestBody } = operation
  const inPath = parameters.filter((parameter) => parameter.in === 'path')
  const inQuery = parameters.filter((parameter) => parameter.in === 'query')
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
    `    answer: ${typeOf(answerOf(operation), '    ')}`,
    '  }',
  ].join('\n')
}
