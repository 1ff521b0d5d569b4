/** The settings in force, for an operator to read: what may hold a password or an access key is not among them. */

import { listLeaves } from './check.ts'
import type { Settings } from './config.ts'

export function shownSettings(settings: Settings): readonly (readonly [path: string, value: string])[] {
  return listLeaves().map(({ path, leaf }) => {
    if (leaf.isSecret) return [path, 'hidden']
    const value = valueAt(settings, path)
    return [path, typeof value === 'string' ? value : JSON.stringify(value)]
  })
}

/** `null` below what is off. */
function valueAt(settings: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null
          ? (new Map(Object.entries(value)).get(name) ?? null)
          : null,
      settings,
    )
}
