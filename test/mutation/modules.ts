/**
 * How a process loads the sources again and again, each time with another mutant: those that lead to the mutated file
 * are loaded afresh under an address with a number, all others stay as they are.
 */
import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

export const root = join(import.meta.dirname, '../..')
const rootAddress = pathToFileURL(`${root}/`).href
const suites = new URL('suites.ts', import.meta.url).href

export interface Mutation {
  /** From the root of the tree. */
  file: string
  text: string
}

/** Who imports whom, as files from the root of the tree. */
const importers = new Map<string, Set<string>>()
const stripped = new Map<string, string>()
let number = 0
let fresh: ReadonlySet<string> | null = null
let mutation: Mutation | null = null

/** Everything that is known of who imports whom. */
export function knownImports(): [file: string, importer: string][] {
  return [...importers].flatMap(([file, some]) =>
    [...some].map((importer): [string, string] => [file, importer]),
  )
}

export function learnImports(imports: readonly [file: string, importer: string][]): void {
  for (const [file, importer] of imports)
    importers.set(file, (importers.get(file) ?? new Set()).add(importer))
}

/** The file of an address; `null` where it is not one of ours. */
export function ownFile(address: string): string | null {
  if (!address.startsWith(rootAddress)) return null
  const file = fileURLToPath(address).slice(root.length + 1)
  return file.startsWith('node_modules/') || !file.endsWith('.ts') || file.startsWith('test/mutation/')
    ? null
    : file
}

export function hookModules(): void {
  registerHooks({
    resolve: (specifier, context, nextResolve) => {
      if (specifier === 'uvu') return { url: suites, shortCircuit: true }
      const resolved = nextResolve(specifier, context)
      const file = ownFile(resolved.url)
      if (file === null) return resolved
      const importer = ownFile(context.parentURL ?? '')
      if (importer !== null) learnImports([[file, importer]])
      const { href } = pathToFileURL(join(root, file))
      return { ...resolved, url: fresh === null || fresh.has(file) ? `${href}?${number}` : href }
    },
    load: (address, context, nextLoad) => {
      const file = ownFile(address)
      if (file === null) return nextLoad(address, context)
      return { format: 'module', source: sourceOf(file), shortCircuit: true }
    },
  })
}

/** Without its types, everything where it was. */
function sourceOf(file: string): string {
  if (file === mutation?.file) return stripTypeScriptTypes(mutation.text)
  const source = stripped.get(file) ?? stripTypeScriptTypes(readFileSync(join(root, file), 'utf8'))
  stripped.set(file, source)
  return source
}

/** What is imported from now on is new as far as it leads to the mutated file: everything, where nothing is mutated. */
export function beginGeneration(next: Mutation | null): void {
  number += 1
  mutation = next
  fresh = next === null ? null : leadingTo(next.file)
}

export function importAfresh(file: string): Promise<unknown> {
  return import(`${pathToFileURL(join(root, file)).href}?${number}`)
}

function leadingTo(file: string): Set<string> {
  const found = new Set([file])
  for (const one of found) for (const importer of importers.get(one) ?? []) found.add(importer)
  return found
}
