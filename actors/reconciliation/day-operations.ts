/** What may be asked of the days of networks. */
import { choice, optional, text } from '../foundation/fields.ts'
import { defineOperation, type OperationContext, OperationError } from '../foundation/operation.ts'
import { pageFields } from '../foundation/paging.ts'
import { addDays, isDay } from '../terms/days.ts'
import { type DayDocument, dayDocument, type NetworkDays, networkDays, today } from './days.ts'
import { reportedDayOf } from './report-day.ts'

const longestDays = 92

export const reconciliationDays = defineOperation({
  name: 'reconciliation.days',
  summary: 'Show the days of networks, and which of them are reconciled.',
  examples: ['reconciliation days', 'reconciliation days --from 2026-12-01 --to 2026-12-31'],
  fields: {
    from: optional(
      text({
        description: 'The first day, such as 2026-12-01; unless given, 30 days before the last.',
        option: ['--from <day>', 'the first day; 30 days before the last unless given'],
      }),
    ),
    to: optional(
      text({
        description: 'The last day; unless given, today (UTC).',
        option: ['--to <day>', 'the last day; today (UTC) unless given'],
      }),
    ),
  },
  isRead: true,
  async run(
    { store, clock }: OperationContext,
    { to = today(clock.now()), from = isDay(to) ? addDays(to, -30) : to },
  ): Promise<{ from: string; to: string; networks: NetworkDays[] }> {
    for (const [name, day] of [
      ['from', from],
      ['to', to],
    ] as const) {
      if (!isDay(day))
        throw new OperationError('invalid', `${name}: “${day}” is not a day such as 2026-12-01.`)
    }
    if (from > to || from < addDays(to, -longestDays)) {
      throw new OperationError(
        'invalid',
        `from and to: at most ${longestDays} days, the first not after the last.`,
      )
    }
    return { from, to, networks: await networkDays(store, from, to) }
  },
})

/** What lines may be chosen by: `differences` are all of those. */
export const chosenOutcomes = [
  'differences',
  'matched',
  'pending',
  'only_ours',
  'only_theirs',
  'amount',
  'day',
  'status',
  'twice',
  'reversed',
] as const

export const reconciliationDay = defineOperation({
  name: 'reconciliation.day',
  summary: 'Show a day of a network: what it reports beside what is booked here, line by line.',
  examples: [
    'reconciliation day 0001 2026-12-01',
    'reconciliation day 0001 2026-12-01 --outcome differences',
  ],
  fields: {
    ...pageFields,
    network: text({ description: 'The network’s id.' }),
    day: text({ description: 'The day, such as 2026-12-01.' }),
    outcome: optional(
      choice(chosenOutcomes, { option: ['--outcome <outcome>', 'only lines that came to this'] }),
    ),
  },
  arguments: ['network', 'day'],
  isRead: true,
  forViewers: (document: DayDocument) => ({
    ...document,
    // Networks name orders by their codes.
    rows: document.rows.map((row) => ({ ...row, named: row.named === null ? null : '…' })),
  }),
  async run({ store }: OperationContext, { network, day, ...asked }): Promise<DayDocument> {
    return dayDocument(store, await reportedDayOf(store, network, day), asked)
  },
})
