/**
 * `npm run build:browser`: bundles what pages run in the browser into a `scripts.json` beside each `browser` folder of
 * `http`, which is committed: a node that is started from its sources, and one that is a single file, need no build
 * for it.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '../http')

/** The scripts of each folder: every one has a file of its name in the `browser` folder. */
const bundles: Readonly<Record<string, readonly string[]>> = {
  checkout: ['page', 'wallet'],
  console: ['page'],
}

async function bundle(folder: string, names: readonly string[]): Promise<Record<string, string>> {
  const { outputFiles } = await build({
    entryPoints: Object.fromEntries(names.map((name) => [name, join(root, folder, `browser/${name}.ts`)])),
    outdir: '/',
    bundle: true,
    write: false,
    minify: true,
    format: 'iife',
    charset: 'ascii' as const,
    // Phones that still get browser updates; older ones use the page without scripts.
    target: 'es2020',
    tsconfigRaw: { compilerOptions: { strict: true } },
  })
  return Object.fromEntries(
    outputFiles.map(({ path, text }) => [/(\w+)\.js$/.exec(path)?.[1] ?? path, text.trim()]),
  )
}

/** What each file has to hold. */
export async function bundleBrowserScripts(): Promise<{ path: string; text: string }[]> {
  const made = Object.entries(bundles).map(async ([folder, names]) => ({
    path: join(root, folder, 'scripts.json'),
    text: `${JSON.stringify(await bundle(folder, names), null, 2)}\n`,
  }))
  return Promise.all(made)
}

if (import.meta.main) {
  for (const { path, text } of await bundleBrowserScripts()) writeFileSync(path, text)
}
