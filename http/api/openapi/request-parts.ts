/** What stands around the bodies: parameters, headers, and how a request is signed. */

import type { RequestSchema } from '../field-schemas.ts'
import type { OperationDescription, Part } from '../operation.ts'
import type { Method, Route } from '../route.ts'
import { requestSchemas } from '../schemas.ts'
import { dryRunText, idempotencyKeyText, pathParameterTexts, securityTexts } from './texts.ts'

const header = (name: string, description: string): Part => ({
  type: 'apiKey',
  in: 'header',
  name,
  description,
})

export const securitySchemes = {
  MerchantKey: header('Merchant-Key', securityTexts.MerchantKey),
  ProviderKey: header('Provider-Key', securityTexts.ProviderKey),
  MessageDate: header('Message-Date', securityTexts.MessageDate),
  MessageHash: header('Message-Hash', securityTexts.MessageHash),
}

const count = (description: string, example: number): Part => ({
  description,
  schema: { type: 'integer', minimum: 0 },
  example,
})

const line = (description: string, example: string): Part => ({
  description,
  schema: { type: 'string' },
  example,
})

export const headerComponents = {
  'RateLimit-Limit': count('Requests a minute that the key may make', 1200),
  'RateLimit-Remaining': count('How many of them are left', 1199),
  'RateLimit-Reset': count('Seconds until all are available again', 60),
  'RateLimit-Policy': line(
    'The same limit as a structured field: requests in so many seconds',
    '"requests";q=1200;w=60',
  ),
  RateLimit: line('What is left of it as a structured field', '"requests";r=1199;t=60'),
  'Idempotency-Replayed': line('`true` where this is the answer of an earlier request', 'true'),
  'Dry-Run': line('Always `true`: nothing was written', 'true'),
  'Retry-After': count('Seconds to wait', 30),
  Allow: { description: 'The methods of this path', schema: { type: 'string' }, example: 'GET, HEAD' },
}

export function parametersOf(route: Route, method: Method, operation: OperationDescription): Part[] {
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => pathParameter(name))
  const query =
    method === 'GET' && route.takesQuery === true ? operation.request.flatMap(queryParameters) : []
  const inHeader = method === 'POST' ? [idempotencyKey] : []
  if (operation.dryRun !== undefined) inHeader.push(dryRun)
  return [...inPath, ...query, ...inHeader]
}

function pathParameter(name: string): Part {
  const text = pathParameterTexts[name]
  if (text === undefined)
    throw new Error(`http/api/openapi/texts.ts does not describe the path parameter ${name}.`)
  const { description, example, format } = text
  return {
    name,
    in: 'path',
    required: true,
    description,
    schema: { type: 'string', ...(format === undefined ? {} : { format }) },
    example,
  }
}

function queryParameters(name: OperationDescription['request'][number]): Part[] {
  const { properties, required }: RequestSchema = requestSchemas[name]
  return Object.entries(properties).map(([field, { description, examples, ...schema }]) => ({
    name: field,
    in: 'query',
    ...(required.includes(field) ? { required: true } : {}),
    description,
    schema,
    example: examples[0],
  }))
}

const idempotencyKey: Part = {
  name: 'Idempotency-Key',
  in: 'header',
  description: idempotencyKeyText,
  schema: { type: 'string', pattern: '^[\\x20-\\x7e]{1,255}$' },
  example: 'order-1234-creation',
}

const dryRun: Part = {
  name: 'Dry-Run',
  in: 'header',
  description: dryRunText,
  schema: { type: 'string', enum: ['true', 'false'] },
  example: 'false',
}
