/** `reconcile FILE --bank NAME`: what an operator reads of a bank's statement, and what is booked by it. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { camtEntry, camtStatement } from '../support/camt.ts'
import { onSqlite } from '../support/console.ts'
import { startTestNode, type TestNode } from '../support/node.ts'
import { ventanilla } from '../support/terminal.ts'

let node: TestNode
test.before(async () => {
  node = await startTestNode(onSqlite())
  await node.apply({ banks: [{ name: 'main', currency: 'MXN' }] })
  write('statement.xml', camtStatement({ closing: '2.00', inner }))
})
test.after(async () => {
  await node.stop()
  rmSync(node.directory, { recursive: true, force: true })
})

const inner = camtEntry('CRDT', '7.00', 'SPEI 1') + camtEntry('DBIT', '5.00', 'COM 2')
const write = (name: string, text: string) => writeFileSync(join(node.directory, name), text)

function reconcile(...args: string[]) {
  const env = { VENTANILLA_DATABASE: `sqlite:${join(node.directory, 'node.db')}` }
  return ventanilla({ cwd: node.directory, env, clock: node.clock }, 'reconcile', ...args)
}

test('a statement is looked at, booked, and says so when it comes again', async () => {
  const looked = await reconcile('statement.xml', '--bank', 'main', '--dry-run')
  assert.equal([looked.code, looked.err], [0, ''])
  assert.match(
    looked.out,
    /^bank +main\nwould be +2 unidentified\nso far +only looked at: without --dry-run it is booked\n/,
  )
  assert.match(looked.out, /LINE +REFERENCE +WAY +AMOUNT +OUTCOME +PAYMENT +EXCEPTION +NOTE\n/)
  assert.match(looked.out, / 3 +SPEI 1 +in +7\.00 MXN +unidentified +– +– +No payment names itself in it\.\n/)
  assert.match(looked.out, / 4 +COM 2 +out +5\.00 MXN +unidentified/)

  const booked = await reconcile('statement.xml', '--bank', 'main')
  assert.match(booked.out, /^bank +main\nentries +2 unidentified\n\n/)
  const exceptions = [...booked.out.matchAll(/unidentified +– +([0-9a-f-]{36}) /g)].map(([, id]) => id)
  assert.is(new Set(exceptions).size, 2)

  const again = await reconcile('statement.xml', '--bank', 'main')
  assert.match(again.out, /^bank +main\nentries +2 booked before\n/)
  const { outcomes } = JSON.parse((await reconcile('statement.xml', '--bank', 'main', '--json')).out)
  assert.equal(outcomes, { booked_before: 2 })
})

test('what is refused says the line, what is wrong and what to do, and ends with 1', async () => {
  write('statement.csv', 'Date;Amount\n')
  write('wrong.xml', camtStatement({ number: 2, closing: '8.00', inner }))
  for (const [file, bank, said] of [
    ['statement.csv', 'main', /The file is CSV, and the bank main has no CSV columns set\./],
    ['wrong.xml', 'main', /opening 0 and entries 200 are not closing 800/],
    ['statement.xml', 'other', /There is no bank account other\.\nBank accounts are set by apply/],
  ] as const) {
    const { code, out, err } = await reconcile(file, '--bank', bank)
    assert.equal([code, out], [1, ''], file)
    assert.match(err, said)
  }
})

test('whose file it is has to be said, and only once', async () => {
  for (const args of [
    [],
    ['--bank', 'main', '--provider', 'Network A'],
    ['--bank', 'main', '--day', '2026-03-01'],
  ]) {
    const { code, err } = await reconcile('statement.xml', ...args)
    assert.equal(
      [code, /^Say whose file it is: .*, or --bank NAME of a bank’s statement\.\n$/.test(err)],
      [2, true],
    )
  }
})

test.run()
