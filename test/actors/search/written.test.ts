import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { readSought, type Sought } from '../../../actors/search/written.ts'

const id = '0195a1b2-c3d4-7e5f-8a9b-00ffbbad6185'
const whole = { prefix: id, ending: null }
const ending = { prefix: 'bbad6185', ending: 'bbad6185' }
const hash = 'a3'.repeat(32)

/** What each text is taken for, besides a reference and a name. */
const rows: readonly (readonly [text: string, sought: Sought])[] = [
  [id, { id: whole }],
  [id.toUpperCase(), { id: whole }],
  [id.replaceAll('-', ''), { id: whole }],
  [`  ${id}\n`, { id: whole }],
  [`"${id}",`, { id: whole }],
  [`https://console.example/orders/${id}`, { id: whole }],
  [`https://console.example/orders/${id}?done=order.cancel#f3`, { id: whole }],
  [`https://pay.example/checkout/${id}`, { id: whole }],
  [`/inspect/orders/${id}?step=3`, { id: whole }],
  ['bbad6185', { id: ending }],
  ['BBAD 6185', { id: ending }],
  ['…bbad6185', { id: { prefix: null, ending: 'bbad6185' } }],
  ['...bbad6185', { id: { prefix: null, ending: 'bbad6185' } }],
  ['ad6185', { id: { prefix: 'ad6185', ending: 'ad6185' } }],
  ['d6185', {}],
  ['0195a1b2-c3d4', { id: { prefix: '0195a1b2-c3d4', ending: '0195a1b2c3d4' } }],
  ['0195a1b2c3d47', { id: { prefix: '0195a1b2-c3d4-7', ending: null } }],
  ['123456789012345', { code: '123456789012345', id: { prefix: '12345678-9012-345', ending: null } }],
  ['1234 5678 9012 345', { code: '123456789012345', id: { prefix: '12345678-9012-345', ending: null } }],
  ['1234-5678-9012-345', { code: '123456789012345', id: { prefix: '12345678-9012-345', ending: null } }],
  ['Ana.Ruiz@mail.example', { email: 'Ana.Ruiz@mail.example' }],
  ['<ana@mail.example>', { email: 'ana@mail.example' }],
  ['+52 55 1234 5678', { phone: '+52 55 1234 5678' }],
  ['(55) 1234-5678', { phone: '55) 1234-5678' }],
  ['55.1234.5678', { phone: '55.1234.5678' }],
  ['+123456789012345', { phone: '+123456789012345' }],
  ['12-34-56', { id: { prefix: '123456', ending: '123456' } }],
  [hash, { transaction: { written: hash, plain: hash, marked: `0x${hash}` } }],
  [`0x${hash.toUpperCase()}`, { transaction: { written: hash, plain: hash, marked: `0x${hash}` } }],
  ['12', { statement: 12 }],
  ['#12', { statement: 12 }],
  ['Statement 12', { statement: 12 }],
  ['https://console.example/statement?kind=provider&party=A&currency=MXN&number=7', { statement: 7 }],
  ['https://console.example/merchants/Demo%20Shop', {}],
  ['shoes-4711', {}],
  ['438.00 MXN', { amount: { minor: 43_800n, currency: 'MXN' } }],
  ['438mxn', { amount: { minor: 43_800n, currency: 'MXN' } }],
  ['MXN 1,250.5', { amount: { minor: 125_050n, currency: 'MXN' } }],
  ['1.250,50 MXN', { amount: { minor: 125_050n, currency: 'MXN' } }],
  ['26.990 CLP', { amount: { minor: 26_990n, currency: 'CLP' } }],
  ['438,5 MXN', { amount: { minor: 43_850n, currency: 'MXN' } }],
  ['0.00 MXN', {}],
  ['438.0011 MXN', {}],
  ['438.00 XYZ', {}],
  ['MXN 438 MXN', {}],
]

for (const [text, expected] of rows) {
  test(`what ${JSON.stringify(text)} may be`, () => {
    const { reference, party, ...sought } = readSought(text)
    assert.equal(sought, expected)
  })
}

test('a name is taken out of the address of its page, and nothing is nothing', () => {
  assert.is(readSought('https://console.example/merchants/Demo%20Shop').party, 'Demo Shop')
  assert.is(readSought('https://console.example/merchants/%E0%A4%A').reference, '%E0%A4%A')
  for (const text of ['', '   ', '""', 'x'.repeat(300)]) assert.equal(readSought(text), {})
})

test.run()
