/** What the node says in English and operators read on pages, by the file that says it. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sentencesOf } from './reading.ts'

const root = join(import.meta.dirname, '../..')
export const saidFolder = join(root, 'http/console/texts/said')

/** Whose sentences are read on pages. */
const places = [
  'actors/**/*.ts',
  'node/settings/{schema,chains,leaf}.ts',
  'chain/matching.ts',
  'machines/rate-*.ts',
  'machines/written-names.ts',
  'http/console/*.ts',
  'http/console/pages/*.ts',
]

/** Whose are not: commands print them, programs read them, mails and files have languages of their own. */
const elsewhere: readonly RegExp[] = [
  /^actors\/(verification|keys|ledger)\//,
  /^actors\/archive\/(archiving|check|operations)/,
  /^actors\/erasure\/erase\./,
  /^actors\/evidence\/(manifest|readme|zip)/,
  /^actors\/notifications\/(message|texts|levels|occurrences)/,
  /^actors\/operations\/re-encryption/,
  /^actors\/people\/enrolment\./,
  /^actors\/reconciliation\/camt-elements/,
  /^http\/console\/(block-markup|cell-markup|console|pages\/account)\./,
]

/** Each sentence once, with the first file that says it. */
export function recordedSentences(): Record<string, string> {
  const record: Record<string, string> = {}
  const files = globSync([...places], { cwd: root }).toSorted()
  for (const file of files) {
    if (elsewhere.some((pattern) => pattern.test(file))) continue
    for (const sentence of sentencesOf(readFileSync(join(root, file), 'utf8'))) record[sentence] ??= file
  }
  return record
}
