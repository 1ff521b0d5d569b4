/** What the page shows: the document's parts, resolved and in the order in which people read. */
import type { ApiDocument } from './document.ts'

export interface PageView {
  title: string
  version: string
  summary: string
  base: string
  introduction: readonly (readonly Span[])[]
  headers: readonly { name: string; description: string }[]
  groups: readonly { title: string; operations: readonly OperationView[] }[]
}

export interface Span {
  kind: 'text' | 'strong' | 'code'
  text: string
}

export interface OperationView {
  id: string
  summary: string
  description: string
  method: string
  path: string
  lists: readonly { title: string; fields: readonly FieldView[] }[]
  examples: readonly { title: string; text: string }[]
  errors: readonly { status: string; code: string; detail: string; when: string }[]
}

export interface FieldView {
  name: string
  type: string
  required: boolean
  description: string
}

/** What is known of the document's parts; `describeApi` makes them so, and the linters see to it. */
interface SchemaPart {
  $ref?: string
  title?: string
  description?: string
  type?: string | readonly string[]
  format?: string
  enum?: readonly string[]
  maxLength?: number
  properties?: Readonly<Record<string, SchemaPart>>
  required?: readonly string[]
  oneOf?: readonly SchemaPart[]
  items?: SchemaPart
}

interface ContentPart {
  content?: {
    'application/json': {
      schema: SchemaPart
      example?: unknown
      examples?: Readonly<Record<string, { $ref?: string; summary?: string; value?: unknown }>>
    }
  }
}

interface OperationPart {
  operationId: string
  summary: string
  description: string
  parameters: readonly {
    name: string
    in: string
    description: string
    required?: boolean
    schema: SchemaPart
  }[]
  requestBody?: ContentPart
  responses: Readonly<Record<string, ContentPart & { description: string }>>
}

const groupTitles: Readonly<Record<string, string>> = {
  merchant: 'Merchants',
  provider: 'Payment providers',
}

export function viewOf(document: ApiDocument): PageView {
  const info = document.info as { title: string; version: string; summary: string; description: string }
  const base = String(document.servers[0]?.url ?? '')
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, part]) => ({ path, method, part, tags: part.tags })),
  )
  const groups = Object.entries(groupTitles).map(([tag, title]) => ({
    title,
    operations: operations
      .filter(({ tags }) => Array.isArray(tags) && tags.includes(tag))
      .map(({ path, method, part }) => operationView(document, method, `${base}${path}`, part)),
  }))
  const webhooks = Object.values(document.webhooks).map(({ post }) =>
    operationView(document, 'post', 'the order’s notify_url', post),
  )
  return {
    title: info.title,
    version: info.version,
    summary: info.summary,
    base,
    introduction: info.description.split('\n\n').map(spans),
    headers: Object.values(document.components.securitySchemes ?? {}).map(({ name, description }) => ({
      name: String(name),
      description: String(description),
    })),
    groups: [...groups, { title: 'Webhooks', operations: webhooks }],
  }
}

/** Of Markdown only what the texts use: strong text and code. */
function spans(paragraph: string): Span[] {
  return paragraph.split(/(\*\*[^*]+\*\*|`[^`]+`)/).map((text) => {
    if (text.startsWith('**')) return { kind: 'strong', text: text.slice(2, -2) }
    if (text.startsWith('`')) return { kind: 'code', text: text.slice(1, -1) }
    return { kind: 'text', text }
  })
}

function operationView(document: ApiDocument, method: string, path: string, part: unknown): OperationView {
  const operation = part as OperationPart
  const { operationId, summary, description, parameters, requestBody, responses } = operation
  const asked = parameters.map(({ name, description, required, schema }) =>
    fieldView(name, { ...schema, description }, required === true),
  )
  const told = Object.entries(responses)
  const successes = told.filter(([status, { content }]) => status.startsWith('2') && content !== undefined)
  return {
    id: operationId,
    summary,
    description,
    method: method.toUpperCase(),
    path,
    lists: [
      ...(asked.length === 0 ? [] : [{ title: 'Parameters and headers', fields: asked }]),
      ...bodyLists(document, 'Body', requestBody),
      ...successes.flatMap(([status, response]) => bodyLists(document, `Answer ${status}`, response)),
    ],
    examples: [
      ...bodyExamples('Example of the body', requestBody),
      ...successes.flatMap(([status, response]) => bodyExamples(`Example of the answer ${status}`, response)),
    ],
    errors: told.flatMap(([status, response]) => errorViews(document, status, response)),
  }
}

function bodyLists(document: ApiDocument, title: string, body: ContentPart | undefined) {
  const schema = body?.content?.['application/json'].schema
  const alternatives = schema?.oneOf ?? (schema === undefined ? [] : [schema])
  return alternatives.map((alternative) => {
    const { title: name, properties = {}, required = [] } = resolve(document, alternative)
    return {
      title: `${title}: ${name}`,
      fields: Object.entries(properties).map(([field, part]) =>
        fieldView(field, part, required.includes(field)),
      ),
    }
  })
}

function resolve(document: ApiDocument, schema: SchemaPart): SchemaPart {
  if (schema.$ref === undefined) return schema
  const found = document.components.schemas?.[schema.$ref.split('/').at(-1) ?? '']
  if (found === undefined) throw new Error(`The document has no ${schema.$ref}.`)
  return found
}

function fieldView(name: string, schema: SchemaPart, required: boolean): FieldView {
  const { type = '', format, maxLength, description = '', items } = schema
  const of = items?.$ref === undefined ? '' : ` of ${items.$ref.split('/').at(-1)}`
  const plain = typeof type === 'string' ? type : type.join(' or ')
  const values = schema.enum === undefined ? '' : `: ${schema.enum.join(', ')}`
  const limit = maxLength === undefined || format === 'decimal' ? '' : `, at most ${maxLength} characters`
  return {
    name,
    type: `${format ?? plain}${of}${values}${limit}`,
    required,
    description: description.replaceAll('`', ''),
  }
}

function bodyExamples(title: string, body: ContentPart | undefined) {
  const { example, examples = {} } = body?.content?.['application/json'] ?? {}
  const one = example === undefined ? [] : [{ title, text: JSON.stringify(example, null, 2) }]
  const several = Object.entries(examples).map(([name, { value }]) => ({
    title: `${title}: ${name}`,
    text: JSON.stringify(value, null, 2),
  }))
  return [...one, ...several]
}

function errorViews(document: ApiDocument, status: string, response: ContentPart) {
  const examples = response.content?.['application/json'].examples ?? {}
  return Object.keys(examples).map((name) => {
    const { summary, value } = document.components.examples?.[name] ?? {}
    const body = value as { detail?: string; errors?: readonly { code: string; detail: string }[] }
    const [error] = body.errors ?? []
    return {
      status,
      code: error?.code ?? '',
      detail: error?.detail ?? body.detail ?? '',
      when: String(summary),
    }
  })
}
