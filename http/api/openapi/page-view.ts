/** What the page shows: the document's parts, resolved and in the order in which people read. */
import type { ApiDocument } from './document.ts'
import type { SampleParts } from './samples.ts'

export interface PageView {
  title: string
  version: string
  summary: string
  base: string
  /** No money is behind the node. */
  isSandbox: boolean
  introduction: readonly (readonly Span[])[]
  headers: readonly { name: string; description: string }[]
  groups: readonly { title: string; operations: readonly OperationView[] }[]
  /** What the node sends: not asked, but told. */
  webhooks: readonly WebhookView[]
}

export interface WebhookView {
  summary: string
  description: string
  headers: readonly (FieldView & { example: string })[]
  fields: readonly FieldView[]
  /** The body of an example. */
  body: unknown
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
  /** What is sent, and what comes back. */
  asked: readonly { title: string; fields: readonly FieldView[] }[]
  told: readonly { title: string; fields: readonly FieldView[] }[]
  /** Bodies that can be sent, with all that they may have. */
  bodies: readonly { title: string; text: string }[]
  answers: readonly { title: string; text: string }[]
  sample: SampleParts
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
  anyOf?: readonly { required?: readonly string[] }[]
  items?: SchemaPart
}

interface ParameterPart {
  name: string
  in: string
  description: string
  required?: boolean
  schema: SchemaPart
  example?: unknown
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
  'x-repetition'?: string
  summary: string
  description: string
  parameters: readonly ParameterPart[]
  requestBody?: ContentPart
  responses: Readonly<Record<string, ContentPart & { description: string }>>
}

const groupTitles = {
  merchant: 'Merchants',
  provider: 'Payment providers',
  sandbox: 'In a sandbox',
} as const
type Party = 'merchant' | 'provider'

export function viewOf(document: ApiDocument): PageView {
  const info = document.info as { title: string; version: string; summary: string; description: string }
  const base = String(document.servers[0]?.url ?? '')
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, part]) => ({ path, method, part, tags: part.tags })),
  )
  const isTold = (tag: string) => document.tags.some(({ name }) => name === tag)
  const groups = (['merchant', 'provider', 'sandbox'] as const).filter(isTold).map((tag) => ({
    title: groupTitles[tag],
    operations: operations
      .filter(({ tags }) => Array.isArray(tags) && tags.includes(tag))
      .map(({ path, method, part }) =>
        operationView(document, {
          method,
          path: `${base}${path}`,
          // Both kinds ask there; the samples are a merchant's.
          party: tag === 'sandbox' ? 'merchant' : tag,
          operation: operationOf(part),
        }),
      ),
  }))
  return {
    title: info.title,
    version: info.version,
    summary: info.summary,
    base,
    isSandbox: isTold('sandbox'),
    introduction: info.description.split('\n\n').map(spans),
    headers: Object.values(document.components.securitySchemes ?? {}).map(({ name, description }) => ({
      name: String(name),
      description: String(description),
    })),
    groups,
    webhooks: Object.values(document.webhooks).map(({ post }) => webhookView(document, operationOf(post))),
  }
}

/** Of Markdown only what the texts use: strong text and code. */
/** What Markdown says of a text, as far as the document uses it. */
export function spans(paragraph: string): Span[] {
  return paragraph.split(/(\*\*[^*]+\*\*|`[^`]+`)/).map((text) => {
    if (text.startsWith('**')) return { kind: 'strong', text: text.slice(2, -2) }
    if (text.startsWith('`')) return { kind: 'code', text: text.slice(1, -1) }
    return { kind: 'text', text }
  })
}

/** The document is what `describeApi` makes; the linters see to its form. */
function operationOf(part: unknown): OperationPart {
  return part as OperationPart
}

interface Described {
  method: string
  path: string
  party: Party
  operation: OperationPart
}

function operationView(document: ApiDocument, { method, path, party, operation }: Described): OperationView {
  const { operationId, summary, description, parameters, requestBody, responses } = operation
  const asked = parameters.map(({ name, description, required, schema }) =>
    fieldView(name, { ...schema, description }, required === true),
  )
  const told = Object.entries(responses)
  const successes = told.filter(([status, { content }]) => status.startsWith('2') && content !== undefined)
  const bodies = examplesOf(requestBody)
  const examples = (place: string, isWanted: (one: ParameterPart) => boolean) =>
    parameters
      .filter((one) => one.in === place && isWanted(one))
      .map(({ name, example }) => ({ name, value: String(example) }))
  return {
    id: operationId,
    summary,
    description,
    method: method.toUpperCase(),
    path,
    asked: [
      ...(asked.length === 0 ? [] : [{ title: 'Parameters and headers', fields: asked }]),
      ...bodyLists(document, 'Body', requestBody),
    ],
    told: successes.flatMap(([status, response]) => bodyLists(document, `Answer ${status}`, response)),
    bodies: bodies.map(({ name, value }) => ({ title: name, text: JSON.stringify(value, null, 2) })),
    answers: successes.flatMap(([status, response]) =>
      examplesOf(response).map(({ value }) => ({ title: status, text: JSON.stringify(value, null, 2) })),
    ),
    errors: told.flatMap(([status, response]) => errorViews(document, status, response)),
    sample: {
      id: operationId,
      party,
      method: method.toUpperCase(),
      path,
      inPath: examples('path', () => true),
      inQuery: examples('query', ({ required }) => required === true),
      body: leastBody(document, requestBody),
      isCreation: operation['x-repetition'] === 'idempotency_key',
    },
  }
}

function webhookView(document: ApiDocument, operation: OperationPart): WebhookView {
  const { summary, description, parameters, requestBody } = operation
  return {
    summary,
    description,
    headers: parameters.map(({ name, description, schema, example }) => ({
      ...fieldView(name, { ...schema, description }, true),
      example: String(example),
    })),
    fields: bodyLists(document, 'Body', requestBody).flatMap(({ fields }) => fields),
    body: examplesOf(requestBody)[0]?.value,
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

/** The example of a body with no more than it has to have; an expiry that is not over when it is tried. */
function leastBody(document: ApiDocument, body: ContentPart | undefined): unknown {
  const [example] = examplesOf(body)
  const schema = body?.content?.['application/json'].schema
  const [first = schema] = schema?.oneOf ?? []
  if (example === undefined || first === undefined) return undefined
  const { required = [], anyOf = [] } = resolve(document, first)
  const needed = new Set([...required, ...(anyOf[0]?.required ?? [])])
  const members = Object.entries(example.value ?? {}).filter(([name]) => needed.has(name))
  return Object.fromEntries(
    members.map(([name, value]) => [name, name === 'expiry' ? '2030-12-31T18:00:00Z' : value]),
  )
}

function examplesOf(body: ContentPart | undefined): { name: string; value: unknown }[] {
  const { example, examples = {} } = body?.content?.['application/json'] ?? {}
  const several = Object.entries(examples).map(([name, { value }]) => ({ name, value }))
  return example === undefined ? several : [{ name: 'example', value: example }, ...several]
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
