import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { formatInstant, parseInstant } from '../../machines/time.ts'

/** What is read, as the one form it is answered in; `null` for what is no datetime. */
const datetimes: [text: string, instant: string | null][] = [
  // Seconds, their fraction and the offset may be missing; none means UTC.
  ['2026-11-27T12:30', '2026-11-27T12:30:00.000Z'],
  ['2026-11-27T12:30:45', '2026-11-27T12:30:45.000Z'],
  ['2026-11-27T12:30:45.5', '2026-11-27T12:30:45.500Z'],
  ['2026-11-27T12:30:45.123456', '2026-11-27T12:30:45.123Z'],
  ['2026-11-27T12:30:45.123999999', '2026-11-27T12:30:45.123Z'],
  ['2026-11-27T12:30:45.123999999999', '2026-11-27T12:30:45.123Z'],
  ['2026-11-27T12:30:45.1239999999999', null],
  ['2026-11-27T12:30:45,25', '2026-11-27T12:30:45.250Z'],
  ['2026-11-27T12:30:45.Z', null],
  ['2026-11-27T12:30.5', null],
  ['2026-11-27T12', null],
  ['2026-11-27', null],
  // A blank or a small t between date and time; blanks around.
  ['2026-11-27 12:30:45Z', '2026-11-27T12:30:45.000Z'],
  ['2026-11-27t12:30:45z', '2026-11-27T12:30:45.000Z'],
  ['  2026-11-27T12:30:45Z\n', '2026-11-27T12:30:45.000Z'],
  ['2026-11-27T12:30:45 Z', '2026-11-27T12:30:45.000Z'],
  ['2026-11-27  12:30:45Z', null],
  ['2026-11-27_12:30:45Z', null],
  // Offsets, those on either side of the clock's change in Santiago and half hours too.
  ['2026-11-27T12:30:00+00:00', '2026-11-27T12:30:00.000Z'],
  ['2026-11-27T12:30:00-00:00', '2026-11-27T12:30:00.000Z'],
  ['2026-09-05T23:59:59-04:00', '2026-09-06T03:59:59.000Z'],
  ['2026-09-06T01:00:00-03:00', '2026-09-06T04:00:00.000Z'],
  ['2026-11-27T12:30:00-0600', '2026-11-27T18:30:00.000Z'],
  ['2026-11-27T12:30:00+0530', '2026-11-27T07:00:00.000Z'],
  ['2026-11-27T12:30:00-06', '2026-11-27T18:30:00.000Z'],
  ['2026-11-27T12:30:00+05:30', '2026-11-27T07:00:00.000Z'],
  ['2026-11-27T12:30:00+14:00', '2026-11-26T22:30:00.000Z'],
  ['2026-11-27T12:30:00-12:00', '2026-11-28T00:30:00.000Z'],
  ['2026-11-27T12:30:00+23:59', '2026-11-26T12:31:00.000Z'],
  ['2026-11-27T12:30:00+24:00', null],
  ['2026-11-27T12:30:00+05:60', null],
  ['2026-11-27T12:30:00+5:30', null],
  ['2026-11-27T12:30:00+053', null],
  ['2026-11-27T12:30:00+05:30:00', null],
  ['2026-11-27T12:30:00 America/Mexico_City', null],
  ['2026-11-27T12:30:00[UTC]', null],
  ['2026-11-27T12:30:00−06:00', null],
  // Days and hours that do not exist.
  ['2028-02-29T00:00Z', '2028-02-29T00:00:00.000Z'],
  ['2000-02-29T00:00Z', '2000-02-29T00:00:00.000Z'],
  ['2027-02-29T00:00Z', null],
  ['2100-02-29T00:00Z', null],
  ['2026-04-31T00:00Z', null],
  ['2026-13-01T00:00Z', null],
  ['2026-00-10T00:00Z', null],
  ['2026-11-00T00:00Z', null],
  ['2026-11-32T00:00Z', null],
  ['2026-11-27T23:59:59.999Z', '2026-11-27T23:59:59.999Z'],
  ['2026-11-27T24:00Z', null],
  ['2026-11-27T24:00:00.000Z', null],
  ['2026-11-27T12:60Z', null],
  ['2026-11-27T12:30:60Z', null],
  ['2016-12-31T23:59:60Z', null],
  // The year has four digits, from 0001 to 9999, in UTC too.
  ['0000-01-01T00:00Z', null],
  ['0000-12-31T23:00-02:00', null],
  ['0001-01-01T00:00Z', '0001-01-01T00:00:00.000Z'],
  ['0001-01-01T00:00+00:01', null],
  ['0099-12-31T00:00Z', '0099-12-31T00:00:00.000Z'],
  ['1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ['9999-12-31T23:59:59.999-00:01', null],
  ['10000-01-01T00:00Z', null],
  ['+002026-11-27T12:30Z', null],
  ['-2026-11-27T12:30Z', null],
  ['26-11-27T12:30Z', null],
  // Other ways to write a time.
  ['', null],
  ['tomorrow', null],
  ['1790000000', null],
  ['2026-W48-5T12:30Z', null],
  ['2026-331T12:30Z', null],
  ['20261127T123000Z', null],
  ['27/11/2026 12:30', null],
  ['2026-11-27T1:30Z', null],
  ['2026-1-7T12:30Z', null],
  ['２０２６-11-27T12:30Z', null],
  ['2026-11-27T12:30Z2026-11-27T12:30Z', null],
  ['2026-11-27T12:30Z\u0000', null],
]

for (const [text, instant] of datetimes)
  test(`${JSON.stringify(text)} is ${instant ?? 'no datetime'}`, () => {
    const read = parseInstant(text)
    assert.is(read === null ? null : formatInstant(read), instant)
  })

const anyInstant = fc.date({
  min: new Date('0001-01-01T00:00:00.000Z'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
})

test('what is written is read again as the same instant', () => {
  fc.assert(
    fc.property(anyInstant, (date) => {
      const text = formatInstant(date.getTime())
      assert.match(text, /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/)
      assert.is(parseInstant(text), date.getTime())
    }),
  )
})

test('the same instant may be written with any offset', () => {
  const middle = { min: new Date('0002-01-01'), max: new Date('9998-01-01'), noInvalidDate: true }
  fc.assert(
    fc.property(fc.date(middle), fc.integer({ min: -1439, max: 1439 }), (date, minutes) => {
      const local = formatInstant(date.getTime() + minutes * 60_000).slice(0, -1)
      const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
      const twoDigits = (number: number) => String(number).padStart(2, '0')
      const offset = `${minutes < 0 ? '-' : '+'}${twoDigits(hours)}:${twoDigits(rest)}`
      assert.is(parseInstant(local + offset), date.getTime())
    }),
  )
})

test('no text whatever throws, or is an instant that cannot be written with four digits of the year', () => {
  const shaped = fc.stringMatching(
    /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}([.,]\d{1,12})?)?([+-]\d{2}:?\d{2})?$/,
  )
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), shaped), (text) => {
      const read = parseInstant(text)
      if (read !== null) assert.is(parseInstant(formatInstant(read)), read)
    }),
    { numRuns: 2000 },
  )
})

test.run()
