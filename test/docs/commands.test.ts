/** Every command that the documents name exists, with every option they give it. The transcript runs them. */
import { globSync, readFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ventanilla } from '../support/terminal.ts'

interface Named {
  file: string
  /** `order report` */
  words: string[]
  options: string[]
}

/** In code, inline or in a block: what stands behind the program's name, up to what a shell would take for itself. */
function commandsIn(file: string): Named[] {
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(/(?:^|\n# |[\s`$(])ventanilla ((?:[a-z][a-z-]* ?)+)([^`\n|;&>]*)/g)].flatMap(
    ([whole, words = '', rest = '']) => {
      // Only where it is written as a command: in backticks, or at the beginning of a line of a block.
      if (!/^[\n`$]/.test(whole)) return []
      const options = [...rest.matchAll(/(?:^|\s)(--[a-z][a-z-]*)/g)].map(([, option = '']) => option)
      return [{ file, words: words.trim().split(' '), options }]
    },
  )
}

/** A command's help by its words, which may be followed by a value: `backup folder`. */
async function helpOf(words: readonly string[]): Promise<string | null> {
  for (const count of [3, 2, 1]) {
    const { code, out } = await ventanilla({ cwd: '/' }, ...words.slice(0, count), '--help')
    // A group knows its own commands alone.
    if (count < words.length && out.includes('\nCommands:\n')) continue
    if (code === 0 && out.includes(`ventanilla ${words.slice(0, count).join(' ')}`)) return out
  }
  return null
}

test('each command in the documents exists, with its options', async () => {
  const all = ['README.md', ...globSync('docs/*.md')].flatMap(commandsIn)
  assert.ok(all.length > 40, `${all.length} commands found`)
  const wrong: string[] = []
  for (const { file, words, options } of all) {
    const help = await helpOf(words)
    const missing = help === null ? [] : options.filter((option) => !help.includes(option))
    if (help === null || missing.length > 0) wrong.push(`${file}: ${words.join(' ')} ${missing.join(' ')}`)
  }
  assert.equal(wrong, [])
})

test.run()
