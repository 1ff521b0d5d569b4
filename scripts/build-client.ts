/**
 * `npm run build:client [-- FOLDER]`: the SDK as it is packed, JavaScript and types, in `dist/client`. Node strips no
 * types under node_modules.
 */
import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'

const root = join(import.meta.dirname, '..')
const target = resolve(process.argv[2] ?? join(root, 'dist/client'))

rmSync(target, { recursive: true, force: true })
const compiler = join(root, 'node_modules/typescript/bin/tsc')
const { status } = spawnSync(process.execPath, [compiler, '-p', join(root, 'client'), '--outDir', target], {
  stdio: 'inherit',
})
if (status === 0) {
  for (const file of ['package.json', 'README.md']) cpSync(join(root, 'client', file), join(target, file))
  const { name, version } = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8'))
  const shown = relative(process.cwd(), target) || '.'
  console.log(`${name} ${version} is in ${shown}. In your own project: npm install ${target}`)
  console.log(`As one file to pass on: npm pack ${shown}`)
}
process.exitCode = status ?? 1
