/** `kill -9` in the middle of a bank's statement: sent again it goes on where it was cut off, and each entry is booked once. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { paymentOrder } from '../../actors/settlement/payment-operations.ts'
import { factByName } from '../../persistence/queries/node.ts'
import { openSqliteStore } from '../../persistence/sqlite/engine.ts'
import { camtEntry, camtNamed, camtStatement } from '../support/camt.ts'
import { allRows } from '../support/database.ts'
import { commit, partyOf, shop, tills } from '../support/order-world.ts'
import { assertBooks, close, network, settle } from '../support/payment-world.ts'
import { seededRandom } from './random.ts'
import { isLargeShare } from './share.ts'

const kills = isLargeShare ? 25 : 6
const payments = 20
const deposits = 200

const folder = mkdtempSync(join(tmpdir(), 'bank-kill-'))
const file = join(folder, 'node.db')
const statement = join(folder, 'statement.xml')
const random = seededRandom(kills)
test.after(() => rmSync(folder, { recursive: true, force: true }))

const open = () => openSqliteStore({ file, clock: { now: () => Date.now() } })

/** A statement that books each of so many payments, with what nobody knows between them. */
async function prepare(): Promise<void> {
  const store = open()
  const world = { store, clock: { now: () => Date.now() } } as never
  await commit(store, [...partyOf(shop), ...partyOf(tills.A)])
  const { ask } = await settle(world)
  await close({ store }, network.id, { number: 1, dueMinor: BigInt(payments) * 1_000n })
  const entries: string[] = []
  for (let index = 0; index < payments; index++) {
    const said = { party: network.name, bank: 'main', amount: '10.00', reason: 'as agreed' }
    const { payment } = await ask(paymentOrder, said)
    entries.push(camtEntry('DBIT', '10.00', `OUT-${index}`, camtNamed(payment.id)))
    for (let one = 0; one < deposits / payments; one++)
      entries.push(camtEntry('CRDT', '1.00', `IN-${index}-${one}`))
  }
  await store.close()
  writeFileSync(statement, camtStatement({ closing: '0.00', inner: entries.join('') }))
}

function startLife() {
  const { NODE_V8_COVERAGE: _, ...env } = process.env
  const program = join(import.meta.dirname, 'bank-node.ts')
  return fork(program, [file, statement], { env, execArgv: ['--conditions=development'] })
}

test(`killed ${kills} times, a statement is booked whole and nothing of it twice`, async () => {
  await prepare()
  let cutOff = 0
  for (let kill = 0; kill < kills; kill++) {
    const life = startLife()
    const gone = once(life, 'exit')
    const last = 1 + random.below(Math.floor(deposits / kills))
    life.on('message', ({ steps }: { steps: number }) => {
      if (steps >= last) life.kill('SIGKILL')
    })
    await gone
    const store = open()
    const booked = (await allRows(store, 'bank_entries')).length
    const [fact] = await store.query(factByName, { name: 'bank_statement:main' })
    await store.close()
    if (booked > 0 && booked < payments + deposits) {
      cutOff += 1
      assert.is(fact, undefined, 'the next statement does not follow one that is not whole')
    }
  }
  assert.ok(cutOff > 0, 'some were killed in the middle')
  const life = startLife()
  const told: { state?: string; outcomes?: Record<string, number> }[] = []
  life.on('message', (message) => told.push(message as never))
  assert.equal(await once(life, 'exit'), [0, null])
  const { state, outcomes = {} } = told.at(-1) ?? {}
  assert.is(state, 'done')
  assert.is(
    Object.values(outcomes).reduce((sum, count) => sum + count, 0),
    payments + deposits,
  )
  assert.ok((outcomes.booked_before ?? 0) > 0, 'it goes on where it was cut off')

  const store = open()
  const entries = await allRows(store, 'bank_entries')
  assert.is(new Set(entries.map(({ reference }) => reference)).size, payments + deposits)
  assert.is(entries.length, payments + deposits)
  const states = (await allRows(store, 'payments')).map((payment) => payment.state)
  assert.equal([states.length, new Set(states)], [payments, new Set(['booked'])])
  const exceptions = await allRows(store, 'exceptions')
  assert.equal(
    [exceptions.length, new Set(exceptions.map(({ kind }) => kind))],
    [deposits, new Set(['bank_unidentified'])],
  )
  const atBank = (await allRows(store, 'accounts')).find(({ kind }) => kind === 'bank')
  const [fact] = await store.query(factByName, { name: 'bank_statement:main' })
  assert.ok(atBank !== undefined && fact !== undefined)
  await assertBooks({ store, url: `sqlite:${file}` } as never)
  await store.close()
})

test.run()
