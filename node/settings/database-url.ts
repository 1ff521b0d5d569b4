/** Where the database is: the one parser of the setting, and of whatever else names a database as it does. */
import { type Reading, readHost, readLine } from './addresses.ts'

export type DatabaseSetting =
  | { readonly engine: 'sqlite' /** As written: relative to the working directory. */; readonly file: string }
  | { readonly engine: 'postgres'; readonly url: string }

/** A problem is as that of any reading: nothing of the text is in it, which may hold a password. */
export type ReadDatabase = { readonly database: DatabaseSetting } | { readonly problem: string | null }

export function readDatabase(text: string): ReadDatabase {
  const word = text.trim()
  if (/^postgres(ql)?:\/\//i.test(word)) return readServer(word)
  const read = readLine(/^sqlite:(?<file>.+)$/s.exec(word)?.groups?.file ?? '')
  if (!('value' in read)) return read
  const file = read.value
  // `sqlite://data/x.db` would silently mean `/data/x.db`; a database in memory would forget its orders.
  if (/^\/\/[^/]/.test(file) || file.startsWith(':memory:')) return { problem: null }
  return { database: { engine: 'sqlite', file } }
}

/** As the setting would have it. */
export function databaseUrl(database: DatabaseSetting): string {
  return database.engine === 'sqlite' ? `sqlite:${database.file}` : database.url
}

/** The setting's text in its one spelling. */
export function readDatabaseUrl(text: string): Reading {
  const read = readDatabase(text)
  return 'database' in read ? { value: databaseUrl(read.database) } : read
}

const mark = 'write it percent-encoded in a name or a password'

function readServer(word: string): ReadDatabase {
  if (/[\p{C}\p{Z}\uFFFD]/u.test(word)) {
    return { problem: `it holds a blank, a control or an invisible character: ${mark}, a blank as %20` }
  }
  // Where a password holds one of these, a part of it would be taken for the host, and be shown as such.
  const [authority = '', ...rest] = word.slice(word.indexOf('//') + 2).split(/(?=[/?#])/)
  if (authority.split('@').length > 2 || rest.join('').includes('@')) {
    const others = '/ as %2F, ? as %3F, # as %23'
    return { problem: `it holds an @ that does not stand before the host: ${mark}, @ as %40, ${others}` }
  }
  if (word.includes('#')) return { problem: `it holds a #: ${mark}, as %23` }
  const url = URL.parse(word.replaceAll(/%(?![0-9a-f]{2})/gi, '%25'))
  if (url === null || word.endsWith('://')) return { problem: null }
  try {
    for (const part of [url.username, url.password, url.hostname, url.pathname]) decodeURIComponent(part)
  } catch {
    return { problem: 'its percent-encoded characters are not UTF-8' }
  }
  // None, or `%2F…`: the folder of a socket.
  if (url.hostname !== '' && !url.hostname.startsWith('[') && !/^%2f/i.test(url.hostname)) {
    const host = readHost(decodeURIComponent(url.hostname))
    if (!('value' in host)) return { problem: 'its host is no host name' }
    url.hostname = host.value
  }
  return { database: { engine: 'postgres', url: url.href } }
}
