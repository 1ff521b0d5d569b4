/**
 * Holds every answer against the document that the node itself serves: its status, its body, the codes of its errors.
 * The document lets answers grow; here a field that it does not name is a failure.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { ApiDocument } from '../../http/api/openapi/document.ts'
import { type FieldProblemName, fieldProblems } from '../../http/catalogue/field-problems.ts'
import { type RefusalName, refusals } from '../../http/catalogue/refusals.ts'

interface GivenAnswer {
  method: string
  path: string
  status: number
  text: string
  /** Of its content; JSON unless said otherwise. */
  type?: string | null
}

interface ResponsePart {
  content: {
    'text/csv'?: unknown
    'application/json': { schema: { $ref: string }; examples?: Record<string, unknown> }
  }
}

interface DocumentedOperation {
  operationId: string
  responses: Readonly<Record<string, ResponsePart>>
}

const base = '/api/v1'

/** Throws when an answer is not as the document says. */
export function documented(document: ApiDocument): (answer: GivenAnswer) => void {
  const paths = Object.entries(document.paths).map(([template, item]) => ({
    pattern: new RegExp(`^${base}${template.replaceAll(/\{\w+\}/g, '[^/]+').replace(/\/$/, '/?')}$`),
    // Every entry of a path is an operation; the linters see to that.
    item: item as unknown as Readonly<Record<string, DocumentedOperation>>,
  }))
  const validators = schemaValidators(document)

  return (answer) => {
    const { method, status, text } = answer
    const path = answer.path.replace(/\?.*/, '')
    if (!path.startsWith(`${base}/`) || method === 'HEAD' || method === 'OPTIONS') return
    if (path === `${base}/openapi.json` || path === `${base}/docs`) return
    const item = paths.find(({ pattern }) => pattern.test(path))?.item
    const fail = (why: string) => {
      throw new Error(`${method} ${path} answered ${status} ${text}, and the document ${why}`)
    }
    if (item === undefined) return status === 404 ? undefined : fail('has no such path')
    const own = item[method.toLowerCase()]
    // A method that a path has not is refused like the ones it has.
    const operations = own === undefined ? Object.values(item) : [own]
    const responses = operations.flatMap(({ responses }) => responses[status] ?? [])
    const [response] = responses
    if (response === undefined) return fail('has no such status')
    if (answer.type?.startsWith('text/csv') === true) {
      return response.content['text/csv'] === undefined ? fail('has no such table') : undefined
    }
    const { schema } = response.content['application/json']
    const body: unknown = JSON.parse(text)
    const validate = validators(schema.$ref)
    if (!validate(body)) fail(`says ${JSON.stringify(validate.errors)}`)
    if (status < 300) return
    const names = new Set(
      responses.flatMap(({ content }) => Object.keys(content['application/json'].examples ?? {})),
    )
    for (const { code, detail } of toldErrors(body)) {
      const isKnown = [...names].some((name) => isOfEntry(name, code, detail))
      if (!isKnown) fail(`has no ${code ?? 'conflict'} "${detail}" there`)
    }
  }
}

function toldErrors(body: unknown): { code?: string; detail: string }[] {
  const told = body as { errors?: { code: string; detail: string }[]; detail: string }
  return told.errors ?? [{ detail: told.detail }]
}

/** Whether what an answer tells is this entry of the catalogue. */
export function isOfEntry(name: string, code: string | undefined, detail: string): boolean {
  const entry = Object.hasOwn(refusals, name)
    ? refusals[name as RefusalName]
    : fieldProblems[name as FieldProblemName]
  const text = entry.text
    .replaceAll(/[^\w\s{}]/g, '\\$&')
    .replaceAll(/\{\w+\}/g, '[\\s\\S]*')
    .replace('seconds', 'seconds?')
  return (code === undefined || entry.code === code) && new RegExp(`^${text}$`).test(detail)
}

function schemaValidators(document: ApiDocument): (reference: string) => ValidateFunction {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  ajv.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  ajv.addFormat('uri', (text) => URL.canParse(text))
  // Bodies of requests are held against the very schemas that validate, elsewhere.
  for (const name of ['decimal', 'email']) ajv.addFormat(name, true)
  const { schemas } = document.components
  ajv.addSchema({ $id: 'document', components: { schemas: closed(schemas) } })
  return (reference) => {
    const validate = ajv.getSchema(`document${reference}`)
    if (validate === undefined) throw new Error(`The document has no ${reference}.`)
    return validate
  }
}

/** The same schemas, without room for further fields. */
function closed(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closed)
  if (typeof part !== 'object' || part === null) return part
  const members = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, closed(value)]))
  return 'properties' in part && 'type' in part ? { ...members, additionalProperties: false } : members
}
