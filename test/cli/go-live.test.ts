/** The go-live check as a command prints it: each step by the name that the guide and the API have for it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { merchantSteps } from '../../actors/sandbox/go-live-steps.ts'
import { startTestNode } from '../support/node.ts'
import { ventanilla } from '../support/terminal.ts'

test('each step is named in the table, and again with how it is done', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'go-live-'))
  const env = { VENTANILLA_DATABASE: `sqlite:${join(directory, 'node.db')}` }
  const node = await startTestNode({ env, directory })
  await node.stop()
  const where = { cwd: node.directory, env, clock: node.clock }
  const { code, out } = await ventanilla(where, 'sandbox', 'go-live', 'Shop')
  rmSync(node.directory, { recursive: true, force: true })
  assert.is(code, 0, out)
  const [table = '', left = ''] = out.split('What is left, and how:')
  for (const step of Object.keys(merchantSteps)) {
    assert.match(table, new RegExp(`^${step} +\\S`, 'm'))
    assert.match(left, new RegExp(`^ {2}${step}: `, 'm'))
  }
})

test.run()
