/**
 * `npm run coverage`: runs all tests under c8 (`.c8rc.json`), prints its table, and fails where a folder that
 * decides about money has too few of its lines run. Test files are child processes; c8 counts those too,
 * except what is killed: a killed process writes no coverage.
 */
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { transformSync } from '@swc/core'

const leastPercent = 95
const folders = ['machines', 'actors', 'persistence']
const summaryFile = 'coverage/coverage-summary.json'

type Summary = Record<string, { lines: { total: number; covered: number } }>

/** A file of types alone is never loaded, so none of its lines could count as run. */
function holdsOnlyTypes(file: string): boolean {
  const { code } = transformSync(readFileSync(file, 'utf8'), {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2024', minify: { format: { comments: false } } },
    isModule: true,
  })
  return /^\s*(export\s*\{\s*\};?)?\s*$/.test(code)
}

rmSync('coverage', { recursive: true, force: true })
const sources = folders.flatMap((folder) => globSync(`${folder}/**/*.ts`))
const exclusions = sources.filter(holdsOnlyTypes).map((file) => `--exclude=${file}`)
// npm puts the command c8 on the path.
const c8 = spawnSync('c8', [...exclusions, process.execPath, join(import.meta.dirname, 'test.ts')], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
})
if (c8.error) throw c8.error

const summary: Summary = JSON.parse(readFileSync(summaryFile, 'utf8'))
let isEnough = true
for (const folder of folders) {
  const files = Object.entries(summary).filter(([file]) => relative('.', file).startsWith(`${folder}/`))
  const total = files.reduce((sum, [, { lines }]) => sum + lines.total, 0)
  const covered = files.reduce((sum, [, { lines }]) => sum + lines.covered, 0)
  const percent = total === 0 ? 0 : (covered / total) * 100
  if (percent < leastPercent) isEnough = false
  const verdict = percent < leastPercent ? `FAIL, at least ${leastPercent} % are wanted` : 'ok'
  console.log(`${folder.padEnd(12)} ${covered} of ${total} lines, ${percent.toFixed(1)} %: ${verdict}`)
}
process.exitCode = c8.status === 0 && isEnough ? 0 : 1
