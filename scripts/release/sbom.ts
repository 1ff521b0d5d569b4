/**
 * The bill of materials of an executable, in CycloneDX 1.6: what is really in it, by what esbuild has put into its
 * texts, and Node with what it is built of.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { program } from './sources.ts'
import type { System } from './systems.ts'

const root = join(import.meta.dirname, '../..')

interface Component {
  type: 'library' | 'platform' | 'application'
  'bom-ref': string
  name: string
  group?: string
  version: string
  purl?: string
  licenses?: [{ license: { id: string } | { name: string } } | { expression: string }]
  hashes?: [{ alg: 'SHA-512' | 'SHA-256'; content: string }]
  components?: Component[]
}

interface LockedPackage {
  version?: string
  integrity?: string
}

/**
 * @param bundled the files in the executable's texts, below the project's root
 * @returns JSON, the same for the same parts
 */
export function billOfMaterials(bundled: readonly string[], system: System): string {
  const locked = lockedPackages()
  const folders = new Set(bundled.flatMap((file) => packageFolderOf(file) ?? []))
  // The addon is no text, and so in no bundle.
  folders.add('node_modules/better-sqlite3')
  const libraries = [...folders].toSorted().map((folder) => packageComponent(folder, locked.get(folder)))
  const sqlite = new Database(':memory:')
    .prepare<[], { version: string }>('SELECT sqlite_version() version')
    .get()
  const addon = libraries.find(({ name }) => name === 'better-sqlite3')
  if (addon === undefined || sqlite === undefined) throw new Error('There is no SQLite to tell of.')
  addon.components = [part('sqlite', sqlite.version)]
  const components = [nodeComponent(system, locked.get(`node_modules/${system.nodePackage}`)), ...libraries]
  const { name, version } = program
  const bom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: '',
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': name, name, version } },
    components,
  }
  const digest = createHash('sha256').update(JSON.stringify(bom)).digest('hex')
  return `${JSON.stringify({ ...bom, serialNumber: `urn:uuid:${uuidOf(digest)}` }, null, 2)}\n`
}

/** By the contents and not by chance: the same bill has the same number (RFC 9562, version 8). */
function uuidOf(digest: string): string {
  return digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')
}

/** `node_modules/a/node_modules/@b/c/d.js` is of `node_modules/a/node_modules/@b/c`; our own is of none. */
export function packageFolderOf(file: string): string | null {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? null
}

function lockedPackages(): Map<string, LockedPackage> {
  const lock: { packages: Record<string, LockedPackage> } = JSON.parse(
    readFileSync(join(root, 'package-lock.json'), 'utf8'),
  )
  return new Map(Object.entries(lock.packages))
}

function packageComponent(folder: string, locked: LockedPackage | undefined): Component {
  const file = join(root, folder, 'package.json')
  const { name, version, license }: { name: string; version: string; license?: unknown } = JSON.parse(
    readFileSync(file, 'utf8'),
  )
  if (locked?.version !== version) {
    throw new Error(`${folder}: ${version} is there, and the lock file has ${locked?.version ?? 'none'}.`)
  }
  const [, group, bare = name] = /^(@[^/]+)\/(.+)$/.exec(name) ?? []
  return {
    type: 'library',
    'bom-ref': folder,
    ...(group === undefined ? {} : { group }),
    name: bare,
    version,
    purl: `pkg:npm/${group === undefined ? '' : `${encodeURIComponent(group)}/`}${bare}@${version}`,
    ...licensesOf(license),
    ...hashesOf(locked),
  }
}

function licensesOf(license: unknown): Pick<Component, 'licenses'> {
  if (typeof license !== 'string') return {}
  if (/ (OR|AND|WITH) /.test(license)) return { licenses: [{ expression: license }] }
  return { licenses: [{ license: { id: license } }] }
}

function hashesOf(locked: LockedPackage | undefined): Pick<Component, 'hashes'> {
  const [, base64] = /^sha512-(.+)$/.exec(locked?.integrity ?? '') ?? []
  if (base64 === undefined) return {}
  return { hashes: [{ alg: 'SHA-512', content: Buffer.from(base64, 'base64').toString('hex') }] }
}

/** Node's own libraries are where its advisories are: OpenSSL, zlib, nghttp2, … */
function nodeComponent({ nodePackage }: System, locked: LockedPackage | undefined): Component {
  const { node: version, modules: _, napi: _napi, ...parts } = process.versions
  if (locked !== undefined && locked.version !== version) {
    throw new Error(`Node ${version} builds, and the lock file has ${nodePackage} ${locked.version}.`)
  }
  return {
    type: 'platform',
    'bom-ref': 'node',
    name: 'node',
    version,
    purl: locked === undefined ? `pkg:generic/node@${version}` : `pkg:npm/${nodePackage}@${version}`,
    ...hashesOf(locked),
    components: Object.entries(parts)
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .flatMap(([name, found]) => (found === undefined || found === '' ? [] : [part(name, found)])),
  }
}

function part(name: string, version: string): Component {
  const purl = `pkg:generic/${name}@${encodeURIComponent(version)}`
  return { type: 'library', 'bom-ref': `${name}@${version}`, name, version, purl }
}
