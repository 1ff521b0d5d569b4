/** The body of a request: its exact bytes first, for the signature, and only then its meaning. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Outcome } from './errors.ts'
import { type Json, parseJson } from './json.ts'

export interface BodyLimits {
  maxBytes: number
  /** From the call to the last byte. */
  timeoutMs: number
}

export const bodyLimits: BodyLimits = { maxBytes: 64 * 1024, timeoutMs: 10_000 }

/**
 * Reads the body once, as it is, and of one that is too large nothing once that is known. To be called before anything
 * else may listen to the request.
 * Refused as `body_too_large`, `request_timeout`, or `malformed_request` where the sender is gone.
 */
export function readBody(request: IncomingMessage, limits: BodyLimits): Promise<Outcome<Buffer>> {
  const tooLarge = {
    ok: false,
    refusal: { name: 'body_too_large', values: { max_bytes: limits.maxBytes } },
  } as const
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let length = 0

    const finish = (outcome: Outcome<Buffer>) => {
      clearTimeout(timer)
      request.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone)
      // Whatever the request still has to say, nobody listens, and an error without a listener would throw.
      request.on('error', () => {})
      if (!request.complete) request.pause()
      resolve(outcome)
    }
    const onData = (chunk: Buffer) => {
      length += chunk.length
      if (length <= limits.maxBytes) chunks.push(chunk)
      else finish(tooLarge)
    }
    const onEnd = () => finish({ ok: true, value: Buffer.concat(chunks, length) })
    const onGone = () => finish({ ok: false, refusal: { name: 'malformed_request' } })
    const timer = setTimeout(
      () => finish({ ok: false, refusal: { name: 'request_timeout' } }),
      limits.timeoutMs,
    )

    if (Number(request.headers['content-length'] ?? 0) > limits.maxBytes) finish(tooLarge)
    else request.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone)
  })
}

/**
 * What a body says. An empty one equals `{}` and needs no Content-Type.
 * Refused as `unsupported_encoding`, `unsupported_media_type` or `parse_error`.
 */
export function parseBody(body: Buffer, headers: IncomingHttpHeaders): Outcome<Json> {
  const encoding = headers['content-encoding']?.trim() ?? ''
  if (!['', 'identity'].includes(encoding.toLowerCase())) {
    return { ok: false, refusal: { name: 'unsupported_encoding', values: { encoding } } }
  }
  if (body.length === 0) return { ok: true, value: {} }
  const mediaType = headers['content-type'] ?? ''
  if (!isUtf8Json(mediaType)) {
    return { ok: false, refusal: { name: 'unsupported_media_type', values: { media_type: mediaType } } }
  }
  const parsed = parseJson(body)
  if (!parsed.ok) return { ok: false, refusal: { name: 'parse_error', values: { reason: parsed.reason } } }
  return { ok: true, value: parsed.json }
}

/** `application/json` with any parameters, of which `charset` must say UTF-8 where it is there. */
function isUtf8Json(mediaType: string): boolean {
  const [essence = '', ...parameters] = mediaType.split(';').map((part) => part.trim().toLowerCase())
  if (essence !== 'application/json') return false
  return parameters.every((parameter) => {
    const [name = '', value = ''] = parameter.split('=').map((part) => part.trim())
    return name !== 'charset' || ['utf-8', 'utf8'].includes(value.replace(/^"(.*)"$/, '$1'))
  })
}
