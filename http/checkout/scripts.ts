/** What the page runs in the browser: bundled by `scripts/browser-scripts.ts`, served under names that never change. */
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

/** What a phone wallet shows of the page (Solana Pay). */
export const iconName = 'icon.svg'
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="#0a5f4f" stroke-width="2" ' +
  'stroke-linejoin="round"><path fill="#fff" stroke="none" d="M0 0h24v24H0z"/>' +
  '<path d="M4 10v10h16V10M3 10l2-6h14l2 6zM9 20v-6h6v6"/></svg>'

/** Serves a script, where the rest of a path below the page's is the name of one. */
export function serveScript(context: Context, rest: string): boolean {
  if (rest === iconName) {
    context.set({ 'Cache-Control': 'public, max-age=86400', 'X-Content-Type-Options': 'nosniff' })
    context.type = 'image/svg+xml'
    context.body = icon
    return true
  }
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
