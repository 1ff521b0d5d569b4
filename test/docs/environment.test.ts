/** What guides and examples have their readers set does not stand in the way of the product in the same shell. */
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { listLeaves } from '../../node/settings/check.ts'
import { variableOf } from '../../node/settings/config.ts'
import { ventanilla } from '../support/terminal.ts'

const guides = ['README.md', 'client/README.md', ...globSync('docs/**/*.md')]
const programs = [...globSync('docs/{examples,deploy,monitoring}/**/*'), ...globSync('client/*.ts')]

test('each variable with the product’s prefix that a guide or an example names is one of the product', () => {
  const known = new Set(['VENTANILLA_CONFIG', ...listLeaves().map(({ path }) => variableOf(path))])
  const strange = [...guides, ...programs.filter((file) => /\.\w+$|Dockerfile|Caddyfile/.test(file))].flatMap(
    (file) => {
      const names = readFileSync(file, 'utf8').match(/\bVENTANILLA_\w*/g) ?? []
      // The prefix itself, and what Kubernetes sets for a service that is called ventanilla.
      const isOther = (name: string) => /^VENTANILLA_($|SERVICE_|PORT_)/.test(name)
      return names.filter((name) => !known.has(name) && !isOther(name)).map((name) => `${file}: ${name}`)
    },
  )
  assert.equal(strange, [])
})

/** The lines of a guide's shell blocks that set variables; what else stands there would need a host. */
function settingLines(file: string): string[] {
  const blocks = [...readFileSync(file, 'utf8').matchAll(/^```sh\b[^\n]*\n([\s\S]*?)^```$/gm)]
  return blocks.flatMap(([, block = '']) =>
    block.split('\n').filter((line) => /^(export )?[A-Z_]+=[^$(]*$/.test(line)),
  )
}

test('after what a guide has one export, a command runs', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'ventanilla-environment-'))
  let count = 0
  for (const file of guides) {
    const lines = settingLines(file)
    if (lines.length === 0) continue
    const { stdout } = spawnSync('sh', ['-c', `${lines.join('\n')}\nenv`], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH },
    })
    const env = Object.fromEntries(
      stdout.split('\n').flatMap((line) => {
        const at = line.indexOf('=')
        // The file that it names is not on this machine.
        return at < 1 || line.startsWith('VENTANILLA_CONFIG=')
          ? []
          : [[line.slice(0, at), line.slice(at + 1)]]
      }),
    )
    // Without a database it ends with 3; settings that are not right end with 2.
    const { code, err } = await ventanilla(
      { cwd, env },
      'signature',
      'explain',
      '--as',
      'mk_demo',
      '--date',
      '1772366400.250',
      'GET',
      '/',
    )
    assert.not.match(err, 'settings are not right', `${file}: ${err}`)
    assert.is.not(code, 2, `${file}: ${err}`)
    count++
  }
  rmSync(cwd, { recursive: true })
  assert.ok(count > 1, 'the guides’ blocks are found')
})

test.run()
