/**
 * What forms send, read by koa-body: small texts, and a file only where a form has one, to a bounded folder. The library is loaded with
 * the first form.
 */
import type { Context } from 'koa'
import type { koaBody } from 'koa-body'
import type { OperationError } from '../../actors/foundation/operation.ts'
import { largerThan, notReceived, type Uploads } from '../../actors/foundation/uploads.ts'
import type { Refusal } from './answer.ts'
import type { FormFile, FormValues } from './page.ts'
import { told } from './wording.ts'

export interface ReadFormOptions {
  /** Of all fields together; a file is bounded by where it goes. */
  maxBytes?: number
  /** The field that may have a file: its value is what the file is called among those that were sent. */
  file?: FileField
}

type FileField = FormFile & { uploads: Uploads }

export type ReadForm = { ok: true; values: FormValues } | ({ ok: false } & Refusal)

const notAForm: ReadForm = {
  ok: false,
  status: 415,
  title: ({ answers }) => answers.invalidForm,
  line: ({ answers }) => answers.nothingWasDone,
}
const standardBytes = 64 * 1024
const maxFields = 60

/** Not one where it is no form, says a name twice, is too large or did not arrive. */
export async function readForm(
  context: Context,
  { maxBytes = standardBytes, file }: ReadFormOptions = {},
): Promise<ReadForm> {
  if (context.request.type === 'multipart/form-data' && file !== undefined)
    return readMultipart(context, maxBytes, file)
  if (context.request.type !== 'application/x-www-form-urlencoded') return notAForm
  if (file?.isOptional === false) return notAForm
  if (Number(context.headers['content-length'] ?? 0) > maxBytes) return notAForm
  const failed = await read(context, { urlencoded: true, includeUnparsed: true, formLimit: maxBytes })
  const { rawBody } = context.request as { rawBody?: unknown }
  if (failed.length > 0 || typeof rawBody !== 'string' || !isUtf8Form(rawBody)) return notAForm
  const values = [...new URLSearchParams(rawBody)]
  // Of two values one would be taken and the other would go unheard: a preview would book.
  if (values.length > maxFields || new Set(values.map(([name]) => name)).size < values.length) return notAForm
  return { ok: true, values: Object.fromEntries(values.map(trimmed)) }
}

type Options = Parameters<typeof koaBody>[0]

/** What went wrong; nothing but what is asked for is read. */
async function read(context: Context, options: Options): Promise<Error[]> {
  const { koaBody } = await import('koa-body')
  const failed: Error[] = []
  const nothing = { multipart: false, urlencoded: false, json: false, text: false, patchNode: false } as const
  await koaBody({ ...nothing, ...options, onError: (error) => failed.push(error) })(context, async () => {})
  return failed
}

/** Replacement characters would be put in the place of what was meant. */
function isUtf8Form(text: string): boolean {
  try {
    decodeURIComponent(text)
    return !text.includes('\ufffd')
  } catch {
    return false
  }
}

function trimmed([name, value]: readonly [string, string]): [string, string] {
  return [name, /password/i.test(name) ? value : value.trim()]
}

async function readMultipart(context: Context, maxBytes: number, file: FileField): Promise<ReadForm> {
  const { uploads, maxBytes: ownBytes = uploads.maxBytes } = file
  const maxFileSize = Math.min(ownBytes, uploads.maxBytes)
  const tooLarge = refused(
    413,
    maxFileSize < uploads.maxBytes ? largerThan(maxFileSize) : notReceived('too_large'),
  )
  if (Number(context.headers['content-length'] ?? 0) > maxFileSize + maxBytes) return tooLarge
  return uploads.inFolder(async (uploadDir) => {
    const formidable = {
      uploadDir,
      hashAlgorithm: 'sha256',
      allowEmptyFiles: true,
      minFileSize: 0,
      maxFiles: 1,
      maxFields,
      maxFieldsSize: maxBytes,
      maxFileSize,
      maxTotalFileSize: maxFileSize,
    }
    const [error] = await read(context, { multipart: true, formidable })
    if (error === undefined) return adopted(context, file)
    return 'code' in error && (error.code === 1009 || error.code === 1016) ? tooLarge : notAForm
  })
}

async function adopted({ request }: Context, { name, isOptional, uploads }: FileField): Promise<ReadForm> {
  const values = valuesOf(request.body)
  const [written, ...others] = Object.values(request.files ?? {}).flat()
  const isNamed = request.files?.[name] !== undefined
  if (values === null || written === undefined || others.length > 0 || !isNamed) return notAForm
  const file = fileOf(written)
  if (file === null) return notAForm
  if (isOptional && file.bytes === 0) return { ok: true, values: { ...values, [name]: '' } }
  const received = await uploads.adopt(file)
  if (!received.ok) return refused(422, notReceived(received.reason))
  const { originalFilename } = written
  const called = originalFilename ? { [`${name}Name`]: originalFilename.slice(0, 300) } : {}
  return { ok: true, values: { ...values, [name]: received.upload.id, ...called } }
}

function refused(status: number, { message: line }: OperationError): Extract<ReadForm, { ok: false }> {
  return { ok: false, status, title: ({ answers }) => answers.fileNotTaken, line: told(line) }
}

interface WrittenFile {
  filepath: string
  size: number
  hash?: string | object | null
}

function fileOf({ filepath: path, size: bytes, hash }: WrittenFile) {
  return typeof hash === 'string' ? { path, bytes, sha256: hash } : null
}

/** Each name once, as in any form. */
function valuesOf(body: unknown): FormValues | null {
  if (typeof body !== 'object' || body === null) return null
  const entries = Object.entries(body)
  if (!entries.every((entry): entry is [string, string] => typeof entry[1] === 'string')) return null
  return Object.fromEntries(entries.map(trimmed))
}
