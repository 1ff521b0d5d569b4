/** The drawings that were made at build time (`npm run drawings`). */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../data/drawings')

/** By chart; `kind` is how the files end. */
export function readDrawings(kind: 'svg' | 'mmd'): ReadonlyMap<string, string> {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(`.${kind}`)) : []
  return new Map(
    names.map((name) => [name.slice(0, -kind.length - 1), readFileSync(join(folder, name), 'utf8')]),
  )
}
