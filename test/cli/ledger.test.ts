/** `ledger export`, with the node running and with it stopped. */
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { hasHledger, hledgerBalances } from '../support/hledger.ts'
import { payOutBody, startTestNode, type TestNode } from '../support/node.ts'
import { ventanilla } from '../support/terminal.ts'

let node: TestNode
let isStopped = false

test.before(async () => {
  node = await startTestNode()
  const body = payOutBody()
  const made = await node.request({ as: 'mk_shop', path: '/api/v1/merchants/orders/pay-out/', body, at: 0 })
  const statusOf = async () => (await node.core.orders.find(made.json.id))?.order.status
  await node.until(async () => (await statusOf()) === 'READY')
})
test.after(async () => {
  if (!isStopped) await node.stop()
  rmSync(node.directory, { recursive: true, force: true })
})

const run = (...args: string[]) =>
  ventanilla(
    {
      cwd: node.directory,
      env: { VENTANILLA_DATABASE: `sqlite:${join(node.directory, 'node.db')}` },
      clock: node.clock,
    },
    'ledger',
    'export',
    ...args,
  )

const file = () => join(node.directory, 'out.journal')

test('it is printed, or written to a file that is there as a whole and for its owner alone', async () => {
  const printed = await run()
  assert.is(printed.code, 0, printed.err)
  assert.match(printed.out, /^; The ledger of a Ventanilla node, as of .*\n\ndecimal-mark \.\n/)
  const { code, json, err } = await run('--output', 'out.journal', '--json')
  assert.is(code, 0, err)
  assert.equal(Object.keys(json), ['file', 'accounts', 'transactions', 'postings'])
  assert.ok(json.postings > 0)
  assert.is(readFileSync(file(), 'utf8'), printed.out)
  assert.is(statSync(file()).mode & 0o777, 0o600)
  assert.equal(
    readdirSync(node.directory).filter((name) => name.includes('journal')),
    ['out.journal'],
  )
})

test('a file that is there is replaced only where that is said', async () => {
  writeFileSync(file(), 'mine')
  const refused = await run('--output', 'out.journal')
  assert.is(refused.code, 2)
  assert.match(refused.err, 'out.journal is there already. Choose another name, or add --overwrite.')
  assert.is(readFileSync(file(), 'utf8'), 'mine')
  assert.is((await run('--output', 'out.journal', '--overwrite')).code, 0)
  assert.match(readFileSync(file(), 'utf8'), 'balances of the node')
})

for (const [what, args, told] of [
  [
    'a day that there is not',
    ['--from', '2026-02-30'],
    '--from: 2026-02-30 is not a day such as 2026-12-31.',
  ],
  [
    'an end before the beginning',
    ['--from', '2026-12-02', '--to', '2026-12-01'],
    '--to: it is before --from.',
  ],
  ['a document of a journal', ['--json'], '--json: it needs --output'],
  ['a folder that is not there', ['--output', 'none/out.journal'], 'none/out.journal cannot be written'],
  ['another format', ['--format', 'ledger'], 'hledger'],
] as const) {
  test(`${what} is refused in one line`, async () => {
    const { code, out, err } = await run(...args)
    assert.is.not(code, 0)
    assert.match(out + err, told)
  })
}

test('a stopped node exports the same', async () => {
  const before = await run()
  await node.stop()
  isStopped = true
  const after = await run()
  const withoutHead = (text: string) => text.slice(text.indexOf('\n'))
  assert.is(withoutHead(after.out), withoutHead(before.out))
  if (hasHledger('what the command line exports')) assert.ok(hledgerBalances(after.out).size > 0)
})

test.run()
