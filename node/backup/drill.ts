/**
 * A restoration that is practised: the newest backup is opened in a folder that is thrown away, and verified there. What
 * came of it is kept beside the backups, so that whoever asks later is told.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { Drill } from '../../actors/condition/backups.ts'
import { parseJson } from '../../actors/foundation/json-text.ts'
import { formatInstant, type Instant } from '../../machines/time.ts'
import { replaceFile } from '../../persistence/durable-files.ts'
import { CommandError, exitCodes } from '../exit-codes.ts'
import { madeAtOf } from './keep.ts'
import { readManifest } from './manifest.ts'
import { assertWhole, tryRestore } from './restore.ts'

export interface DrillTask {
  /** Where the backups are; the draft is made there, too. */
  folder: string
  /** The backup's name; `null` is the newest. */
  backup: string | null
  keyFile: string
  /** The file with the age identity. A node has none: then an encrypted backup's digests alone are looked at. */
  identity: string | null
  at: Instant
}

const drillFile = 'drill.json'

/**
 * Also a drill that found something wrong is one, and is kept.
 * @throws CommandError when there is no backup.
 */
export async function drillBackup(task: DrillTask): Promise<Drill> {
  const { folder, at } = task
  const backup = task.backup ?? newestIn(folder)
  const began = performance.now()
  const found = await tryIt(task, join(folder, backup)).catch((error: unknown) => ({
    ...nothing,
    problem: error instanceof Error ? error.message : String(error),
  }))
  const seconds = Math.ceil((performance.now() - began) / 1000)
  const drill: Drill = { at: formatInstant(at), backup, ok: found.problem === null, ...found, seconds }
  // Closed by its folder; a command that root runs must leave it to be read by the node.
  replaceFile(join(folder, drillFile), `${JSON.stringify(drill, null, 2)}\n`, 0o644)
  return drill
}

type Found = Pick<Drill, 'isOpened' | 'orders' | 'journal' | 'quarantined' | 'problem'>

const nothing = { isOpened: false, orders: null, journal: null, quarantined: null }

async function tryIt({ folder, keyFile, identity, at }: DrillTask, backup: string): Promise<Found> {
  const manifest = readManifest(backup)
  const { encryptedTo, orders, journal } = manifest
  if (encryptedTo !== undefined && identity === null) {
    await assertWhole(backup, manifest)
    return { ...nothing, orders, journal, problem: null }
  }
  const task = { folder: backup, keyFile, identity, clock: { now: () => at } }
  const { quarantined } = await tryRestore(task, folder)
  return { isOpened: true, orders, journal, quarantined, problem: null }
}

function newestIn(folder: string): string {
  const names = existsSync(folder) ? readdirSync(folder) : []
  const newest = names
    .filter((name) => madeAtOf(name) !== null)
    .toSorted()
    .at(-1)
  if (newest !== undefined) return newest
  throw new CommandError(exitCodes.usage, `${folder}: there is no backup.`, '`ventanilla backup` makes one.')
}

/** The last one; `null` where there was none, or none that this version understands. */
export function lastDrillIn(folder: string): Drill | null {
  let bytes: Buffer
  try {
    bytes = readFileSync(join(folder, drillFile))
  } catch {
    return null
  }
  const read = parseJson(bytes)
  return read.ok && isDrill(read.value) ? read.value : null
}

function isDrill(value: unknown): value is Drill {
  if (typeof value !== 'object' || value === null) return false
  const { at, backup, ok, isOpened, problem }: Partial<Record<keyof Drill, unknown>> = value
  if (typeof at !== 'string' || Number.isNaN(Date.parse(at)) || typeof backup !== 'string') return false
  if (typeof ok !== 'boolean' || typeof isOpened !== 'boolean') return false
  return ok ? problem === null : typeof problem === 'string'
}
