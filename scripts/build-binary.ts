/**
 * `npm run build:binary [-- FILE] [--system linux-arm64 --node FILE] [--commit HASH] [--sbom FILE]`: the whole program
 * as one executable, by default `dist/ventanilla` for this machine's own system, made of the Node that builds it.
 */
import { statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildExecutable } from './release/executable.ts'
import { commitOf } from './release/sources.ts'
import { systemOf } from './release/systems.ts'

const root = join(import.meta.dirname, '..')
const maxBytes = 130_000_000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    system: { type: 'string' },
    node: { type: 'string', default: process.execPath },
    commit: { type: 'string' },
    sbom: { type: 'string' },
  },
})
const [file = join(root, 'dist/ventanilla')] = positionals
const system = systemOf(values.system)
const target = resolve(file)
const { node, commit = commitOf(root) } = values
const sbom = await buildExecutable({ target, system, node, commit })
if (values.sbom !== undefined) writeFileSync(values.sbom, sbom)

const { size } = statSync(target)
console.log(`${target}: ${(size / 1e6).toFixed(1)} MB for ${system.name}`)
if (size > maxBytes) {
  console.error(`It is larger than ${maxBytes / 1e6} MB.`)
  process.exitCode = 1
}
