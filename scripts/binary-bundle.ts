/** One text of all sources, which looks for no file when it runs. */
import { readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { parse } from '@swc/core'
import { _ } from 'ajv'
import standaloneCode from 'ajv/dist/standalone/index.js'
import { build, type Metafile, type Plugin } from 'esbuild'
import { settingsAjv, settingsSchema } from '../node/settings/validator.ts'

const root = join(import.meta.dirname, '..')

/** Packages that others use where they are there, and do without where they are not. */
const optional = ['pg-native', 'pg-cloudflare', 'bufferutil', 'utf-8-validate', 'sodium-native', 'encoding']

/**
 * A thread is started from a text, and such a text may require what lies in the current directory; the executable's
 * own may not. With this line it is the same for both.
 */
const requireNodeAlone = `require = (function (name) {
  const found = process.getBuiltinModule(name);
  if (found !== undefined) return found;
  throw Object.assign(new Error("Cannot find module '" + name + "'"), { code: 'MODULE_NOT_FOUND' });
});`

/**
 * Writes the bundle of an entry point.
 * @returns the files that are in it, as paths below the project's root.
 * @throws Error when it would load something from outside of itself.
 */
export async function bundle(entry: string, outfile: string): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    minify: true,
    // Errors and logs name classes.
    keepNames: true,
    legalComments: 'none',
    banner: { js: requireNodeAlone },
    // A folder that nobody can make: what packages look for beside themselves is nowhere.
    define: { 'import.meta.url': '"file:///dev/null/ventanilla"' },
    logLevel: 'warning',
    metafile: true,
    plugins: [packedAddon, compiledSettings, withoutOptional, withoutNetworks],
  })
  const problems = [...outsiders(metafile), ...(await leftImports(readFileSync(outfile, 'utf8')))]
  if (problems.length > 0) throw new Error(`${entry}: ${problems.join('; ')}`)
  // What was read and shaken off again is not in it.
  return Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
  )
}

/** What a bundle would ask Node for that is not Node's own. */
export function outsiders(metafile: Metafile): string[] {
  return Object.values(metafile.outputs)
    .flatMap(({ imports }) => imports)
    .filter(({ external, path }) => external === true && !isNodes(path))
    .map(({ path }) => `it would load ${path} from outside`)
}

function isNodes(path: string): boolean {
  return path.startsWith('node:') || builtinModules.includes(path)
}

/** Every `import()` that is left: Node would resolve it from the current directory, and run what is planted there. */
export async function leftImports(text: string): Promise<string[]> {
  const found: string[] = []
  const look = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const { type, callee }: { type?: unknown; callee?: unknown } = node
    if (type === 'CallExpression' && isImport(callee)) found.push('an import() is left in it')
    for (const member of Object.values(node)) look(member)
  }
  look(await parse(text, { syntax: 'ecmascript', target: 'es2024', isModule: false }))
  return found
}

function isImport(callee: unknown): boolean {
  if (typeof callee !== 'object' || callee === null) return false
  const { type }: { type?: unknown } = callee
  return type === 'Import'
}

const packedAddon: Plugin = {
  name: 'packed-addon',
  setup(esbuild) {
    esbuild.onResolve({ filter: /^\.\/binding$/ }, ({ importer }) =>
      importer.includes('better-sqlite3') ? { path: join(root, 'node/packed-addon.ts') } : undefined,
    )
  },
}

const compiledSettings: Plugin = {
  name: 'compiled-settings',
  setup(esbuild) {
    esbuild.onLoad({ filter: /node[\\/]settings[\\/]validator\.ts$/ }, () => {
      const formats = _`require('./formats.ts').settingFormats`
      const ajv = settingsAjv({ source: true, esm: true, formats })
      const code = standaloneCode.default(ajv, ajv.compile(settingsSchema()))
      return { contents: `${code};export const settingsValidator = () => validate;`, loader: 'js' }
    })
  },
}

const withoutOptional: Plugin = {
  name: 'without-optional',
  setup(esbuild) {
    const filter = new RegExp(`^(${optional.join('|')})$`)
    esbuild.onResolve({ filter }, ({ path }) => ({ path, namespace: 'missing' }))
    esbuild.onLoad({ filter: /.*/, namespace: 'missing' }, ({ path }) => ({
      contents: `throw Object.assign(new Error("${path} is not packed"), { code: 'MODULE_NOT_FOUND' })`,
      loader: 'js',
    }))
  },
}

/** The local blockchains of the demo belong to the sources; what looks for their file would find a stranger's. */
const withoutNetworks: Plugin = {
  name: 'without-networks',
  setup(esbuild) {
    esbuild.onLoad({ filter: /cli[\\/]demo[\\/]local-networks\.ts$/ }, () => ({
      contents: 'export async function startLocalNetworks() { return null }',
      loader: 'js',
    }))
  },
}
