/**
 * `npm run layers [-- FOLDER]`: checks who imports whom against `.dependency-cruiser.mjs`.
 *
 * dependency-cruiser passes on sources that it cannot read, so what it saw is compared with what is there.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from '@swc/core'
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import extractDepcruiseConfig from 'dependency-cruiser/config-utl/extract-depcruise-config'
import { floors } from './floors.ts'

const rooms = [
  'machines',
  'chain',
  'persistence',
  'actors',
  'http',
  'client',
  'node',
  'cli',
  'scripts',
  'test',
]

const configurationFile = join(import.meta.dirname, '../.dependency-cruiser.mjs')
if (process.argv[2]) process.chdir(process.argv[2])

const present = rooms.filter((room) => existsSync(room))
const sources = present.flatMap((room) => globSync(`${room}/**/*.ts`))
const problems: string[] = []

async function cruiseRooms(): Promise<ICruiseResult> {
  const { options, forbidden = [] } = await extractDepcruiseConfig(configurationFile)
  const { output } = await cruise(present, { ...options, ruleSet: { forbidden }, validate: true })
  if (typeof output === 'string') throw new Error('dependency-cruiser gave a text instead of a result')
  return output
}

/** Whether a part of a syntax tree is `import('./file.ts').Name` in the place of a type. */
function holdsImportType(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false
  if ('type' in node && node.type === 'TsImportType') return true
  return Object.values(node).some(holdsImportType)
}

const { modules, summary } = await cruiseRooms()
const seen = new Set(modules.map(({ source }) => source))
const ours = sources.filter((source) => seen.has(source))

if (ours.length === 0) problems.push('no modules: either there are none, or the parser cannot read them')
for (const source of sources) {
  if (!seen.has(source)) problems.push(`${source} was not read`)
  // dependency-cruiser does not see these, so they are not to be used.
  else if (holdsImportType(parseSync(readFileSync(source, 'utf8'), { syntax: 'typescript' })))
    problems.push(`${source} holds an inline import('…') type: use an import type declaration`)
}
for (const [room, folders] of Object.entries(floors)) {
  for (const { name } of globSync(`${room}/*`, { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  ))
    if (!folders.includes(name)) problems.push(`${room}/${name} has no line among the floors of ${room}`)
}
for (const { rule, from, to, cycle } of summary.violations) {
  const path = cycle ? [from, ...cycle.map(({ name }) => name)].join(' → ') : `${from} → ${to}`
  problems.push(`${rule.name}: ${path}`)
}

for (const problem of problems) console.log(problem)
console.log(`${ours.length} modules in ${present.length} rooms, ${problems.length} problems`)
process.exitCode = problems.length > 0 ? 1 : 0
