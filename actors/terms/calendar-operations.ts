/** Calendars of banks, and the operator's own banks. */
import { createHash } from 'node:crypto'
import { alikeProblem, likeness } from '../../machines/written-names.ts'
import { allBanks } from '../../persistence/queries/terms.ts'
import type { Store, Write } from '../../persistence/store.ts'
import type { Fault } from '../foundation/csv.ts'
import { flag, optional, text } from '../foundation/fields.ts'
import { defineOperation, type OperationContext, OperationError } from '../foundation/operation.ts'
import { Problems, Wrong } from '../foundation/reading.ts'
import { changeProvisioning } from '../parties/revision.ts'
import { type ClosedDay, maxCalendarBytes, readCalendarFile } from './calendar-file.ts'
import type { Day } from './days.ts'
import { termName } from './entries.ts'
import { type KnownCalendar, readCalendars } from './known.ts'
import { counted, planCalendar } from './plan.ts'
import { type StatementMapping, statementMappingOf } from './statement-mapping.ts'

export interface CalendarDocument {
  name: string
  weekend: readonly string[]
  closed: ClosedDay[]
}

export interface BankDocument {
  name: string
  currency: string
  /** How its statement is read as CSV; null where it gives camt.053 alone. */
  statement: StatementMapping | null
}

export const calendarList = defineOperation({
  name: 'calendar.list',
  summary: 'List the calendars of banks with their closed days, and the banks there are.',
  fields: {},
  isRead: true,
  async run({ store }: OperationContext): Promise<{
    calendars: CalendarDocument[]
    banks: BankDocument[]
  }> {
    const calendars = [...(await readCalendars(store))].map(([name, { weekend, notes }]) => ({
      name,
      weekend,
      closed: [...notes].map(([date, note]) => ({ date, note })),
    }))
    const banks = (await store.query(allBanks, {})).map(({ name, currency, statement_json }) => ({
      name,
      currency,
      statement: statementMappingOf(statement_json),
    }))
    return { calendars, banks }
  },
})

export interface ImportedCalendar {
  calendar: string
  dryRun: boolean
  isNew: boolean
  added: Day[]
  /** Those whose note is another one now. */
  renoted: Day[]
  /** Closed before, and not in the file: taken out where that was asked for. */
  removed: Day[]
  unchanged: number
}

export const calendarImport = defineOperation({
  name: 'calendar.import',
  summary: 'Add the closed days of a CSV file to a calendar, all of them or none; one that is new is made.',
  fields: {
    name: text({
      description: 'Of the calendar.',
      minLength: 1,
      option: ['--name <name>', 'the calendar that they are added to'],
      form: { label: 'Calendar', hint: 'A new name makes a new calendar.', maxLength: 60 },
    }),
    text: text({
      description: 'CSV with the columns date (2026-12-25) and, perhaps, note.',
      minLength: 1,
      maxLength: maxCalendarBytes,
      form: { label: 'Closed days', control: 'area' },
    }),
    replace: optional(
      flag({
        description: 'Coming days that it has and the file has not are taken out.',
        option: ['--replace', 'take coming days out that the file does not have'],
        form: { label: 'Take coming days out that are not among them' },
      }),
    ),
    dryRun: optional(
      flag({
        description: 'Show what it would do, and change nothing.',
        option: ['--dry-run', 'show what it would do, and change nothing'],
      }),
    ),
  },
  isRead: false,
  audited: ({ name, text, replace = false, dryRun = false }) => ({
    name,
    bytes: Buffer.byteLength(text),
    sha256: createHash('sha256').update(text).digest('hex'),
    replace,
    dryRun,
  }),
  // Whoever approves reads the days, and the node imports them.
  kept: (input) => input,
  concluded: ({ added, renoted, removed, dryRun }: ImportedCalendar) =>
    `${dryRun ? 'would be ' : ''}${added.length} added, ${renoted.length} with another note, ${removed.length} removed`,
  run: async ({ store }: OperationContext, input): Promise<ImportedCalendar> => {
    const { replace = false, dryRun = false } = input
    const name = termName(input.name)
    if (name instanceof Wrong) {
      throw new OperationError('invalid', `The calendar’s name ${name.problem}.`)
    }
    const { days, faults } = readCalendarFile(input.text)
    if (faults.length > 0) throw refusalOf(faults)
    return importDays(store, { name, days, replace, dryRun })
  },
})

interface Import {
  name: string
  days: readonly ClosedDay[]
  replace: boolean
  dryRun: boolean
}

function importDays(store: Store, { name, days, replace, dryRun }: Import): Promise<ImportedCalendar> {
  return changeProvisioning(store, {
    read: () => readCalendars(store),
    decide(calendars, at) {
      const before = calendars.get(name)
      if (before === undefined) assertUnlike(name, [...calendars.keys()])
      // What was closed stays so: statements have been due by it.
      const today = new Date(at).toISOString().slice(0, 10)
      const named = new Set(days.map(({ date }) => date))
      const removed = [...(before?.closed ?? [])].filter((day) => replace && day > today && !named.has(day))
      const writes = removed.map((day): Write => ({ delete: 'calendar_days', key: { calendar: name, day } }))
      const problems = new Problems()
      const known = {
        banks: new Map(),
        statements: new Map(),
        calendars: without(calendars, name, removed),
        parties: new Map(),
      }
      const closed = days.map((day) => ({ ...day, path: '' }))
      const change = (_: string, ...more: Write[]) => writes.push(...more)
      planCalendar({ at, known, problems, change }, { path: '', name, weekend: undefined, closed })
      if (problems.lines.length > 0) {
        throw new OperationError('invalid', 'Nothing is imported.', { details: problems.lines })
      }
      const added = days.filter(({ date }) => before?.notes.get(date) === undefined)
      const renoted = days.filter(({ date, note }) => ![undefined, note].includes(before?.notes.get(date)))
      const answer = {
        calendar: name,
        dryRun,
        isNew: before === undefined,
        added: added.map(({ date }) => date),
        renoted: renoted.map(({ date }) => date),
        removed,
        unchanged: days.length - added.length - renoted.length,
      }
      return { answer, writes: dryRun ? [] : writes }
    },
  })
}

/** A slip would make a calendar that nobody is settled by. */
function assertUnlike(name: string, others: readonly string[]): void {
  const other = others.find((one) => likeness(one) === likeness(name))
  if (other === undefined) return
  throw new OperationError('invalid', `${alikeProblem(name, `calendar ${other}`)}.`, {
    hint: 'Write that one’s name as it is, or make this one with apply --new first.',
  })
}

function without(
  calendars: ReadonlyMap<string, KnownCalendar>,
  name: string,
  days: readonly Day[],
): ReadonlyMap<string, KnownCalendar> {
  const calendar = calendars.get(name)
  if (calendar === undefined) return calendars
  const notes = new Map([...calendar.notes].filter(([day]) => !days.includes(day)))
  return new Map([...calendars, [name, { ...calendar, notes, closed: new Set(notes.keys()) }]])
}

function refusalOf(faults: readonly Fault[]): OperationError {
  const isOne = faults.length === 1
  return new OperationError(
    'invalid',
    `Nothing is imported: ${counted(faults.length, 'line')} ${isOne ? 'is' : 'are'} not right.`,
    { details: faults.map(({ line, problem }) => `line ${line}: ${problem}`) },
  )
}
