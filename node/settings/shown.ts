/** The settings in force, for an operator to read: what may hold a password or an access key is not among them. */

import { isDeepStrictEqual } from 'node:util'
import { listLeaves } from './check.ts'
import type { Settings } from './config.ts'

interface ShownSetting {
  /** `http.port` */
  path: string
  value: string
  meaning: string
  /** As it is in this mode where nobody says anything. */
  isDefault: boolean
}

export function shownSettings(settings: Settings): readonly ShownSetting[] {
  return listLeaves().map(({ path, leaf }) => {
    const value = valueAt(settings, path)
    const isOff = valueAt(settings, path.slice(0, path.lastIndexOf('.'))) === null
    const isDefault = isOff || isDeepStrictEqual(value, leaf.defaults[settings.mode])
    const about = { path, meaning: leaf.meaning, isDefault }
    if (leaf.isSecret) return { ...about, value: 'hidden' }
    return { ...about, value: typeof value === 'string' ? value : JSON.stringify(value) }
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
