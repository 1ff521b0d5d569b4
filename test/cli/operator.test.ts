import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ventanilla } from '../support/terminal.ts'

const cwd = mkdtempSync(join(tmpdir(), 'ventanilla-test-'))
const run = (...args: string[]) => ventanilla({ cwd }, ...args)

test.before(async () => {
  const file = JSON.stringify({ merchants: [], providers: [] })
  assert.is((await ventanilla({ cwd, input: file }, 'apply', '-')).code, 0)
})

test.after(() => rmSync(cwd, { recursive: true, force: true }))

test('operators are let in, changed and sent away from the command line', async () => {
  assert.match((await run('operator', 'list')).out, /No operators yet/)
  const added = await run('operator', 'add', 'ana', '--role', 'administrator', '--json')
  assert.equal([added.code, added.json.role, added.json.state], [0, 'administrator', 'enabled'])
  assert.match(added.json.password, /^[a-z2-9]{6}(-[a-z2-9]{6}){3}$/)
  const reset = await run('operator', 'reset', 'ana')
  assert.match(reset.out, /The password is shown only once/)
  assert.not.ok(reset.out.includes(added.json.password))
  assert.is((await run('operator', 'change', 'ana', '--role', 'viewer', '--json')).json.role, 'viewer')
  assert.is((await run('operator', 'disable', 'ana', '--json')).json.state, 'disabled')
  assert.is((await run('operator', 'enable', 'ana', '--json')).json.state, 'enabled')
  const { json } = await run('operator', 'list', '--json')
  assert.equal(
    json.operators.map(({ name, role, sessions }: Record<string, unknown>) => [name, role, sessions]),
    [['ana', 'viewer', 0]],
  )
})

test('a role that there is not, a name that there is not, and a bad name are refused', async () => {
  assert.is((await run('operator', 'add', 'luis', '--role', 'king')).code, 2)
  assert.is((await run('operator', 'add', 'luis')).code, 2)
  const unknown = await run('operator', 'disable', 'nobody')
  assert.equal([unknown.code, unknown.err.includes('There is no operator nobody.')], [1, true])
  assert.is((await run('operator', 'add', 'Luis Paz', '--role', 'viewer')).code, 1)
})

test('charts are listed and printed, with no node and no database', async () => {
  const { json } = await run('machine', 'list', '--json')
  const payIn = json.machines.find(({ name }: { name: string }) => name === 'payIn')
  assert.ok(payIn.states.includes('payIn.open.READY') && payIn.events.includes('payment.start'))
  assert.match((await run('machine', 'draw', 'payIn')).out, /^<svg [\s\S]*<\/svg>\n$/)
  assert.match((await run('machine', 'draw', 'payIn', '--format', 'mermaid')).out, /^stateDiagram-v2\n/)
  const unknown = await run('machine', 'draw', 'payOut')
  assert.equal([unknown.code, unknown.err.includes('payOutLocal')], [2, true])
})

test.run()
