/** What the page runs in the browser: bundled by `scripts/checkout-scripts.ts`, served under names that never change. */
import { createHash } from 'node:crypto'
import type { Context } from 'koa'
import bundled from './scripts.json' with { type: 'json' }

export type ScriptName = keyof typeof bundled

const fileNames: Readonly<Record<ScriptName, string>> = { page: fileName('page'), wallet: fileName('wallet') }
const byFileName = new Map(Object.entries(fileNames).map(([name, file]) => [file, name]))

function fileName(name: ScriptName): string {
  return `${name}.${createHash('sha256').update(bundled[name]).digest('hex').slice(0, 16)}.js`
}

/** @param base the page's path, without a slash at its end */
export function scriptPath(base: string, name: ScriptName): string {
  return `${base}/${fileNames[name]}`
}

/** Serves a script, where the rest of a path below the page's is the name of one. */
export function serveScript(context: Context, rest: string): boolean {
  const name = byFileName.get(rest)
  if (name !== 'page' && name !== 'wallet') return false
  context.set({
    // Other contents have another name.
    'Cache-Control': 'public, max-age=31536000, immutable',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'same-origin',
  })
  context.type = 'text/javascript; charset=utf-8'
  context.body = bundled[name]
  return true
}
