/** The checker, on histories whose verdicts are known, and on those of orders with and without a violation. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Call, isLinearizable } from './checker.ts'
import { orderModel } from './order.ts'
import { makeHistory, plantViolation } from './order-histories.ts'
import { type RegisterInput, type RegisterOutput, register } from './register.ts'

interface Published {
  number: number
  isLinearizable: boolean
  calls: [process: number, does: string, beganAt: number, endedAt: number | null, answer: string | null][]
}

const { histories }: { histories: Published[] } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'etcd.json'), 'utf8'),
)

function read([, does, beganAt, endedAt, answer]: Published['calls'][number]): Call<
  RegisterInput,
  RegisterOutput
> {
  const [name, first, second] = does.split(' ')
  const input: RegisterInput =
    name === 'read'
      ? { does: 'read' }
      : name === 'write'
        ? { does: 'write', value: Number(first) }
        : { does: 'swap', from: Number(first), to: Number(second) }
  const output =
    answer === 'nil' ? 'none' : answer === 'done' || answer === 'not done' ? answer : Number(answer)
  return {
    input,
    output: answer === null ? null : output,
    beganAt,
    endedAt: endedAt ?? Number.POSITIVE_INFINITY,
  }
}

test('102 published histories of a register have the verdicts that are known of them', () => {
  assert.is(histories.length, 102)
  const wrong = histories.filter(
    (one) => isLinearizable(register, one.calls.map(read)) !== one.isLinearizable,
  )
  assert.equal(
    wrong.map(({ number }) => number),
    [],
  )
})

test('1,000 histories of an order that could have happened are taken for what they are', () => {
  for (let seed = 1; seed <= 1_000; seed++) {
    const { direction, calls } = makeHistory(seed, { length: 12, mayBeUnanswered: true })
    assert.ok(isLinearizable(orderModel(direction), calls), `seed ${seed}`)
  }
})

test('of 1,000 histories with a violation none passes', () => {
  for (let seed = 1; seed <= 1_000; seed++) {
    const made = makeHistory(seed, { length: 12, mayBeUnanswered: false })
    assert.not.ok(isLinearizable(orderModel(made.direction), plantViolation(made, seed)), `seed ${seed}`)
  }
})

test.run()
