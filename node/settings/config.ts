/**
 * Settings: defaults, then one JSON file, then environment variables, checked against one schema.
 *
 * Everything that is wrong is told at once, one line each: where it stands, which setting, what is allowed.
 */

import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { parseJson } from '../../actors/foundation/json-text.ts'
import { type Blockchain, evmBlockchains, perBlockchain } from '../../machines/blockchains.ts'
import { CommandError, exitCodes } from '../exit-codes.ts'
import { guideHere } from '../own-name.ts'
import { isLoopback, readLine } from './addresses.ts'
import {
  checkSettings,
  type Document,
  isDocument,
  listLeaves,
  type NamedLeaf,
  nearestName,
  problemsOf,
  spellTexts,
} from './check.ts'
import { type DatabaseSetting, readDatabase } from './database-url.ts'
import type { Mode } from './leaf.ts'
import { mailProblems } from './mail.ts'
import type { SettingsDocument } from './schema.ts'

type Chains = SettingsDocument['chains']

/** A chain that is on: it has a treasury. */
export type ChainSettings<Name extends Blockchain> = Omit<Chains[Name], 'treasury'> & {
  readonly treasury: string
}

/** The settings in force. Durations are in the unit of their name, paths are absolute. */
export interface Settings extends Omit<SettingsDocument, 'database' | 'keys' | 'chains'> {
  readonly database: DatabaseSetting
  readonly keys: {
    /** In sandbox it may not be there yet: then the node makes it. */
    readonly file: string
  }
  readonly chains: {
    readonly maxOutageSeconds: number
  } & {
    /** `null` is off. */
    readonly [Name in Blockchain]: ChainSettings<Name> | null
  }
}

export interface SettingsSource {
  /** What `--config` names. */
  readonly configFile?: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
}

/** Each line names the place, the setting, the cause and what is allowed; none holds a secret. */
export class SettingsError extends CommandError {
  readonly lines: readonly string[]

  constructor(lines: readonly string[]) {
    super(exitCodes.usage, lines.join('\n'), `${guideHere('docs/settings.md')} explains every setting.`)
    this.name = 'SettingsError'
    this.lines = lines
  }
}

const prefix = 'VENTANILLA_'
const fileVariable = `${prefix}CONFIG`

/** The environment variable of a setting: `http.port` is `VENTANILLA_HTTP_PORT`. */
export function variableOf(path: string): string {
  return prefix + path.replaceAll('.', '_').toUpperCase()
}

/** @throws SettingsError with every line at once. */
export function loadSettings(source: SettingsSource): Settings {
  const lines: string[] = []
  const file = readSettingsFile(source, lines)
  const variables = readVariables(source.env, lines)
  spellTexts(variables)
  if (file) {
    spellTexts(file.document)
    lines.push(...problemsOf(file.document).map(({ path, problem }) => `${file.name}: ${path}: ${problem}`))
  }
  const variableProblems = problemsOf(variables)
  lines.push(...variableProblems.map(({ path, problem }) => `${variableOf(path)}: ${path}: ${problem}`))

  const mode = modeOf(variables) ?? modeOf(file?.document) ?? 'sandbox'
  const document: Document = {}
  const origin = new Map<string, string>()
  for (const { path, leaf } of listLeaves()) {
    const layers = [
      [variableOf(path), valueAt(variables, path)],
      [file?.name ?? '', valueAt(file?.document, path)],
    ] as const
    const given = layers.find(([, value]) => value !== undefined)
    setAt(document, path, given ? given[1] : leaf.defaults[mode])
    if (given) origin.set(path, given[0])
  }
  if (lines.length > 0) throw new SettingsError(lines)
  spellTexts(document)
  return resolveSettings(checkSettings(document), source.cwd, origin)
}

/** How the world reaches the public listener, once it is known which port it has. */
export function publicUrls(
  http: Settings['http'],
  port: number,
): { readonly publicUrl: string; readonly checkoutUrl: string } {
  // A wildcard address is no address to go to.
  const host = { '0.0.0.0': '127.0.0.1', '::': '::1' }[http.host] ?? http.host
  const publicUrl = http.publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  return { publicUrl, checkoutUrl: http.checkoutUrl ?? `${publicUrl}/checkout` }
}

