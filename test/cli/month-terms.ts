/** Two shops and two networks, each of which settles in its own way, in three currencies: the parties of a month. */
import { secretOf } from '../support/node.ts'

const from = '2026-06-01'
const tax = { taxBps: 1600 }
const mexican = { currency: 'MXN', timeZone: 'America/Mexico_City', cutOff: '22:00', calendar: 'mx-banks' }

export const monthTerms = {
  banks: ['MXN', 'CLP', 'KWD'].map((currency) => ({ name: `bank ${currency}`, currency })),
  calendars: [
    { name: 'mx-banks', weekend: ['SAT', 'SUN'], closed: [{ date: '2026-06-03', note: 'a holiday' }] },
  ],
  merchants: [
    {
      name: 'Kiosk',
      contact: 'ops@kiosk.example',
      credentials: [{ key: 'mk_kiosk', secret: secretOf('mk_kiosk') }],
      settles: [
        { ...mexican, every: 'day', afterBankingDays: 1, keep: '2000.00', account: 'CLABE …01' },
        { currency: 'CLP', timeZone: 'America/Santiago', every: ['FRI'], account: 'RUT …01' },
      ],
      pairs: [
        {
          ...{
            country: 'MX',
            currency: 'MXN',
            min: '10.00',
            max: '50000.00',
            directions: ['PAY_OUT', 'PAY_IN'],
          },
          fees: [
            { from, direction: 'PAY_IN', bps: 250, ...tax },
            { from, direction: 'PAY_OUT', bps: 150, ...tax },
          ],
        },
        {
          ...{ country: 'CL', currency: 'CLP', min: '1000', max: '5000000', directions: ['PAY_IN'] },
          fees: [{ from, direction: 'PAY_IN', bps: 100, taxBps: 1900 }],
        },
      ],
    },
    {
      name: 'Books',
      contact: 'ops@books.example',
      credentials: [{ key: 'mk_books', secret: secretOf('mk_books') }],
      settles: [{ currency: 'KWD', timeZone: 'Asia/Kuwait', every: 'request', account: 'IBAN …02' }],
      pairs: [
        {
          ...{
            country: 'MX',
            currency: 'MXN',
            min: '10.00',
            max: '50000.00',
            directions: ['PAY_OUT', 'PAY_IN'],
          },
          fees: [{ from, direction: 'PAY_IN', bps: 250, ...tax }],
        },
        {
          ...{ country: 'KW', currency: 'KWD', min: '1.000', max: '900.000', directions: ['PAY_IN'] },
          fees: [{ from, direction: 'PAY_IN', fixed: '0.250' }],
        },
      ],
    },
  ],
  providers: [
    {
      name: 'Tiendas',
      credentials: [{ key: 'pk_tiendas', secret: secretOf('pk_tiendas') }],
      settles: [
        { ...mexican, every: 'day', afterBankingDays: 1, minimum: '100.00', account: 'CLABE …11' },
        { currency: 'CLP', timeZone: 'America/Santiago', every: 'day', account: 'RUT …11' },
      ],
      networks: [
        {
          ...{ id: 't-mx', country: 'MX', currency: 'MXN' },
          commissions: ['PAY_IN', 'PAY_OUT'].map((direction) => ({
            ...{ from, direction, fixed: '5.00', bps: 80, min: '5.00', max: '60.00' },
            ...tax,
          })),
        },
        {
          ...{ id: 't-cl', country: 'CL', currency: 'CLP' },
          commissions: [{ from, direction: 'PAY_IN', fixed: '100', bps: 50, taxBps: 1900 }],
        },
      ],
    },
    {
      name: 'Corner',
      credentials: [{ key: 'pk_corner', secret: secretOf('pk_corner') }],
      settles: [
        { ...mexican, every: ['FRI'], account: 'CLABE …12' },
        { currency: 'KWD', timeZone: 'Asia/Kuwait', every: 'day' },
      ],
      networks: [
        { id: 'c-mx', country: 'MX', currency: 'MXN' },
        {
          id: 'c-kw',
          country: 'KW',
          currency: 'KWD',
          commissions: [{ from, direction: 'PAY_IN', fixed: '0.100' }],
        },
      ],
    },
  ],
}
