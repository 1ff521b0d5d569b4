/** Two shops and two networks that settle in currencies of 0, 2 and 3 decimals, each in its own way. */
import type { Rate } from '../model/figures.ts'
import { otherShop, shop, tills } from '../order-world.ts'

const tax = { taxBps: 1600 }
const commissions = (fixed: string, min: string) => [
  { from: '2026-01-01', direction: 'PAY_IN', fixed, bps: 80, min, ...tax },
  { from: '2026-01-01', direction: 'PAY_OUT', fixed, bps: 55, ...tax },
]
const pair = (country: string, currency: string, min: string, max: string, fees: readonly Rate[]) => ({
  country,
  currency,
  min,
  max,
  directions: ['PAY_OUT', 'PAY_IN'],
  fees,
})
const calendar = {
  name: 'banks',
  weekend: ['SAT', 'SUN'],
  closed: [
    { date: '2026-03-04', note: 'a holiday' },
    { date: '2026-03-05', note: 'another' },
  ],
}
const mexican = { currency: 'MXN', timeZone: 'America/Mexico_City', cutOff: '22:00', calendar: 'banks' }

/** Every kind of period, carried minimums, what is kept, currencies of 0, 2 and 3 decimals, and terms that change on the way. */
export const terms = {
  banks: ['MXN', 'CLP', 'KWD'].map((currency) => ({ name: `bank ${currency}`, currency })),
  calendars: [calendar],
  merchants: [
    {
      name: shop.name,
      settles: [
        { ...mexican, every: 'day', afterBankingDays: 1, keep: '50.00', account: 'CLABE 1' },
        {
          currency: 'CLP',
          timeZone: 'America/Santiago',
          every: ['MON', 'WED', 'FRI'],
          minimum: '4000',
          account: 'RUT 1',
        },
      ],
      pairs: [
        pair('MX', 'MXN', '1.00', '9000.00', [
          { from: '2026-01-01', direction: 'PAY_IN', bps: 250, ...tax },
          { from: '2026-01-01', direction: 'PAY_OUT', fixed: '2.50', bps: 150, max: '60.00', ...tax },
          { from: '2026-03-04', direction: 'PAY_IN', bps: 125, ...tax },
        ]),
        pair('CL', 'CLP', '100', '900000', [
          { from: '2026-01-01', direction: 'PAY_IN', fixed: '50', bps: 33, taxBps: 1900 },
          { from: '2026-01-01', direction: 'PAY_OUT', bps: 101, min: '20', taxBps: 1900 },
        ]),
      ],
    },
    {
      name: otherShop.name,
      settles: [
        {
          currency: 'KWD',
          timeZone: 'Asia/Kuwait',
          every: 'request',
          afterBankingDays: 2,
          account: 'IBAN 2',
        },
      ],
      pairs: [
        pair('KW', 'KWD', '0.100', '900.000', [
          { from: '2026-01-01', direction: 'PAY_IN', fixed: '0.001', bps: 37, taxBps: 500 },
        ]),
      ],
    },
  ],
  providers: [
    {
      name: tills.A.name,
      settles: [
        { ...mexican, every: 'day', afterBankingDays: 0, minimum: '300.00', account: 'CLABE A' },
        {
          currency: 'CLP',
          timeZone: 'America/Santiago',
          every: 'day',
          afterBankingDays: 1,
          account: 'RUT A',
        },
        { currency: 'KWD', timeZone: 'UTC', every: 'day', account: 'IBAN A' },
      ],
      networks: [
        { id: 'A-MXN', country: 'MX', currency: 'MXN', commissions: commissions('5.00', '7.00') },
        { id: 'A-CLP', country: 'CL', currency: 'CLP', commissions: commissions('10', '90') },
        { id: 'A-KWD', country: 'KW', currency: 'KWD', commissions: commissions('0.005', '0.050') },
      ],
    },
    // It has agreed on nothing but its networks: UTC days, no commission, closed when an operator asks.
    {
      name: tills.B.name,
      networks: ['MXN', 'CLP', 'KWD'].map((currency) => ({ id: `B-${currency}`, currency })),
    },
  ],
}

export const markets = [
  { merchant: shop, country: 'MX', currency: 'MXN', least: 5_000, most: 300_000 },
  { merchant: shop, country: 'CL', currency: 'CLP', least: 500, most: 60_000 },
  { merchant: otherShop, country: 'KW', currency: 'KWD', least: 500, most: 90_000 },
] as const
export const parties = [shop, otherShop, tills.A, tills.B]
export const names = new Map<string, string>(parties.map(({ id, name }) => [id, name]))

export type Market = (typeof markets)[number]
