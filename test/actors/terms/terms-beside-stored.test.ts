/** Protocol 15.2: what is wrong with terms only in the light of what is stored is named by its path, too. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { apply } from '../../../actors/provisioning/operations.ts'
import { operatorOf } from '../../support/operations.ts'
import { inOrderWorld, type OrderWorld } from '../../support/order-world.ts'

const play = inOrderWorld(test)

const pair = { country: 'MX', currency: 'MXN', min: '10.00', max: '1000.00' }
const fee = { from: '2026-12-01', direction: 'PAY_IN' }
const shop = (members: object) => ({ merchants: [{ name: 'Kiosk', ...members }] })
const fees = (...list: object[]) => shop({ pairs: [{ ...pair, fees: list }] })
const network = (members: object) => ({
  providers: [{ name: 'Tills', networks: [{ id: 'n2', ...members }] }],
})
const feePath = 'merchants[0].pairs[0].fees[0]'
const networkPath = 'providers[0].networks[0]'

async function everything(world: OrderWorld): Promise<unknown> {
  const tables = ['parties', 'pairs', 'networks', 'banks', 'calendars', 'calendar_days'] as const
  const ofTerms = ['settlement_terms', 'cut_offs', 'fee_terms', 'exposure_limits', 'facts'] as const
  return Promise.all([...tables, ...ofTerms].map((table) => world.rows(table)))
}

play('what is wrong only beside what is there is named as well', async (world) => {
  const { ask, refusal } = operatorOf(world)
  const commission = { ...fee, bps: 100 }
  await ask(apply, {
    ...fees({ ...fee, fixed: '9.00' }),
    ...network({ currency: 'MXN', min: '10.00', commissions: [commission] }),
    banks: [{ name: 'main', currency: 'MXN' }],
  })
  const before = await everything(world)
  const later: [what: string, file: Record<string, unknown>, lines: string[]][] = [
    [
      'a greatest price below a fee',
      shop({ pairs: [{ country: 'MX', currency: 'MXN', min: '5.00', max: '8.99' }] }),
      [
        'merchants[0].pairs[0]: PAY_IN from 2026-12-01: the fee of 9.00 and its tax of 0.00 are more than the greatest price, 8.99 MXN: no pay-in would cover them',
      ],
    ],
    [
      'another currency of a network with commissions',
      network({ currency: 'CLP', min: '10' }),
      [`${networkPath}.currency: network n2 has commissions in MXN`],
    ],
    [
      'a day that is past',
      fees({ ...fee, from: '2026-02-28' }),
      [
        `${feePath}.from: "2026-02-28" is past: it is 2026-03-01 in UTC, and what was agreed on before is not changed`,
      ],
    ],
    [
      'another currency of a bank',
      { banks: [{ name: 'main', currency: 'USD' }] },
      ['banks[0].currency: bank main has MXN, and what is booked there stays so'],
    ],
    [
      'a new pair without limits',
      shop({ pairs: [{ country: 'CL', currency: 'CLP' }] }),
      ['merchants[0].pairs[0].min: is missing', 'merchants[0].pairs[0].max: is missing'],
    ],
    [
      'a network of another provider',
      { providers: [{ name: 'Others', networks: [{ id: 'n2', name: 'Mine' }] }] },
      ['providers[0].networks[0]: network n2 is registered to provider Tills'],
    ],
  ]
  for (const [what, file, lines] of later) {
    assert.equal((await refusal('apply', file)).details, lines, what)
  }
  assert.equal(await everything(world), before)
})

test.run()
