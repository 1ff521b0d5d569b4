/**
 * `<database file>.token`: where the running node is, and what opens its operator listener.
 *
 * One that a killed node left behind is harmless: whoever answers at its address has to prove first that it is
 * that node.
 */
import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { parseJson } from '../actors/foundation/json-text.ts'
import { CommandError, exitCodes } from './exit-codes.ts'
import { reasonOf } from './places.ts'

export interface NodeAddress {
  /** Of the operator listener. */
  url: string
  token: string
}

export function tokenFileOf(databaseFile: string): string {
  return `${databaseFile}.token`
}

/**
 * Written beside its place and moved there: a reader never sees half of it.
 * @throws CommandError when the disk or its permissions do not allow it.
 */
export function writeTokenFile(databaseFile: string, address: NodeAddress): void {
  const file = tokenFileOf(databaseFile)
  const draft = `${file}.new`
  try {
    rmSync(draft, { force: true })
    writeFileSync(draft, `${JSON.stringify(address)}\n`, { mode: 0o600, flag: 'wx' })
    chmodSync(draft, 0o600)
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    const hint = 'Check its folder and the disk.'
    throw new CommandError(exitCodes.database, `${file}: it cannot be written: ${reasonOf(error)}.`, hint, {
      cause: error,
    })
  }
}

/** A node that ends tells of what it ends with: a file that stays is harmless, and fails nothing. */
export function removeTokenFile(databaseFile: string): void {
  try {
    rmSync(tokenFileOf(databaseFile), { force: true })
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error))
  }
}

/** `null` when there is none, or none that can be understood. @throws CommandError when it may not be read. */
export function readTokenFile(databaseFile: string): NodeAddress | null {
  const file = tokenFileOf(databaseFile)
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'ENOENT') return null
    const hint = 'Run the command as the user that runs the node.'
    throw new CommandError(exitCodes.database, `${file}: it cannot be read (${code}).`, hint, {
      cause: error,
    })
  }
  return parseAddress(bytes)
}

function parseAddress(bytes: Uint8Array): NodeAddress | null {
  const read = parseJson(bytes)
  if (!read.ok || typeof read.value !== 'object' || read.value === null) return null
  const { url, token }: { url?: unknown; token?: unknown } = read.value
  if (typeof url !== 'string' || typeof token !== 'string' || !URL.canParse(url)) return null
  return { url, token }
}
