/** Protocol 15.3: which day an instant belongs to, over changes of clocks, and what falls due when. */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  addDays,
  type BankCalendar,
  bankingDayAfter,
  cutOffOf,
  dayOf,
  isBankingDay,
  isCalendar,
  isCutOff,
  isDay,
  localDay,
  startOfDay,
} from '../../../actors/terms/days.ts'
import { isTimeZone } from '../../../machines/time-zones.ts'

/** zone, cut-off, day → the instant at which it ends, as tzdata has it. */
const cutOffs: [zone: string, cutOff: string, day: string, at: string][] = [
  ['UTC', '24:00', '2026-12-01', '2026-12-02T00:00:00Z'],
  ['America/Mexico_City', '22:00', '2026-12-01', '2026-12-02T04:00:00Z'],
  // The last changes of Mexico City's clock: forward on 3 April 2022, back on 30 October, and never since.
  ['America/Mexico_City', '22:00', '2022-04-02', '2022-04-03T04:00:00Z'],
  ['America/Mexico_City', '22:00', '2022-04-03', '2022-04-04T03:00:00Z'],
  ['America/Mexico_City', '02:30', '2022-04-03', '2022-04-03T08:00:00Z'],
  ['America/Mexico_City', '01:30', '2022-10-30', '2022-10-30T07:30:00Z'],
  ['America/Mexico_City', '22:00', '2023-04-02', '2023-04-03T04:00:00Z'],
  // Tijuana follows California.
  ['America/Tijuana', '02:30', '2026-03-08', '2026-03-08T10:00:00Z'],
  ['America/Tijuana', '02:00', '2026-03-08', '2026-03-08T10:00:00Z'],
  ['America/Tijuana', '01:30', '2026-11-01', '2026-11-01T09:30:00Z'],
  ['America/Tijuana', '24:00', '2026-10-31', '2026-11-01T07:00:00Z'],
  // Santiago's clock goes forward at midnight: that midnight does not exist.
  ['America/Santiago', '24:00', '2024-09-07', '2024-09-08T04:00:00Z'],
  ['America/Santiago', '00:30', '2024-09-08', '2024-09-08T04:00:00Z'],
  ['America/Santiago', '23:30', '2024-04-06', '2024-04-07T03:30:00Z'],
  ['America/Santiago', '24:00', '2024-04-06', '2024-04-07T04:00:00Z'],
  ['America/Santiago', '24:00', '2025-09-06', '2025-09-07T04:00:00Z'],
  ['America/Santiago', '23:30', '2026-04-04', '2026-04-05T03:30:00Z'],
  // Asunción keeps summer time since October 2024.
  ['America/Asuncion', '23:30', '2024-03-23', '2024-03-24T03:30:00Z'],
  ['America/Asuncion', '24:00', '2024-10-05', '2024-10-06T04:00:00Z'],
  ['America/Asuncion', '24:00', '2025-06-30', '2025-07-01T03:00:00Z'],
  // São Paulo's last summer began on 4 November 2018 at midnight; there has been none since 2019.
  ['America/Sao_Paulo', '24:00', '2018-11-03', '2018-11-04T03:00:00Z'],
  ['America/Sao_Paulo', '22:00', '2018-11-04', '2018-11-05T00:00:00Z'],
  ['America/Sao_Paulo', '23:30', '2019-02-16', '2019-02-17T02:30:00Z'],
  ['America/Sao_Paulo', '22:00', '2019-11-04', '2019-11-05T01:00:00Z'],
]

for (const [timeZone, cutOff, day, at] of cutOffs) {
  test(`${day} ends in ${timeZone} at ${cutOff}: ${at}`, () => {
    const rule = { timeZone, cutOff }
    const ends = cutOffOf(day, rule)
    assert.is(new Date(ends).toISOString(), new Date(at).toISOString())
    assert.is(dayOf(ends - 1, rule), day, 'the last millisecond')
    assert.is(dayOf(ends, rule), addDays(day, 1), 'the cut-off itself')
  })
}

test('every instant belongs to one day, and days follow each other', () => {
  const zones = ['America/Santiago', 'America/Asuncion', 'America/Tijuana', 'America/Sao_Paulo', 'UTC']
  const rule = fc.record({
    timeZone: fc.constantFrom(...zones),
    cutOff: fc.constantFrom('24:00', '22:00', '02:30', '00:30', '01:30', '23:59', '12:00'),
  })
  const at = fc.integer({ min: Date.UTC(2015, 0, 1), max: Date.UTC(2027, 0, 1) })
  fc.assert(
    fc.property(rule, at, (days, instant) => {
      const day = dayOf(instant, days)
      assert.ok(instant < cutOffOf(day, days))
      assert.ok(instant >= cutOffOf(addDays(day, -1), days))
    }),
    { numRuns: 300 },
  )
})

