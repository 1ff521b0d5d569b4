/** Forms of the console and what they say. Small texts alone are sent, so the node's own reader is enough. */
import type { Context } from 'koa'
import { decodeUtf8 } from '../../actors/foundation/utf8.ts'
import { readBody } from '../foundation/body.ts'
import type { FormValues } from './page.ts'

const standardBytes = 64 * 1024
const timeoutMs = 10_000

/** `null` where it is no form, or did not arrive. */
export async function readForm(context: Context, maxBytes = standardBytes): Promise<FormValues | null> {
  if (context.request.type !== 'application/x-www-form-urlencoded') return null
  const body = await readBody(context.req, { maxBytes, timeoutMs })
  if (!body.ok) return null
  const decoded = decodeUtf8(body.value)
  if (!decoded.ok || !isUtf8Form(decoded.text)) return null
  const values = new URLSearchParams(decoded.text)
  return Object.fromEntries(
    [...values].map(([name, value]) => [name, isPassword(name) ? value : value.trim()]),
  )
}

/** URLSearchParams would put replacement characters in the place of what was meant. */
function isUtf8Form(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

const isPassword = (name: string) => /password/i.test(name)

/** Only paths of this listener: a link must not lead a signed-in operator elsewhere. */
export function ownPath(text: string | undefined, otherwise = '/'): string {
  return text !== undefined && /^\/(?![/\\])[\x21-\x7e]*$/.test(text) ? text : otherwise
}

/** Members that were filled in. */
export function filled<Members extends Record<string, string | undefined>>(
  members: Members,
): { [Name in keyof Members]?: string } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined && value !== '')
  return Object.fromEntries(entries) as { [Name in keyof Members]?: string }
}

/** `{ revision: 3 }`, or nothing where a form has none. */
export function revisionOf(values: FormValues): { revision?: number } {
  const revision = Number(values.revision)
  return Number.isInteger(revision) && revision > 0 ? { revision } : {}
}
