/**
 * Forms with a file: read to a bounded folder, and only where a form has one. The library is loaded with the first of them.
 */
import { rm } from 'node:fs/promises'
import type { Context } from 'koa'
import type { OperationError } from '../../actors/foundation/operation.ts'
import { notReceived, type Uploads } from '../../actors/foundation/uploads.ts'
import type { FormValues } from './page.ts'

export type ReadUpload =
  | { ok: true; values: FormValues }
  | { ok: false; status: number; title: string; line: string }

const notAForm = { ok: false, status: 415, title: 'Invalid form', line: 'Nothing was done.' } as const
const maxFieldBytes = 16 * 1024
const maxFields = 20

/** @param name of the field that has the file */
export async function readUpload(context: Context, uploads: Uploads, name: string): Promise<ReadUpload> {
  if (context.request.type !== 'multipart/form-data') return notAForm
  const tooLarge = refused(413, notReceived('too_large'))
  if (Number(context.headers['content-length'] ?? 0) > uploads.maxBytes + maxFieldBytes) return tooLarge
  const { koaBody } = await import('koa-body')
  const failed: Error[] = []
  const read = koaBody({
    multipart: true,
    json: false,
    text: false,
    urlencoded: false,
    patchNode: false,
    formidable: {
      uploadDir: uploads.folder(),
      hashAlgorithm: 'sha256',
      allowEmptyFiles: true,
      minFileSize: 0,
      maxFiles: 1,
      maxFields,
      maxFieldsSize: maxFieldBytes,
      maxFileSize: uploads.maxBytes,
      maxTotalFileSize: uploads.maxBytes,
    },
    onError: (error) => failed.push(error),
  })
  await read(context, async () => {})
  const [error] = failed
  if (error !== undefined)
    return 'code' in error && (error.code === 1009 || error.code === 1016) ? tooLarge : notAForm
  const written = Object.values(context.request.files ?? {}).flat()
  const [file, ...others] = written.map(fileOf)
  const values = valuesOf(context.request.body)
  const isNamed = context.request.files?.[name] !== undefined
  if (file == null || others.length > 0 || !isNamed || values === null) {
    await Promise.all(written.map(({ filepath }) => rm(filepath, { force: true })))
    return notAForm
  }
  const received = await uploads.adopt(file)
  if (!received.ok) return refused(422, notReceived(received.reason))
  return { ok: true, values: { ...values, [name]: received.upload.id } }
}

function refused(status: number, { message: line }: OperationError): Extract<ReadUpload, { ok: false }> {
  return { ok: false, status, title: 'The file is not taken', line }
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
  return Object.fromEntries(entries.map(([name, value]) => [name, value.trim()]))
}
