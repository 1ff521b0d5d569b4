/**
 * Bundles what the checkout page runs in the browser into `http/checkout/scripts.json`, which is committed: a node
 * that is started from its sources, and one that is a single file, need no build for it.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

const folder = join(import.meta.dirname, '../http/checkout')

/** The scripts by name, as text. */
export async function bundleCheckoutScripts(): Promise<Record<string, string>> {
  const { outputFiles } = await build({
    entryPoints: { page: join(folder, 'browser/page.ts'), wallet: join(folder, 'browser/wallet.ts') },
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

export function scriptsText(scripts: Record<string, string>): string {
  return `${JSON.stringify(scripts, null, 2)}\n`
}

if (import.meta.main) writeFileSync(join(folder, 'scripts.json'), scriptsText(await bundleCheckoutScripts()))
