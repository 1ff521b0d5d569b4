/** The operations of the API's own document, as far as a request is made of them. */
import type { ApiDocument } from '../../../http/api/openapi/document.ts'

export interface FieldSchema {
  type: 'string' | 'integer'
  format?: string
  enum?: readonly string[]
  minLength?: number
  maxLength?: number
  minimum?: number
}

export interface BodySchema {
  title: string
  properties: Readonly<Record<string, FieldSchema>>
  required: readonly string[]
  'x-at-least-one-of'?: readonly string[]
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  schema: FieldSchema & { pattern?: string }
}

export interface ApiOperation {
  id: string
  method: string
  template: string
  tag: string
  parameters: readonly Parameter[]
  bodies: readonly BodySchema[]
}

export function operationsIn(document: ApiDocument): ApiOperation[] {
  const named = (reference: string) =>
    document.components.schemas?.[reference.split('/').at(-1) ?? ''] as unknown as BodySchema
  return Object.entries(document.paths).flatMap(([template, item]) =>
    Object.entries(item).map(([method, part]) => {
      const { operationId, tags, parameters, requestBody } = part as {
        operationId: string
        tags: string[]
        parameters: Parameter[]
        requestBody?: {
          content: { 'application/json': { schema: { $ref?: string; oneOf?: { $ref: string }[] } } }
        }
      }
      const schema = requestBody?.content['application/json'].schema
      const references = schema === undefined ? [] : (schema.oneOf ?? [{ $ref: schema.$ref ?? '' }])
      return {
        id: operationId,
        method: method.toUpperCase(),
        template: `/api/v1${template}`,
        tag: tags[0] ?? '',
        parameters,
        bodies: references.map(({ $ref }) => named($ref)),
      }
    }),
  )
}
