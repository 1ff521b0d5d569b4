/** Clocks on the wall, in places where they are changed: Tijuana and Lord Howe (half an hour), Athens, Havana. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { localTimes } from '../../node/local-schedule.ts'
import { loadSettings } from '../../node/settings/config.ts'

const minuteMs = 60_000
const zone = process.env.TZ
test.after.each(() => {
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
})

/** When something is due, looked at each minute between two instants, by the host's time. */
function dueTimes(place: string, pattern: string, from: string, until: string, everyMs = minuteMs): string[] {
  process.env.TZ = place
  const [first, last] = [Date.parse(from), Date.parse(until)]
  const times = localTimes(pattern, first)
  const due: string[] = []
  for (let at = first + everyMs; at <= last; at += everyMs) {
    if (times.isDue(at)) due.push(new Date(at).toLocaleString('sv').slice(0, 16))
  }
  return due
}

/** Three days around a change, at the minute of a pattern that its skipped or doubled hour holds. */
const nights: [title: string, place: string, pattern: string, from: string, expected: string[]][] = [
  [
    'a skipped hour is made up for when it is over',
    'America/Tijuana',
    '23 2 * * *',
    '2027-03-13T00:00Z',
    ['2027-03-13 02:23', '2027-03-14 03:00', '2027-03-15 02:23'],
  ],
  [
    'an hour that comes twice counts once',
    'America/Tijuana',
    '23 1 * * *',
    '2027-11-06T00:00Z',
    ['2027-11-06 01:23', '2027-11-07 01:23', '2027-11-08 01:23'],
  ],
  [
    'midnight is skipped in Havana',
    'America/Havana',
    '0 0 * * *',
    '2027-03-13T00:00Z',
    ['2027-03-13 00:00', '2027-03-14 01:00', '2027-03-15 00:00'],
  ],
  [
    'three in the morning is skipped in Athens',
    'Europe/Athens',
    '17,47 3 * * *',
    '2027-03-27T00:00Z',
    ['2027-03-27 03:17', '2027-03-27 03:47', '2027-03-28 04:00', '2027-03-29 03:17', '2027-03-29 03:47'],
  ],
  [
    'half an hour is skipped on Lord Howe',
    'Australia/Lord_Howe',
    '10 2 * * *',
    '2027-10-01T14:00Z',
    ['2027-10-02 02:10', '2027-10-03 02:30', '2027-10-04 02:10'],
  ],
  [
    'a day of the week is that of the place',
    'America/Tijuana',
    '23 2 * * 0',
    '2027-03-13T00:00Z',
    ['2027-03-14 03:00'],
  ],
]
for (const [title, place, pattern, from, expected] of nights) {
  test(title, () => {
    const until = new Date(Date.parse(from) + 65 * 60 * minuteMs).toISOString()
    assert.equal(dueTimes(place, pattern, from, until), expected)
  })
}

test('of a schedule of every hour, the skipped one is made up for at once', () => {
  const march = dueTimes('America/Tijuana', '5 * * * *', '2027-03-14T08:00Z', '2027-03-14T12:00Z')
  assert.equal(march, [
    '2027-03-14 00:05',
    '2027-03-14 01:05',
    '2027-03-14 03:00',
    '2027-03-14 03:05',
    '2027-03-14 04:05',
  ])
})

test('what a host slept through is due once when it wakes', () => {
  const dayMs = 24 * 60 * minuteMs
  assert.equal(dueTimes('UTC', '23 5 * * *', '2027-01-01T00:00Z', '2027-01-10T00:00Z', 3 * dayMs), [
    '2027-01-04 00:00',
    '2027-01-07 00:00',
    '2027-01-10 00:00',
  ])
})

test('a clock that was wrong and is set right keeps nothing from being due', () => {
  process.env.TZ = 'UTC'
  const times = localTimes('23 5 * * *', Date.parse('2030-01-01T00:00Z'))
  assert.is(times.isDue(Date.parse('2027-01-01T05:22Z')), false)
  assert.is(times.isDue(Date.parse('2027-01-01T05:23Z')), true)
})

test('the hour of the default schedule is neither skipped nor doubled anywhere in the next years', () => {
  const { schedule } = loadSettings({ cwd: import.meta.dirname, env: {} }).backups
  const [minute, hour] = schedule.split(' ')
  for (const place of Intl.supportedValuesOf('timeZone')) {
    process.env.TZ = place
    for (let day = Date.UTC(2026, 0, 1, 12); day < Date.UTC(2028, 0, 1); day += 86_400_000) {
      const at = new Date(day)
      at.setHours(Number(hour), Number(minute), 0, 0)
      const [before, after] = [at.getTime() - 3_600_000, at.getTime() + 3_600_000].map((one) => new Date(one))
      const told = `${place} ${at.toISOString()}`
      assert.is(at.getHours(), Number(hour), told)
      assert.is(before?.getHours(), Number(hour) - 1, told)
      assert.is(after?.getHours(), Number(hour) + 1, told)
    }
  }
})

test.run()
