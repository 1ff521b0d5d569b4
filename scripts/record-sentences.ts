/**
 * `npm run sentences`: records what the node says in English and operators read on pages, in `http/console/texts/said/en.json`: why
 * something is refused, what to do about it, what exceptions, alarms, checks and the audit log say, and what settings mean. The other
 * languages beside it do not compile before they have all of them; what is said no more is taken out of them.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { recordedSentences, saidFolder } from './sentences/record.ts'

const record = recordedSentences()
write('en', record)
for (const language of ['es', 'pt']) {
  const before: Record<string, string> = JSON.parse(
    readFileSync(join(saidFolder, `${language}.json`), 'utf8'),
  )
  const known = Object.keys(record).filter((sentence) => Object.hasOwn(before, sentence))
  write(language, Object.fromEntries(known.map((sentence) => [sentence, before[sentence] ?? ''])))
  const missing = Object.keys(record).filter((sentence) => !Object.hasOwn(before, sentence))
  for (const sentence of missing) console.log(`${language} lacks: ${sentence}`)
}

function write(language: string, table: Record<string, string>): void {
  writeFileSync(join(saidFolder, `${language}.json`), `${JSON.stringify(table, null, 2)}\n`)
}
