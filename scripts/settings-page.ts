/** Writes the table of every setting into `docs/settings.md`: `npm run settings-page`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { listLeaves } from '../node/settings/check.ts'
import { variableOf } from '../node/settings/config.ts'

const page = new URL('../docs/settings.md', import.meta.url)
const [begin, end] = ['<!-- settings: begin -->', '<!-- settings: end -->']

const cell = (text: string): string => text.replaceAll('|', '\\|')
const code = (value: unknown): string => {
  if (value === null) return '–'
  return typeof value === 'object' && !Array.isArray(value) && value !== null
    ? 'see `data/chains.default.json`'
    : `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``
}

/** The page as the settings' table says it. */
export function settingsPage(present: string): string {
  const rows = listLeaves().map(({ path, leaf }) => {
    const { sandbox, production } = leaf.defaults
    const isSame = code(sandbox) === code(production)
    const value = isSame ? code(sandbox) : `sandbox ${code(sandbox)}, production ${code(production)}`
    return `| \`${path}\` | ${cell(value)} | ${cell(leaf.meaning)} | ${cell(leaf.allowed)} | \`${variableOf(path)}\` |`
  })
  const table = [
    '| setting | default | meaning | allowed | variable |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n')
  const [before, after] = [present.indexOf(begin), present.indexOf(end)]
  if (before < 0 || after < before) throw new Error(`docs/settings.md has lost its marks ${begin} and ${end}`)
  return `${present.slice(0, before + begin.length)}\n${table}\n${present.slice(after)}`
}

if (import.meta.main) writeFileSync(page, settingsPage(readFileSync(page, 'utf8')))
