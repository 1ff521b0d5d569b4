/**
 * Requests made of the API's own document: each of its operations, asked as the document says or with one thing of it
 * changed. What is made depends on fast-check's seed and on what the world has.
 */
import fc from 'fast-check'
import { changedBody, type Header, oddHeader, oddPart, oddQuery } from './odd.ts'
import type { ApiOperation, Parameter } from './operations.ts'
import { type KnownThings, validBody, validText } from './values.ts'

export interface ApiRequest {
  operation: ApiOperation
  method: string
  /** With its query. */
  path: string
  headers: readonly (readonly [name: string, value: string])[]
  body: Buffer
  /** Whether the document has nothing against it. */
  isValid: boolean
  /** For a person: what was changed. */
  change: string
}

interface Plain {
  path: string
  query: Record<string, string>
  body: Record<string, unknown> | null
  key: string | undefined
}

function plainRequest(operation: ApiOperation, known: KnownThings): fc.Arbitrary<Plain> {
  const of = (place: Parameter['in']) => operation.parameters.filter((parameter) => parameter.in === place)
  const record = (parameters: readonly Parameter[]) =>
    fc.record(
      Object.fromEntries(parameters.map(({ name, schema }) => [name, validText(name, schema, known)])),
      {
        requiredKeys: parameters.flatMap(({ name, required }) => (required ? [name] : [])),
      },
    )
  return fc.record({
    path: record(of('path')).map((values) =>
      operation.template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? '')),
    ),
    query: record(of('query')) as fc.Arbitrary<Record<string, string>>,
    body:
      operation.bodies.length === 0
        ? fc.constant(null)
        : fc.oneof(...operation.bodies.map((body) => validBody(body, known))),
    key: fc.option(fc.stringMatching(/^[!#-~]{1,40}$/), { nil: undefined, freq: 4 }),
  })
}

/** Half of them as the document says, half with one thing changed. */
export function apiRequests(operation: ApiOperation, known: KnownThings): fc.Arbitrary<ApiRequest> {
  return plainRequest(operation, known).chain((plain) => {
    const { path, query, body, key } = plain
    const search = new URLSearchParams(query).toString()
    const headers: Header[] = [
      ...(body === null ? [] : [['Content-Type', 'application/json'] as const]),
      ...(key === undefined || operation.method !== 'POST' ? [] : [['Idempotency-Key', key] as const]),
    ]
    const request: ApiRequest = {
      operation,
      method: operation.method,
      path: search === '' ? path : `${path}?${search}`,
      headers,
      body: Buffer.from(body === null ? '' : JSON.stringify(body)),
      isValid: true,
      change: 'nothing',
    }
    const changed = (change: string, more: Partial<ApiRequest>): ApiRequest => ({
      ...request,
      ...more,
      isValid: false,
      change,
    })
    return fc.oneof(
      { weight: 8, arbitrary: fc.constant(request) },
      {
        weight: body === null ? 1 : 6,
        arbitrary: changedBody(body ?? {}).map(([change, bytes]) =>
          changed(change, {
            body: bytes,
            headers: [['Content-Type', 'application/json'], ...headers.slice(1)],
          }),
        ),
      },
      {
        weight: 1,
        arbitrary: oddHeader.map((header) =>
          changed(header.join(': '), {
            headers: [...headers.filter(([name]) => name !== header[0]), header],
          }),
        ),
      },
      {
        weight: 1,
        arbitrary: oddHeader.map((header) =>
          changed(`twice ${header[0]}`, { headers: [...headers, header, header] }),
        ),
      },
      {
        weight: 1,
        arbitrary: fc
          .constantFrom('GET', 'POST', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND')
          .map((method) => changed(method, { method })),
      },
      {
        weight: 1,
        arbitrary: oddPart.map((part) =>
          changed('an odd path', { path: path.replace(/[^/]+\/$/, `${part}/`) }),
        ),
      },
      {
        weight: operation.method === 'GET' ? 3 : 1,
        arbitrary: oddQuery.map((odd) => changed(`query ${odd}`, { path: path + odd })),
      },
    )
  })
}
