/**
 * The API's OpenAPI 3.1 document: made of the routes, of the schemas that validate, of the views that answer and of
 * the catalogue of errors, so that none of it can say something else than the node does.
 */
import { STATUS_CODES } from 'node:http'
import { type FieldProblemName, fieldProblems } from '../../catalogue/field-problems.ts'
import { type RefusalName, refusals } from '../../catalogue/refusals.ts'
import type { RequestSchema } from '../field-schemas.ts'
import type { OperationDescription, Part } from '../operation.ts'
import type { Method, Route } from '../route.ts'
import { type RequestName, requestSchemas } from '../schemas.ts'
import { type AnswerSchema, schemaReference } from './answer-fields.ts'
import { answerSchemas, webhookSchemas } from './answers.ts'
import { problemExample, refusalExample } from './error-examples.ts'
import { errorSchemas } from './error-schemas.ts'
import { refusalsOf } from './refusals.ts'
import { headerComponents, parametersOf, securitySchemes } from './request-parts.ts'
import { introduction } from './texts.ts'
import { webhooks } from './webhooks.ts'

export interface ApiDocument {
  openapi: '3.1.1'
  info: Part
  servers: readonly Part[]
  tags: readonly Part[]
  security: readonly Part[]
  paths: Readonly<Record<string, Readonly<Record<string, Part>>>>
  webhooks: Readonly<Record<string, Part>>
  components: Readonly<Record<string, Readonly<Record<string, Part>>>>
}

/** @param version of the program */
export function describeApi(routes: readonly Route[], version: string): ApiDocument {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Ventanilla',
      version,
      summary: 'Cash pay-in and pay-out orders',
      description: introduction,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '/api/v1', description: 'This node' }],
    tags: [
      { name: 'merchant', description: 'What merchants ask' },
      { name: 'provider', description: 'For payment providers' },
      ...(routes.some(isOfSandbox)
        ? [{ name: 'sandbox', description: 'In a sandbox alone, for merchants and providers' }]
        : []),
      { name: 'webhook', description: 'Webhooks' },
    ],
    security: [],
    paths: Object.fromEntries(
      routes.map((route) => [route.path.replaceAll(/:(\w+)/g, '{$1}'), pathItem(route)]),
    ),
    webhooks,
    components: components(routes),
  }
}

function entriesOf(route: Route): [method: Method, operation: OperationDescription][] {
  const { GET, POST } = route.methods
  return [...(GET ? [['GET', GET] as const] : []), ...(POST ? [['POST', POST] as const] : [])].map(
    ([method, operation]) => [method, operation],
  )
}

function pathItem(route: Route): Record<string, Part> {
  return Object.fromEntries(
    entriesOf(route).map(([method, operation]) => [
      method.toLowerCase(),
      {
        operationId: operation.id,
        summary: operation.summary,
        description: operation.description,
        tags: [isOfSandbox(route) ? 'sandbox' : route.party],
        security: keysOf(route).map((key) => ({ [key]: [], MessageDate: [], MessageHash: [] })),
        'x-repetition': operation.repetition,
        parameters: parametersOf(route, method, operation),
        ...(method === 'POST' && operation.request.length > 0 ? { requestBody: requestBody(operation) } : {}),
        responses: responses(route, method, operation),
      },
    ]),
  )
}

/** Merchants and providers find them under one heading. */
function isOfSandbox({ path }: Route): boolean {
  return path.startsWith('/sandbox/')
}

function keysOf({ party }: Route): readonly ('MerchantKey' | 'ProviderKey')[] {
  if (party === 'either') return ['MerchantKey', 'ProviderKey']
  return [party === 'merchant' ? 'MerchantKey' : 'ProviderKey']
}

function requestBody({ request }: OperationDescription): Part {
  const schemas: RequestSchema[] = request.map((name) => requestSchemas[name])
  const references = schemas.map(({ title }) => schemaReference(title))
  const mapping = schemas.map(({ title }) => [title, schemaReference(title).$ref])
  const schema =
    references.length === 1
      ? references[0]
      : {
          oneOf: references,
          discriminator: { propertyName: 'order_type', mapping: Object.fromEntries(mapping) },
        }
  return {
    required: true,
    content: {
      'application/json': {
        schema,
        examples: Object.fromEntries(
          schemas.map((one) => [one.title, { summary: one.description, value: requestExample(one) }]),
        ),
      },
    },
  }
}

function requestExample(schema: RequestSchema): Part {
  const lists = Object.entries(schema.lists ?? {}).map(([name, { item }]) => [
    name,
    [exampleOf(requestSchemas[item])],
  ])
  return { ...exampleOf(schema), ...Object.fromEntries(lists) }
}

function exampleOf(schema: RequestSchema | AnswerSchema): Part {
  const properties: Readonly<Record<string, { examples?: readonly unknown[]; items?: { $ref: string } }>> =
    schema.properties
  return Object.fromEntries(
    Object.entries(properties).map(([name, { examples = [], items }]) => [
      name,
      items === undefined ? examples[0] : [exampleOf(itemSchema(items.$ref))],
    ]),
  )
}

/** What a list holds, such as an order as its schema shows it. */
function itemSchema(reference: string): AnswerSchema {
  const schema = Object.values<AnswerSchema>(answerSchemas).find(
    ({ title }) => schemaReference(title).$ref === reference,
  )
  if (schema === undefined) throw new Error(`No answer has the schema ${reference}.`)
  return schema
}

function itemsOf({ properties }: AnswerSchema): AnswerSchema[] {
  return Object.values(properties).flatMap(({ items }) =>
    items === undefined ? [] : [itemSchema(items.$ref)],
  )
}

