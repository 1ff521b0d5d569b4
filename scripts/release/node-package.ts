/** Node's executable for a system, from its npm package, held against the lock file. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { System } from './systems.ts'

/**
 * Brings it into a folder; npm leaves packages for other systems out of `node_modules`.
 * @param checkout whose lock file says which version and which bytes
 * @returns the executable's path
 * @throws Error when npm brings other bytes
 */
export function bringNode({ nodePackage, nodeFile }: System, checkout: string, folder: string): string {
  const home = join(folder, nodePackage)
  const file = join(home, nodeFile)
  if (existsSync(file)) return file
  const lock: { packages: Record<string, { version: string; integrity: string }> } = JSON.parse(
    readFileSync(join(checkout, 'package-lock.json'), 'utf8'),
  )
  const locked = lock.packages[`node_modules/${nodePackage}`]
  if (locked === undefined) throw new Error(`The lock file has no ${nodePackage}.`)
  mkdirSync(home, { recursive: true })
  const wanted = `${nodePackage}@${locked.version}`
  execFileSync('npm', ['pack', wanted, '--pack-destination', folder, '--silent'], { stdio: 'pipe' })
  const archive = join(folder, `${nodePackage}-${locked.version}.tgz`)
  const found = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`
  if (found !== locked.integrity)
    throw new Error(`${wanted} is ${found}, and the lock file has ${locked.integrity}.`)
  execFileSync('tar', ['-xzf', archive, '-C', home, '--strip-components=1', `package/${nodeFile}`])
  return file
}
