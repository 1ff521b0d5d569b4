/** Writes the catalogue of errors into `docs/errors.md`: `node scripts/errors-page.ts`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fieldProblems } from '../http/catalogue/field-problems.ts'
import { refusals } from '../http/catalogue/refusals.ts'

const page = new URL('../docs/errors.md', import.meta.url)

const cell = (text: string): string => text.replaceAll('|', '\\|')

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}

function between(present: string, name: string, text: string): string {
  const [begin, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`]
  const [before, after] = [present.indexOf(begin), present.indexOf(end)]
  if (before < 0 || after < before) throw new Error(`docs/errors.md has lost its marks ${begin} and ${end}`)
  return `${present.slice(0, before + begin.length)}\n${text}\n${present.slice(after)}`
}

/** The page as the catalogue says it. */
export function errorsPage(present: string): string {
  const whole = Object.values(refusals).map(({ status, code, text, when }) => [
    String(status),
    `\`${code}\``,
    text,
    when,
  ])
  const fields = Object.values(fieldProblems).map(({ code, text, when }) => [`\`${code}\``, text, when])
  const withRefusals = between(present, 'refusals', table(['status', 'code', 'detail', 'when'], whole))
  return between(withRefusals, 'fields', table(['code', 'detail', 'when'], fields))
}

if (import.meta.main) writeFileSync(page, errorsPage(readFileSync(page, 'utf8')))
