/** What may be in the bundle of the one executable, and what ends its build. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { bundle, leftImports } from '../../scripts/binary-bundle.ts'

const folder = mkdtempSync(join(tmpdir(), 'ventanilla-bundle-'))
test.after(() => rmSync(folder, { recursive: true, force: true }))

async function problemOf(source: string): Promise<string> {
  writeFileSync(join(folder, 'lazy.ts'), 'export const lazy = 1\n')
  writeFileSync(join(folder, 'entry.ts'), source)
  try {
    await bundle(join(folder, 'entry.ts'), join(folder, 'out.cjs'))
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

test('a lazy import of our own is taken in, and modules of Node are left to it', async () => {
  const source = `import { sep } from 'node:path'
    export const lazy = async () => (await import('./lazy.ts')).lazy + sep`
  assert.is(await problemOf(source), '')
})

test('an import() of what is known only when it runs ends the build', async () => {
  assert.match(await problemOf('export const load = (name: string) => import(name)'), /an import\(\) is left/)
})

test('what some package would require from outside ends the build', async () => {
  const source = `let found: unknown
    try { found = require('a-package-nobody-has') } catch { found = null }
    console.log(found)`
  assert.match(await problemOf(source), /a-package-nobody-has/)
})

test('the packages that others do without are answered as missing', async () => {
  const source = `try { require('bufferutil') } catch (error) { console.log(error) }`
  assert.is(await problemOf(source), '')
})

test('import() is found wherever it stands, and not in texts', async () => {
  assert.equal(await leftImports('const a = "import(x)" /* import(y) */; a.import("x")'), [])
  assert.is((await leftImports('const f = [() => ({ a: import(x) })]')).length, 1)
})

test.run()
