/** What a till of the simulation takes for a fault of the node, and what not: both would be seen in few histories. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { Truth } from './model/truth.ts'
import type { OnAnswer } from './network.ts'
import type { Message } from './requests.ts'
import { tills } from './terms.ts'
import { Till } from './tills.ts'
import { Witness } from './witness.ts'

const order = { id: 'order-1', code: '1234', direction: 'PAY_OUT', price: '10.00' } as const
const toSignAgain = {
  status: 409,
  text: '{"detail":"The order has changed since this message was first received. Sign it again."}',
}

function stage() {
  const sent: { message: Message; answer: OnAnswer }[] = []
  const problems: string[] = []
  const clock = { isRight: true }
  const witness = new Witness()
  let stamps = 0
  const till = new Till({
    provider: tills[0],
    random: { fraction: () => 0.5, below: () => 0, chance: () => false },
    truth: new Truth(),
    network: { send: (message, answer) => void sent.push({ message, answer }) },
    now: () => 0,
    stamp: () => ++stamps,
    problem: (text) => problems.push(text),
    witness,
    isClockRight: () => clock.isRight,
    note: () => {},
  })
  /** It acts, and is answered. */
  const act = (status: number, text = '{}') => {
    till.act()
    sent.at(-1)?.answer({ status, text })
  }
  const confirming = () => {
    till.take(order)
    act(200, '{"status":"READY"}')
    act(200)
    till.act()
  }
  return { till, sent, problems, witness, clock, act, confirming }
}

test('a confirm whose answer was lost may have to be signed again, one that was never said may not', () => {
  const { till, sent, problems, act, confirming } = stage()
  confirming()
  till.act()
  const lost = sent.at(-1)
  lost?.answer(null)
  act(toSignAgain.status, toSignAgain.text)
  assert.is(sent.at(-1)?.message, lost?.message)
  assert.equal(problems, [])
  act(toSignAgain.status, toSignAgain.text)
  assert.is.not(sent.at(-1)?.message, lost?.message)
  assert.equal(problems, [`a confirm of order-1 was answered 409 ${toSignAgain.text}`])
  assert.is(till.orderId, order.id, 'who has the cash goes on')
})

test('what a wrong clock refuses says nothing of the order, also if it is set right before the answer', () => {
  for (const [atFirst, atLast, impossible] of [
    [true, true, [order.id]],
    [false, true, []],
    [true, false, []],
  ] as const) {
    const { till, sent, witness, clock } = stage()
    clock.isRight = atFirst
    till.meddle(order, 'confirm')
    clock.isRight = atLast
    sent.at(-1)?.answer({ status: 403, text: '{}' })
    assert.equal(witness.impossible(), impossible)
  }
})

test.run()