const rateLimitHeaders = {
  'RateLimit-Limit': { $ref: '#/components/headers/RateLimit-Limit' },
  'RateLimit-Remaining': { $ref: '#/components/headers/RateLimit-Remaining' },
  'RateLimit-Reset': { $ref: '#/components/headers/RateLimit-Reset' },
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimit-Policy' },
  RateLimit: { $ref: '#/components/headers/RateLimit' },
}
const replayed = { 'Idempotency-Replayed': { $ref: '#/components/headers/Idempotency-Replayed' } }

function responses(route: Route, method: Method, operation: OperationDescription): Part {
  const answer: AnswerSchema = answerSchemas[operation.answer.schema]
  const refused = refusalsOf(operation, { method, path: route.path, takesQuery: route.takesQuery === true })
  return {
    ...(operation.dryRun === undefined ? {} : { 200: dryRunResponse(answerSchemas[operation.dryRun]) }),
    [operation.answer.status]: {
      description: answer.description,
      headers: { ...rateLimitHeaders, ...(method === 'POST' ? replayed : {}) },
      content: {
        'application/json': { schema: schemaReference(answer.title), example: exampleOf(answer) },
        ...(operation.hasTable === true ? { 'text/csv': { schema: { type: 'string' } } } : {}),
      },
    },
    ...Object.fromEntries([...refused].map(([status, names]) => [status, refusalResponse(status, names)])),
  }
}

function dryRunResponse(answer: AnswerSchema): Part {
  return {
    description: answer.description,
    headers: { ...rateLimitHeaders, 'Dry-Run': { $ref: '#/components/headers/Dry-Run' } },
    content: { 'application/json': { schema: schemaReference(answer.title), example: exampleOf(answer) } },
  }
}

function refusalResponse(status: number, names: readonly (RefusalName | FieldProblemName)[]): Part {
  const headers = {
    ...(status === 429
      ? { ...rateLimitHeaders, 'Retry-After': { $ref: '#/components/headers/Retry-After' } }
      : {}),
    ...(names.includes('draining') ? { 'Retry-After': { $ref: '#/components/headers/Retry-After' } } : {}),
    ...(status === 405 ? { Allow: { $ref: '#/components/headers/Allow' } } : {}),
  }
  return {
    description: STATUS_CODES[status] ?? String(status),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    content: {
      'application/json': {
        schema: schemaReference(status === 400 ? 'Invalid' : status === 409 ? 'Conflict' : 'Refusal'),
        examples: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/examples/${name}` }])),
      },
    },
  }
}

function isRefusal(name: RefusalName | FieldProblemName): name is RefusalName {
  return Object.hasOwn(refusals, name)
}

function components(routes: readonly Route[]): ApiDocument['components'] {
  const described = routes.flatMap((route) =>
    entriesOf(route).map(([method, operation]) => ({ route, method, operation })),
  )
  const requests = new Set<RequestName>(
    // A query's fields are parameters.
    described.flatMap(({ method, operation }) =>
      method === 'POST'
        ? operation.request.flatMap((name) => [name, ...itemsOfRequest(requestSchemas[name])])
        : [],
    ),
  )
  const whole = described.flatMap(({ operation: { answer, dryRun } }): AnswerSchema[] => [
    answerSchemas[answer.schema],
    ...(dryRun === undefined ? [] : [answerSchemas[dryRun]]),
  ])
  const answers = new Set([...whole, ...whole.flatMap(itemsOf)])
  const names = new Set(
    described
      .flatMap(({ route, method, operation }) => [
        ...refusalsOf(operation, {
          method,
          path: route.path,
          takesQuery: route.takesQuery === true,
        }).values(),
      ])
      .flat(),
  )
  return {
    schemas: unique([
      ...[...requests].map((name) =>
        named(withAlternatives(requestSchemas[name]), requestSchemas[name].title),
      ),
      ...[...answers].map((schema) => named(schema, schema.title)),
      ...Object.values(webhookSchemas).map((schema) => named(schema, schema.title)),
      ...Object.values(errorSchemas).map((schema) => named(schema, schema.title)),
    ]),
    securitySchemes,
    headers: headerComponents,
    examples: Object.fromEntries(
      [...names].map((name) => [
        name,
        isRefusal(name)
          ? { summary: refusals[name].when, value: refusalExample(name) }
          : { summary: fieldProblems[name].when, value: problemExample(name) },
      ]),
    ),
  }
}

const named = (schema: object, title: string): [name: string, schema: Part] => [title, { ...schema }]

function unique(schemas: readonly (readonly [name: string, schema: Part])[]): Record<string, Part> {
  const byName = Object.fromEntries(schemas)
  if (Object.keys(byName).length < schemas.length) throw new Error('Two schemas have one title.')
  return byName
}

function itemsOfRequest({ lists = {} }: RequestSchema): RequestName[] {
  return Object.values(lists).map(({ item }) => item)
}

/** What `x-at-least-one-of` means to programs that do not know it. */
function withAlternatives(schema: RequestSchema): Part {
  const { 'x-at-least-one-of': names, lists, ...plain } = schema
  if (lists !== undefined) {
    const arrays = Object.entries(lists).map(([name, { description, item, maxItems }]) => [
      name,
      { type: 'array', description, items: schemaReference(requestSchemas[item].title), maxItems },
    ])
    return {
      ...plain,
      properties: { ...plain.properties, ...Object.fromEntries(arrays) },
      required: [...plain.required, ...Object.keys(lists)],
    }
  }
  if (names === undefined) return { ...schema }
  return { ...schema, anyOf: names.map((name) => ({ required: [name] })) }
}
