/** What strangers published for programs like this one to be held against: test/vectors/README.md. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'

/** The vectors of `test/vectors/NAME.jsonl`, each as its columns: texts, numbers, or `null`. */
export function readVectors<Vector>(name: string): Vector[] {
  const file = join(import.meta.dirname, `../vectors/${name}.jsonl`)
  const [head = '', ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n')
  const columns: string[] = JSON.parse(head)
  return lines.map((line) => {
    const row: unknown[] = JSON.parse(line)
    assert.is(row.length, columns.length, line)
    return Object.fromEntries(columns.map((column, index) => [column, row[index]])) as Vector
  })
}
