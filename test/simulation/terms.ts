/** The parties of every simulated world, and what they have agreed on, as the text of an `apply` file. */

import type { Rate } from '../support/model/figures.ts'

export const merchants = [
  { name: 'Shop', key: { name: 'mk_shop', secret: 'the secret of the shop, long enough', kind: 'Merchant' } },
  {
    name: 'Kiosk',
    key: { name: 'mk_kiosk', secret: 'the secret of the kiosk, long enough', kind: 'Merchant' },
  },
] as const

export const tills = [
  {
    name: 'Network A',
    network: 'A-1',
    key: { name: 'pk_a', secret: 'the secret of network A, long enough', kind: 'Provider' },
  },
  {
    name: 'Network A',
    network: 'A-2',
    key: { name: 'pk_a', secret: 'the secret of network A, long enough', kind: 'Provider' },
  },
  {
    name: 'Network B',
    network: 'B-1',
    key: { name: 'pk_b', secret: 'the secret of network B, long enough', kind: 'Provider' },
  },
] as const

const pairs = (fees: readonly Rate[]) => [
  { country: 'MX', currency: 'MXN', min: '10.00', max: '9000.00', directions: ['PAY_OUT', 'PAY_IN'], fees },
]
const credential = ({ name: key, secret }: { name: string; secret: string }) => ({ key, secret })
const commissions = [
  { from: '2026-01-01', direction: 'PAY_IN', fixed: '5.00', bps: 80, min: '7.00', taxBps: 1600 },
  { from: '2026-01-01', direction: 'PAY_OUT', fixed: '5.00', bps: 55, taxBps: 1600 },
]

export const terms = {
  rates: [
    {
      ...{ blockchains: ['MONAD'], send: 'USDC', country: 'MX', target: 'MXN', rate: '17.00' },
      ...{ feeFixed: '0.50', feeBps: 100 },
    },
  ],
  banks: [{ name: 'main', currency: 'MXN' }],
  merchants: [
    {
      name: 'Shop',
      contact: 'ops@shop.example',
      credentials: [credential(merchants[0].key)],
      settles: [{ currency: 'MXN', every: 'request', keep: '50.00', account: 'CLABE 1' }],
      pairs: pairs([
        { from: '2026-01-01', direction: 'PAY_IN', bps: 250, taxBps: 1600 },
        { from: '2026-01-01', direction: 'PAY_OUT', fixed: '2.50', bps: 150, max: '60.00', taxBps: 1600 },
      ]),
    },
    {
      name: 'Kiosk',
      contact: 'ops@kiosk.example',
      credentials: [credential(merchants[1].key)],
      pairs: pairs([]),
    },
  ],
  providers: [
    {
      name: 'Network A',
      credentials: [credential(tills[0].key)],
      settles: [{ currency: 'MXN', every: 'request', afterBankingDays: 0, account: 'CLABE A' }],
      networks: ['A-1', 'A-2'].map((id) => ({ id, country: 'MX', currency: 'MXN', commissions })),
    },
    {
      name: 'Network B',
      credentials: [credential(tills[2].key)],
      networks: [{ id: 'B-1', currency: 'MXN' }],
    },
  ],
}
