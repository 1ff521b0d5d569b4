/** Protocol 17.2: what a channel and a rule may say, and when the digest is due. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { OperationError } from '../../../actors/foundation/operation.ts'
import {
  isAddress,
  nextDigestAt,
  readAddresses,
  readBelow,
  readEvents,
} from '../../../actors/notifications/channels.ts'
import { eventNames, eventSorts } from '../../../actors/notifications/events.ts'

/** zone, time of the digest, after, due: over both changes of the clock. */
const digests: [zone: string, at: string, after: string, due: string][] = [
  ['UTC', '08:00', '2026-03-01T07:59:59Z', '2026-03-01T08:00:00Z'],
  ['UTC', '08:00', '2026-03-01T08:00:00Z', '2026-03-02T08:00:00Z'],
  ['UTC', '00:00', '2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z'],
  ['America/Mexico_City', '08:00', '2026-03-01T13:00:00Z', '2026-03-01T14:00:00Z'],
  // California's clock goes forward on 8 March 2026 from 2 to 3, and back on 1 November.
  ['America/Tijuana', '08:00', '2026-03-07T17:00:00Z', '2026-03-08T15:00:00Z'],
  ['America/Tijuana', '08:00', '2026-03-08T15:00:00Z', '2026-03-09T15:00:00Z'],
  ['America/Tijuana', '02:30', '2026-03-08T09:00:00Z', '2026-03-08T10:00:00Z'],
  ['America/Tijuana', '02:30', '2026-03-08T10:00:00Z', '2026-03-09T09:30:00Z'],
  ['America/Tijuana', '01:30', '2026-11-01T08:00:00Z', '2026-11-01T09:30:00Z'],
  ['America/Tijuana', '01:30', '2026-11-01T09:30:00Z', '2026-11-02T09:30:00Z'],
  ['America/Tijuana', '08:00', '2026-10-31T15:00:00Z', '2026-11-01T16:00:00Z'],
  // Santiago's midnight of 8 September 2024 does not exist.
  ['America/Santiago', '00:00', '2024-09-07T12:00:00Z', '2024-09-08T04:00:00Z'],
  ['Pacific/Kiritimati', '23:30', '2026-03-01T00:00:00Z', '2026-03-01T09:30:00Z'],
]

for (const [timeZone, digestAt, after, due] of digests) {
  test(`the digest at ${digestAt} in ${timeZone} after ${after} is due at ${due}`, () => {
    assert.is(nextDigestAt({ timeZone, digestAt }, Date.parse(after)), Date.parse(due))
  })
}

test('a year of digests has one for each day, also where clocks change', () => {
  const config = { timeZone: 'America/Santiago', digestAt: '00:30' }
  let at = Date.parse('2024-01-01T12:00:00Z')
  for (let count = 0; count < 366; count++) {
    const next = nextDigestAt(config, at)
    assert.ok(next - at <= 25 * 3_600_000 && next > at, new Date(at).toISOString())
    at = next
  }
  assert.is(new Date(at).toISOString().slice(0, 10), '2025-01-01')
})

const addresses = ['a@b.example', 'first.last+tag@mail.shop.example', 'root@localhost', 'x@192.0.2.1']
const others = [
  ...[
    '',
    'a',
    '@b',
    'a@',
    'a@b c',
    'a b@c',
    'a@b\r\nBcc: c@d',
    'a@b\n',
    '"a b"@c',
    'a@b,c@d',
    '<a@b>',
    'a@-b',
  ],
  ...[
    'a..b@c',
    '.a@b',
    'a@b..c',
    'a@b>',
    'ü@b.example',
    `${'a'.repeat(65)}@b.example`,
    `a@${'b'.repeat(300)}`,
  ],
]

test('an address is one that no header and no command can be hidden in', () => {
  for (const address of addresses) assert.ok(isAddress(address), address)
  for (const other of others) assert.not.ok(isAddress(other), other)
})

test('addresses, events and amounts are read, or refused with what is wrong', () => {
  assert.equal(readAddresses('a@b.example, c@d.example'), ['a@b.example', 'c@d.example'])
  assert.is(readAddresses(' party '), 'party')
  assert.equal(readEvents('disk.low,alarm'), ['disk.low', 'alarm'])
  assert.equal(readBelow('1000.00 MXN'), { amount: '1000.00', currency: 'MXN', minor: '100000' })
  const refused = [
    () => readAddresses('nobody'),
    () => readAddresses(' , '),
    () => readAddresses(Array.from({ length: 11 }, (_, index) => `a${index}@b.example`).join(',')),
    () => readEvents(''),
    () => readEvents('toString'),
    () => readBelow('1000.001 MXN'),
    () => readBelow('0.00 MXN'),
    () => readBelow('1000 XYZW'),
    () => readBelow('-5 MXN'),
  ]
  for (const [index, read] of refused.entries())
    assert.throws(read, (error: unknown) => error instanceof OperationError, `${index}`)
})

test('every event there is can be named in a rule', () => {
  assert.equal([...eventNames].toSorted(), Object.keys(eventSorts).toSorted())
})

test.run()
