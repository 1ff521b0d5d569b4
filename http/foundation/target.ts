/** The target of a request as it was sent: nothing in it is decoded, joined or cleaned up. */

export interface Target {
  path: string
  /** With its question mark; `''` where there is none. */
  query: string
}

/**
 * Reads a target in origin or absolute form (RFC 9112, part 3.2); `null` for any other, and for one with a
 * fragment, which belongs to no request.
 */
export function readTarget(target: string): Target | null {
  const origin = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]+/i, '')
  const [, path, query] = /^(\/[^?#]*)(\?[^#]*)?$/.exec(origin) ?? []
  return path === undefined ? null : { path, query: query ?? '' }
}