/** How operators reach the console, once it is known which port it has. */
export function consoleUrl(operator: Settings['operator'], port: number): string {
  return operator.publicUrl ?? `http://localhost:${port}`
}

const usualStopDelayMs = 2_000

/** How long a node that stops goes on accepting; on the loopback alone there is nobody who has to notice. */
export function stopDelayMs({ host, trustedProxies, stopDelaySeconds }: Settings['http']): number {
  if (stopDelaySeconds !== null) return stopDelaySeconds * 1000
  return isLoopback(host) && trustedProxies.length === 0 ? 0 : usualStopDelayMs
}

interface SettingsFile {
  readonly name: string
  readonly document: Document
}

function readSettingsFile({ configFile, env, cwd }: SettingsSource, lines: string[]): SettingsFile | null {
  const named = configFile ?? env[fileVariable]
  const path = readLine(named ?? 'ventanilla.json')
  if (!('value' in path)) {
    const option = configFile === undefined ? fileVariable : '--config'
    lines.push(`${option}: must be a path, ${path.problem === null ? 'got ""' : `but ${path.problem}`}`)
    return null
  }
  const name = path.value
  const wanted = configFile === undefined && named !== undefined ? `${fileVariable}: ${name}` : name
  let bytes: Buffer
  try {
    bytes = readFileSync(resolve(cwd, name))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
    if (named !== undefined || code !== 'ENOENT')
      lines.push(`${wanted}: cannot be read: ${causes[code] ?? code}`)
    return null
  }
  const read = parseJson(bytes)
  if (!read.ok) {
    lines.push(`${wanted}: ${read.problem}`)
    return null
  }
  if (!isDocument(read.value)) {
    lines.push(`${wanted}: must hold a JSON object of settings, such as {"http": {"port": 8080}}`)
    return null
  }
  return { name, document: read.value }
}

const causes: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
}

function readVariables(env: SettingsSource['env'], lines: string[]): Document {
  const known = new Map(listLeaves().map((named) => [variableOf(named.path), named]))
  const document: Document = {}
  for (const [name, text] of Object.entries(env)) {
    if (!name.startsWith(prefix) || name === fileVariable || text === undefined) continue
    const named = known.get(name)
    if (named) setAt(document, named.path, valueOfText(named, text))
    else lines.push(`${name}: ${unknownVariable(name, [...known.keys()])}`)
  }
  return document
}

function unknownVariable(name: string, known: readonly string[]): string {
  const members = known.filter((variable) => variable.startsWith(`${name}_`))
  if (members.length > 0) return `names a section; set its members, such as ${members[0]}`
  // Kubernetes sets such variables for a service that is called ventanilla.
  if (/^VENTANILLA_(SERVICE_(HOST|PORT)|PORT$|PORT_\d)/.test(name)) {
    return 'unknown variable; if Kubernetes made it for a service, set enableServiceLinks to false'
  }
  const nearest = nearestName(name, [...known, fileVariable])
  return `unknown variable${nearest ? `; did you mean ${nearest}?` : ''}`
}

/** What cannot be read stays a text, and the schema says what is allowed in its place. */
function valueOfText({ leaf }: NamedLeaf, text: string): unknown {
  switch (leaf.notation) {
    case 'text':
      return text === 'null' ? null : text
    case 'number':
      return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
    case 'flag':
      return text === 'true' ? true : text === 'false' ? false : text
    case 'json': {
      const read = parseJson(text)
      return read.ok ? read.value : text
    }
  }
}

function modeOf(document: Document | undefined): Mode | undefined {
  const mode = valueAt(document, 'mode')
  return mode === 'sandbox' || mode === 'production' ? mode : undefined
}

function valueAt(document: Document | undefined, path: string): unknown {
  let node: unknown = document
  for (const name of path.split('.')) {
    node = isDocument(node) && Object.hasOwn(node, name) ? node[name] : undefined
  }
  return node
}

function setAt(document: Document, path: string, value: unknown): void {
  const names = path.split('.')
  const last = names.pop() ?? ''
  let node = document
  for (const name of names) {
    const present = node[name]
    const next: Document = isDocument(present) ? present : {}
    node[name] = next
    node = next
  }
  node[last] = value
}

