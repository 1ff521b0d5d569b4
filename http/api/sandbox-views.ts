/** What parties of a sandbox see: protocol 18. */
import { formatInstant } from '../../machines/time.ts'
import type { LoggedRequest } from './request-log.ts'

export interface RequestView {
  request_id: string
  at: string
  key: string
  method: string
  path: string
  status: number
  refused: string | null
  milliseconds: number
  body: string | null
  mistake: string | null
  signed_string: string | null
  differs_at: number | null
  clock_offset: string | null
}

export function viewOfRequest(request: LoggedRequest): RequestView {
  const { id, at, key, method, path, status, refused, milliseconds, body, signature } = request
  const offset = signature?.clockOffsetSeconds ?? null
  return {
    request_id: id,
    at: formatInstant(at),
    ...{ key, method, path, status, refused, milliseconds, body },
    mistake: signature?.mistake ?? null,
    signed_string: signature?.signedString ?? null,
    differs_at: signature?.differsAt ?? null,
    clock_offset: offset === null ? null : `${offset} s`,
  }
}
