/** The forms that the settings' schema names: how each is read, and as ajv wants them. */
import { validate } from 'node-cron'
import { isAddress } from '../../actors/notifications/channels.ts'
import {
  type Reading,
  readBaseUrl,
  readFrameAncestor,
  readHost,
  readHttpUrl,
  readLine,
  readNetwork,
  readOrigin,
} from './addresses.ts'
import { readDatabaseUrl } from './database-url.ts'

type Form = (text: string) => Reading

/** What a form gives is read by it as it is. */
export const settingForms: Readonly<Record<string, Form>> = {
  line: readLine,
  path: readLine,
  'http-url': readHttpUrl,
  'base-url': readBaseUrl,
  origin: readOrigin,
  network: readNetwork,
  host: readHost,
  'database-url': readDatabaseUrl,
  'key-path': readKeyPath,
  schedule: readSchedule,
  'frame-ancestor': readFrameAncestor,
  address: readAddress,
}

/** Whoever pastes the key itself must not find it in an error line or as the name of a file. */
function readKeyPath(text: string): Reading {
  return /^[A-Za-z0-9+/_-]{43}=?$/.test(text.trim()) ? { problem: null } : readLine(text)
}

function readAddress(text: string): Reading {
  return isAddress(text.trim()) ? { value: text.trim() } : { problem: null }
}

function readSchedule(text: string): Reading {
  const fields = text.trim().split(/\s+/)
  const value = fields.join(' ')
  return fields.length === 5 && validate(value) ? { value } : { problem: null }
}

export const settingFormats: Readonly<Record<string, (text: string) => boolean>> = Object.fromEntries(
  Object.entries(settingForms).map(([name, read]) => [name, (text: string) => 'value' in read(text)]),
)

/** What a schema allows, in its one spelling; what it does not allow stays as it is, to be told of. */
export function spelled(schema: object, value: unknown): unknown {
  const { format, items }: { format?: unknown; items?: unknown } = schema
  if (Array.isArray(value)) {
    return typeof items === 'object' && items !== null ? value.map((item) => spelled(items, item)) : value
  }
  const read =
    typeof value === 'string' && typeof format === 'string' ? settingForms[format]?.(value) : undefined
  return read && 'value' in read ? read.value : value
}
