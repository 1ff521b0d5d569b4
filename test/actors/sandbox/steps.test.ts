/** What the ending of a merchant_order_id asks for. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { readEnding } from '../../../actors/sandbox/steps.ts'

const endings: [id: string, step: string | null, seconds?: number][] = [
  ['order-7-sim-confirm-60', 'confirm', 60],
  ['order-7-sim-confirm', 'confirm', 60],
  ['a-sim-confirm-0', 'confirm', 1],
  ['a-sim-deposit-short-5', 'deposit_short', 5],
  ['a-sim-deposit_short-5', 'deposit_short', 5],
  ['a-sim-hold-9999999', 'hold', 2_592_000],
  ['sim-confirm', null],
  ['a-sim-confirm-60-b', null],
  ['a-sim-pay-60', null],
  ['a-sim-confirm-12345678', null],
  ['order-7', null],
  [`${'-sim-'.repeat(20)}x`, null],
]
for (const [id, step, seconds = 0] of endings) {
  test(`${id} asks for ${step ?? 'nothing'}`, () => {
    assert.equal(readEnding(id), step === null ? null : { step, delayMs: seconds * 1000 })
  })
}

test.run()
