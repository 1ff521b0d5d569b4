/** Where deposits of a file are booked, and on which day. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { depositAdd, depositReverse } from '../../../actors/operations/deposits.ts'
import { merchantShow } from '../../../actors/parties/merchants.ts'
import { apply } from '../../../actors/provisioning/operations.ts'
import { operatorOf } from '../../support/operations.ts'
import { inOrderWorld, type OrderWorld } from '../../support/order-world.ts'
import { deposit, merchant, pair } from './file-members.ts'

const play = inOrderWorld(test)
const main = { name: 'main', currency: 'MXN' }
const dollars = { name: 'dollars', currency: 'USD' }
const reason = 'test'

async function banksOf({ rows }: OrderWorld): Promise<Record<string, string>> {
  const accounts = (await rows('accounts')).filter(({ kind }) => kind === 'bank')
  return Object.fromEntries(accounts.map(({ id, balance_minor }) => [id, String(balance_minor)]))
}

play('a deposit is booked at the only bank of its currency, and taken back from there', async (world) => {
  const { ask } = operatorOf(world)
  const { changes } = await ask(apply, {
    banks: [main, dollars],
    ...merchant({ pairs: [pair], deposits: [deposit] }),
  })
  assert.ok(changes.includes('merchant Kiosk: deposit one of 100.00 MXN booked at main'), changes.join('\n'))
  const more = { merchant: 'Kiosk', reference: 'two', amount: '7.00', currency: 'MXN', reason }
  assert.is((await ask(depositAdd, more)).bank, 'main')
  assert.equal(await banksOf(world), { 'bank:main:MXN': '-10700' })

  // Which of two it came to nobody has said.
  await ask(apply, { banks: [{ name: 'second', currency: 'MXN' }] })
  assert.is((await ask(depositAdd, { ...more, reference: 'three' })).bank, null)
  assert.equal(await banksOf(world), { 'bank:main:MXN': '-10700', 'bank::MXN': '-700' })

  for (const reference of ['one', 'three'])
    await ask(depositReverse, { merchant: 'Kiosk', reference, reason })
  assert.equal(await banksOf(world), { 'bank:main:MXN': '-700', 'bank::MXN': '0' })
  const { deposits } = await ask(merchantShow, { name: 'Kiosk' })
  assert.equal(
    deposits.map(({ reference, bank }) => [reference, bank]),
    [
      ['one', 'main'],
      ['three', null],
      ['two', 'main'],
    ],
  )
})

play('a deposit that was booked before its bank had a name stays where it is', async (world) => {
  const { ask } = operatorOf(world)
  const file = merchant({ pairs: [pair], deposits: [deposit] })
  await ask(apply, file)
  assert.equal((await ask(apply, { banks: [main], ...file })).changes, ['bank main: added'])
  await ask(depositReverse, { merchant: 'Kiosk', reference: 'one', reason })
  assert.equal(await banksOf(world), { 'bank::MXN': '0' })
})

play('a deposit has the day of the terms that come with it', async (world) => {
  const { ask } = operatorOf(world)
  const { clock } = world
  const settles = [{ currency: 'MXN', timeZone: 'America/Mexico_City' }]
  const dayOf = async (reference: string) => {
    const postings = await world.rows('postings')
    return postings.find((posting) => posting.reference === reference)?.credit_day
  }
  clock.advance(Date.parse('2026-12-01T03:00:00Z') - clock.now())
  await ask(apply, merchant({ pairs: [pair], settles, deposits: [deposit] }))
  assert.is(await dayOf('one'), '2026-11-30', 'it is nine in the evening there')

  // The day that runs stays what it is, and so do those behind it.
  const sooner = [{ ...settles[0], cutOff: '20:00' }]
  await ask(apply, merchant({ settles: sooner, deposits: [{ ...deposit, reference: 'two' }] }))
  assert.is(await dayOf('two'), '2026-11-30')
  clock.advance(Date.parse('2026-12-02T02:00:00Z') - clock.now())
  await ask(apply, merchant({ deposits: [{ ...deposit, reference: 'three' }] }))
  assert.is(await dayOf('three'), '2026-12-02', 'the days end at eight now')
})

test.run()
