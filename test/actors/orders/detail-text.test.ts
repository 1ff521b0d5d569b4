import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { detailTexts } from '../../../actors/orders/detail-text.ts'

test('a charge is told as money, and what else is no text as JSON', () => {
  const commission = { terms: 'c1', amount: '1500', tax: '240' }
  const details = { network: '0001', commission, fee: { ...commission, amount: '7' }, reported: { paid: 3 } }
  assert.equal(
    detailTexts(details, 'MXN').map(({ name, text }) => `${name}: ${text}`),
    [
      'network: 0001',
      'commission: 15.00 MXN and 2.40 MXN of tax, by terms c1',
      'fee: 0.07 MXN and 2.40 MXN of tax, by terms c1',
      'reported: {"paid":3}',
    ],
  )
  assert.is(detailTexts({ commission }, 'KWD')[0]?.text, '1.500 KWD and 0.240 KWD of tax, by terms c1')
})

test.run()