test('zones are those that Node knows by name, cut-offs are times of a day', () => {
  for (const name of ['America/Mexico_City', 'UTC', 'Europe/Madrid']) assert.ok(isTimeZone(name), name)
  for (const name of ['', '+03:00', 'America/Nowhere', 'GMT+25', '../etc']) assert.not(isTimeZone(name), name)
  for (const text of ['00:01', '22:00', '23:59', '24:00']) assert.ok(isCutOff(text), text)
  for (const text of ['00:00', '24:01', '7:00', '22:60', '25:00', '']) assert.not(isCutOff(text), text)
})

/** December 2026 in Mexico: the 12th is a Saturday, Christmas a Friday. */
const mexico: BankCalendar = { weekend: ['SAT', 'SUN'], closed: new Set(['2026-12-25', '2027-01-01']) }

/** A table by hand: closing day → due a banking day later, and two. */
const due: [day: string, next: string, afterNext: string][] = [
  ['2026-12-01', '2026-12-02', '2026-12-03'],
  ['2026-12-03', '2026-12-04', '2026-12-07'],
  ['2026-12-04', '2026-12-07', '2026-12-08'],
  ['2026-12-05', '2026-12-08', '2026-12-09'],
  ['2026-12-06', '2026-12-08', '2026-12-09'],
  ['2026-12-23', '2026-12-24', '2026-12-28'],
  ['2026-12-24', '2026-12-28', '2026-12-29'],
  ['2026-12-25', '2026-12-29', '2026-12-30'],
  ['2026-12-31', '2027-01-04', '2027-01-05'],
]

for (const [day, next, afterNext] of due) {
  test(`what closes on ${day} falls due on ${next}, or on ${afterNext}`, () => {
    assert.is(bankingDayAfter(day, 1, mexico), next)
    assert.is(bankingDayAfter(day, 2, mexico), afterNext)
  })
}

test('without a calendar banks always work, and one that never opens is a mistake', () => {
  assert.is(bankingDayAfter('2026-12-25', 1), '2026-12-26')
  assert.ok(isBankingDay('2026-12-26') && !isBankingDay('2026-12-26', mexico))
  const never: BankCalendar = {
    weekend: ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'],
    closed: new Set(),
  }
  assert.throws(() => bankingDayAfter('2026-12-25', 1, never), /no banking day/)
})

/** The last summer of São Paulo began at midnight: that midnight does not exist. */
const starts: [zone: string, day: string, at: string][] = [
  ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z'],
  ['America/Sao_Paulo', '2018-11-05', '2018-11-05T02:00:00.000Z'],
  ['America/Sao_Paulo', '2019-02-17', '2019-02-17T03:00:00.000Z'],
  ['America/Asuncion', '2024-10-06', '2024-10-06T04:00:00.000Z'],
  ['America/Santiago', '2024-09-08', '2024-09-08T04:00:00.000Z'],
]

for (const [timeZone, day, at] of starts) {
  test(`${day} begins in ${timeZone} at ${at}`, () => {
    const start = startOfDay(day, timeZone)
    assert.is(new Date(start).toISOString(), at)
    assert.equal([localDay(start, timeZone), localDay(start - 1, timeZone)], [day, addDays(day, -1)])
  })
}

test('days are those of the calendar, written in one way', () => {
  for (const text of ['2026-12-25', '2028-02-29', '2099-12-31']) assert.ok(isDay(text), text)
  for (const text of ['2026-02-29', '2026-13-01', '2026-1-1', '1999-12-31', '', '2026-12-25T00:00'])
    assert.not(isDay(text), text)
})

test('a calendar opens within two months of every closed day', () => {
  const closed = (days: number) =>
    new Set(Array.from({ length: days }, (_, index) => addDays('2026-09-01', index)))
  assert.ok(isCalendar({ weekend: [], closed: closed(60) }))
  assert.not(isCalendar({ weekend: [], closed: closed(70) }))
  assert.not(isCalendar({ weekend: ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'], closed: new Set() }))
})

test.run()
