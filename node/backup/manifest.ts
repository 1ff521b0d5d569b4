/** What a backup says of itself: `backup.json` beside the files it is made of. */
import { createHash } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseJson } from '../../actors/foundation/json-text.ts'
import { CommandError, exitCodes } from '../exit-codes.ts'

/** The files of a backup, under the names they always have. */
export const backupFiles = { database: 'ventanilla.db', anchors: 'ventanilla.db.anchors' } as const
export const manifestFile = 'backup.json'

export interface BackupManifest {
  /** Of this file's own shape. */
  format: 1
  /** When the copy was begun, ISO 8601. */
  made: string
  /** The version of the program that made it. */
  version: string
  /** Tells which master key opens it, and nothing of the key. */
  keyFingerprint: string
  orders: number
  /** The newest entry of the journal that is in it. */
  journal: number
  bytes: number
  /** The age recipients that can open its files, whose names end in `.age` then. */
  encryptedTo?: string[]
  /** SHA-256 of each file as it lies there, hexadecimal. */
  digests: Record<keyof typeof backupFiles, string>
}

/** @throws CommandError when there is none, or none that this version understands. */
export function readManifest(folder: string): BackupManifest {
  const file = join(folder, manifestFile)
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (error) {
    throw notOne(folder, error instanceof Error ? error.message : String(error))
  }
  const read = parseJson(bytes)
  if (!read.ok) throw notOne(folder, `${manifestFile} ${read.problem}`)
  if (!isManifest(read.value)) throw notOne(folder, `${manifestFile} is not in this version’s format`)
  return read.value
}

function notOne(folder: string, why: string): CommandError {
  const hint = 'A backup is a folder such as ventanilla-2026-03-01T02-23-00-000Z; `backup` makes one.'
  return new CommandError(exitCodes.usage, `${folder}: it is not a backup: ${why}.`, hint)
}

function isManifest(value: unknown): value is BackupManifest {
  if (typeof value !== 'object' || value === null) return false
  const {
    format,
    made,
    version,
    keyFingerprint,
    orders,
    journal,
    bytes,
    digests,
    encryptedTo,
  }: Partial<Record<keyof BackupManifest, unknown>> = value
  const texts = [made, version, keyFingerprint]
  if (format !== 1 || !texts.every((text) => typeof text === 'string')) return false
  if (![orders, journal, bytes].every(Number.isSafeInteger)) return false
  if (encryptedTo !== undefined && !Array.isArray(encryptedTo)) return false
  if (typeof digests !== 'object' || digests === null) return false
  const known: Partial<Record<keyof typeof backupFiles, unknown>> = digests
  return typeof known.database === 'string' && typeof known.anchors === 'string'
}

/** Where a file of the backup lies. */
export function fileOf(folder: string, part: keyof typeof backupFiles, isEncrypted: boolean): string {
  return join(folder, isEncrypted ? `${backupFiles[part]}.age` : backupFiles[part])
}

export async function digestOf(file: string | Readable): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(typeof file === 'string' ? createReadStream(file) : file, hash)
  return hash.digest('hex')
}