function resolveSettings(document: SettingsDocument, cwd: string, origin: Map<string, string>): Settings {
  const read = readDatabase(document.database)
  if (!('database' in read)) throw new Error('the schema let a database URL through that cannot be read')
  const { database } = read
  const resolved: DatabaseSetting =
    database.engine === 'sqlite' ? { engine: 'sqlite', file: resolve(cwd, database.file) } : database
  const keyFile = resolve(
    cwd,
    document.keys.file ?? (resolved.engine === 'sqlite' ? `${resolved.file}.key` : 'data/ventanilla.key'),
  )
  const lines = crossProblems(document, resolved, keyFile).map(([path, problem]) => {
    const where = origin.get(path)
    return where === undefined ? `${path}: ${problem}` : `${where}: ${path}: ${problem}`
  })
  if (lines.length > 0) throw new SettingsError(lines)
  const { archiveFolder } = document.retention
  const whole = (path: string | null) => (path === null ? null : resolve(cwd, path))
  const { SOLANA, STELLAR, maxOutageSeconds, ...others } = document.chains
  return {
    ...document,
    database: resolved,
    keys: { file: keyFile },
    backups: {
      ...document.backups,
      folder: document.backups.folder === null ? null : resolve(cwd, document.backups.folder),
    },
    mail: {
      ...document.mail,
      passwordFile: whole(document.mail.passwordFile),
      authorityFile: whole(document.mail.authorityFile),
    },
    retention: {
      ...document.retention,
      archiveFolder: archiveFolder === null ? null : resolve(cwd, archiveFolder),
    },
    chains: {
      maxOutageSeconds,
      SOLANA: whenOn(SOLANA),
      STELLAR: whenOn(STELLAR),
      ...perBlockchain(evmBlockchains, (name) => whenOn(others[name])),
    },
  }
}

function whenOn<Chain extends { readonly treasury: string | null }>(
  chain: Chain,
): (Omit<Chain, 'treasury'> & { readonly treasury: string }) | null {
  const { treasury } = chain
  return treasury === null ? null : { ...chain, treasury }
}

/** What no single setting shows. */
function crossProblems(
  document: SettingsDocument,
  database: DatabaseSetting,
  keyFile: string,
): [string, string][] {
  const problems: [string, string][] = []
  const { http, operator } = document
  if (http.host === operator.host && http.port === operator.port && http.port !== 0) {
    problems.push(['operator.port', `must differ from http.port, got ${operator.port} for both`])
  }
  if (document.chains.STELLAR.reader === 'rpc' && document.chains.STELLAR.rpc === null) {
    problems.push(['chains.STELLAR.rpc', 'must be an http or https URL when chains.STELLAR.reader is rpc'])
  }
  problems.push(...mailProblems(document.mail))
  if (document.mode !== 'production') return problems
  if (document.webhooks.allowPrivate) {
    problems.push(['webhooks.allowPrivate', 'must be false in production, got true'])
  }
  const everybody = http.trustedProxies.find((network) => network.endsWith('/0'))
  if (everybody !== undefined) {
    problems.push(['http.trustedProxies', `must name the proxies in production, got ${everybody}`])
  }
  const keyProblem = productionKeyProblem(document.keys.file, keyFile, database)
  if (keyProblem) problems.push(['keys.file', keyProblem])
  return problems
}

/** Whoever takes the database's folder, or a backup of it, must not get the key with it. */
function productionKeyProblem(
  setting: string | null,
  keyFile: string,
  database: DatabaseSetting,
): string | null {
  const allowed = 'must be the path of an existing file outside the folder of the database'
  if (setting === null) return `${allowed}; in production it has no default`
  if (!statSync(keyFile, { throwIfNoEntry: false })?.isFile())
    return `${allowed}, got ${keyFile}: no such file`
  if (database.engine === 'postgres') return null
  const way = relative(realPath(dirname(database.file)), realPath(keyFile))
  const isInside = !way.startsWith(`..${sep}`) && !isAbsolute(way)
  return isInside ? `${allowed}, got ${keyFile}` : null
}

/** The path without symbolic links, as far as it exists. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const parent = dirname(path)
    return parent === path ? path : join(realPath(parent), relative(parent, path))
  }
}
