/** Which backups of a folder have become too old. */
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Instant } from '../../machines/time.ts'

const dayMs = 86_400_000
const named = /^ventanilla-(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})-(\d{3})Z$/
/** Kept whatever their age: a node that was off for a year still has what it ended with. */
const leastKept = 3

/** When a backup's copy was begun, by the name of its folder; `null` of another folder. */
export function madeAtOf(name: string): Instant | null {
  const found = named.exec(name)
  if (found === null) return null
  const [, day, hours, minutes, seconds, milliseconds] = found
  return Date.parse(`${day}T${hours}:${minutes}:${seconds}.${milliseconds}Z`)
}

/** Removes backups older than `keepDays`, but never the newest three, and nothing that is not a backup's folder. */
export function removeOldBackups(folder: string, now: Instant, keepDays: number): string[] {
  const backups = readdirSync(folder)
    .flatMap((name) => {
      const at = madeAtOf(name)
      return at === null ? [] : [{ name, at }]
    })
    .toSorted((left, right) => right.at - left.at)
  const old = backups.slice(leastKept).filter(({ at }) => at < now - keepDays * dayMs)
  for (const { name } of old) rmSync(join(folder, name), { recursive: true })
  return old.map(({ name }) => name)
}
