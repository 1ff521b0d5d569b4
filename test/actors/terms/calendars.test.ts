/** Protocol 15.2: closed days by CSV, whole or not at all. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { apply } from '../../../actors/provisioning/operations.ts'
import { readCalendarFile } from '../../../actors/terms/calendar-file.ts'
import { calendarImport, calendarList } from '../../../actors/terms/calendar-operations.ts'
import { operatorOf } from '../../support/operations.ts'
import { inOrderWorld } from '../../support/order-world.ts'

const play = inOrderWorld(test)
const name = 'mx-banks'

play(
  'a calendar is made of a file, told before it is done, and the same file changes nothing',
  async (world) => {
    const { ask } = operatorOf(world)
    const text = '\ufeffNote,Date\r\nNavidad,2026-12-25\r\n,2027-01-01\r\n'
    const told = {
      calendar: name,
      isNew: true,
      added: ['2026-12-25', '2027-01-01'],
      renoted: [],
      removed: [],
      unchanged: 0,
    }
    assert.equal(await ask(calendarImport, { name, text, dryRun: true }), { ...told, dryRun: true })
    assert.equal(await world.rows('calendars'), [])
    assert.equal(await ask(calendarImport, { name, text }), { ...told, dryRun: false })
    assert.equal((await ask(calendarList, {})).calendars, [
      {
        name,
        weekend: ['SAT', 'SUN'],
        closed: [
          { date: '2026-12-25', note: 'Navidad' },
          { date: '2027-01-01', note: '' },
        ],
      },
    ])
    const facts = await world.rows('facts')
    const again = await ask(calendarImport, { name, text })
    assert.equal([again.added, again.renoted, again.unchanged], [[], [], 2])
    assert.equal(await world.rows('facts'), facts)
  },
)

play('what the file lacks stays, but for coming days where that is asked for', async (world) => {
  const { ask } = operatorOf(world)
  const closed = ['2026-02-01', '2026-05-01', '2026-12-25'].map((date) => ({ date, note: 'old' }))
  await ask(apply, { calendars: [{ name, weekend: ['SUN'], closed }] })
  const added = await ask(calendarImport, { name, text: 'date,note\n2026-12-25,Navidad\n' })
  assert.equal([added.renoted, added.removed], [['2026-12-25'], []])
  const replaced = await ask(calendarImport, { name, text: 'date,note\n2026-12-25,Navidad\n', replace: true })
  assert.equal([replaced.removed, replaced.unchanged], [['2026-05-01'], 1])
  assert.equal((await ask(calendarList, {})).calendars[0], {
    name,
    weekend: ['SUN'],
    closed: [
      { date: '2026-02-01', note: 'old' },
      { date: '2026-12-25', note: 'Navidad' },
    ],
  })
})

const files: [what: string, text: string, lines: string[]][] = [
  ['nothing but a line', '\n', ['line 1: the file is empty']],
  [
    'another column',
    'date,what\n2026-12-25,x\n',
    ['line 1: “what” is not a column; the columns are date and note'],
  ],
  ['no date', 'note\nx\n', ['line 1: the column date is missing']],
  ['a column twice', 'date,date\n', ['line 1: a column appears twice']],
  [
    'dates',
    'date,note\n2026-02-29,x\n25/12/2026,y\n2026-12-25,z\n\n2026-12-25,again\n',
    [
      'line 2: “2026-02-29” is no date such as 2026-12-25',
      'line 3: “25/12/2026” is no date such as 2026-12-25',
      'line 6: 2026-12-25 is in line 4 already',
    ],
  ],
  ['values', 'date,note\n2026-12-25\n', ['line 2: it has 1 values, and the header 2']],
  [
    'notes',
    `date,note\n2026-12-25,a\u202eb\n2026-12-26,${'x'.repeat(101)}\n`,
    [
      'line 2: the note has a character in it that cannot be seen (U+202E)',
      'line 3: the note is longer than 100 characters',
    ],
  ],
  [
    'a quote',
    'date,note\n2026-12-25,"x\n',
    ['line 2: is not CSV: Quote Not Closed: the parsing is finished with an opening quote at line 2'],
  ],
]

play('each bad line is named, and nothing is imported', async (world) => {
  const { refusal } = operatorOf(world)
  for (const [what, text, lines] of files) {
    const { code, details } = await refusal('calendar.import', { name, text })
    assert.equal([code, details], ['invalid', lines], what)
  }
  const odd = await refusal('calendar.import', { name: ' ', text: 'date\n2026-12-25\n' })
  assert.is(odd.message, 'The calendar’s name is empty.')
  assert.equal([await world.rows('calendars'), await world.rows('calendar_days')], [[], []])
})

test('a calendar has two thousand days at most, and what comes after them is not read', () => {
  const dayOf = (index: number) =>
    new Date(Date.UTC(2020, 0, 1) + index * 86_400_000).toISOString().slice(0, 10)
  const file = (count: number) =>
    ['date', ...Array.from({ length: count }, (_, index) => dayOf(index))].join('\n')
  const { days, faults } = readCalendarFile(file(2_000))
  assert.equal([days.length, faults], [2_000, []])
  const tooMany = readCalendarFile(`${file(2_001)}\n"`)
  const problem = 'there are more than 2000 days: leave out those of years that are over'
  assert.equal(tooMany, { days: [], faults: [{ line: 1, problem }] })
})

test.run()
