/** A claim that waits beyond its day is an alarm, until it is decided or withdrawn. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { claimOpen, claimReject } from '../../../actors/claims/operations.ts'
import { claimAnswer, claimWithdraw } from '../../../actors/claims/telling-operations.ts'
import { findAlarms } from '../../../actors/condition/alarms.ts'
import { operatorOf } from '../../support/operations.ts'
import { inOrderWorld, type OrderWorld } from '../../support/order-world.ts'
import { agreed, paidIn } from './claimed.ts'

const play = inOrderWorld(test)
const reason = 'a mail'

async function overdue(world: OrderWorld): Promise<string[]> {
  const { alarms } = await findAlarms(world)
  return alarms.filter(({ kind }) => kind === 'claim_overdue').map(({ message }) => message)
}

play(
  'it begins at the instant at which the day is over, says who is waited for, and ends with the claim',
  async (world) => {
    const { ask } = operatorOf(world)
    await agreed(world)
    const order = await paidIn(world)
    await ask(claimOpen, { order, kind: 'twice', reason })
    await ask(claimOpen, { order, kind: 'false_note', amount: '200.00', reason })
    const [claim] = await world.rows('claims')
    if (claim === undefined) throw new Error('There is no claim.')
    world.clock.advance(claim.due_at - 1 - world.clock.now())
    assert.equal(await overdue(world), [])
    world.clock.advance(1)
    const said = (number: number, kind: string, who: string) =>
      `Claim ${number} (${kind}) was to be decided by ${claim.due_on}, and ${who}: claim show ${number}`
    assert.equal(await overdue(world), [
      said(1, 'twice', 'the provider has not answered'),
      said(2, 'false note', 'the merchant has not answered'),
    ])
    await ask(claimAnswer, { number: 1, as: 'denies', reason })
    assert.equal((await overdue(world))[0], said(1, 'twice', 'the provider has denied'))
    await ask(claimReject, { number: 1, reason })
    assert.is((await overdue(world)).length, 1)
    await ask(claimWithdraw, { number: 2, reason })
    assert.equal(await overdue(world), [])
  },
)

test.run()
