/** The text formats that the settings' schema names, as ajv wants them. */
import { isIP } from 'node:net'
import { validate } from 'node-cron'

export type DatabaseSetting =
  | { readonly engine: 'sqlite' /** As written: relative to the working directory. */; readonly file: string }
  | { readonly engine: 'postgres'; readonly url: string }

/** Reads a database URL; `null` when it is none. */
export function parseDatabase(text: string): DatabaseSetting | null {
  if (/^postgres(ql)?:\/\/./.test(text)) return URL.canParse(text) ? { engine: 'postgres', url: text } : null
  const file = /^sqlite:(?<file>.+)$/.exec(text)?.groups?.file
  // `sqlite://data/x.db` would silently mean `/data/x.db`; a database in memory would forget its orders.
  if (file === undefined || /^\/\/[^/]/.test(file) || file.startsWith(':memory:')) return null
  return { engine: 'sqlite', file }
}

function parseHttpUrl(text: string): URL | null {
  const url = URL.parse(text)
  return url && (url.protocol === 'http:' || url.protocol === 'https:') ? url : null
}

function isNetwork(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/')
  const family = isIP(address)
  if (family === 0 || more.length > 0) return false
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128))
}

function isBaseUrl(text: string): boolean {
  const url = parseHttpUrl(text)
  return url !== null && !/[?#]/.test(text) && url.username === '' && url.password === ''
}

export const settingFormats: Readonly<Record<string, (text: string) => boolean>> = {
  'http-url': (text) => parseHttpUrl(text) !== null,
  'base-url': isBaseUrl,
  origin: (text) => isBaseUrl(text) && URL.parse(text)?.pathname === '/',
  network: isNetwork,
  host: (text) => isIP(text) !== 0 || /^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?\.?$/i.test(text),
  'database-url': (text) => parseDatabase(text) !== null,
  // Whoever pastes the key itself must not find it in an error line or as the name of a file.
  'key-path': (text) => !/^[A-Za-z0-9+/_-]{43}=?$/.test(text.trim()),
  schedule: (text) => text.trim().split(/\s+/).length === 5 && validate(text),
  // It becomes part of a header, so nothing in it may end the directive or the header.
  'frame-ancestor': (text) => /^(\*|'self'|https?:\/\/[a-z0-9*:.[\]-]+)$/i.test(text),
}
