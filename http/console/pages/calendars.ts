/** On which days banks are closed, and the operator's own banks. */
import {
  type CalendarDocument,
  calendarImport,
  calendarList,
} from '../../../actors/terms/calendar-operations.ts'
import { counted } from '../../../actors/terms/plan.ts'
import type { Block } from '../blocks.ts'
import { operationAction, operationForm } from '../forms.ts'
import type { Action, Page } from '../page.ts'

/** What is longer is for the command. */
const maxPasted = 40_000

export const calendarsPage: Page = {
  path: /^\/calendars$/,
  least: 'viewer',
  room: 'Parties',
  async render(request) {
    const { calendars, banks } = await request.ask(calendarList, {})
    return {
      title: 'Calendars and banks',
      crumb: { href: '/parties', text: 'Merchants and providers' },
      blocks: [
        ...(calendars.length === 0
          ? [{ kind: 'text' as const, text: 'There is no calendar yet: every day is a banking day.' }]
          : calendars.flatMap(calendarBlocks)),
        ...operationForm(request, calendarImport, {
          title: 'Import closed days',
          lead:
            'All of them or none. CSV with a header row: date,note; the note may be missing. A file that is longer is for the ' +
            'command ventanilla calendar import.',
          button: 'Import',
          fields: ['name', 'text', 'replace', 'dryRun'],
          adjusted: { text: { maxLength: maxPasted } },
        }),
        { kind: 'heading', text: 'Banks', note: 'added with ventanilla apply' },
        {
          kind: 'table',
          label: 'Banks',
          empty: 'None yet.',
          columns: [{ label: 'Name' }, { label: 'Currency' }],
          rows: banks.map(({ name, currency }) => [name, currency]),
        },
      ],
    }
  },
}

function calendarBlocks({ name, weekend, closed }: CalendarDocument): Block[] {
  const note = weekend.length === 0 ? 'no weekend' : `weekend ${weekend.join(', ')}`
  return [
    { kind: 'heading', text: `Calendar ${name}`, note },
    {
      kind: 'table',
      label: `Closed days of ${name}`,
      empty: 'It is closed on weekends alone.',
      columns: [{ label: 'Closed' }, { label: 'Note' }],
      rows: closed.map(({ date, note: why }) => [date, why === '' ? null : why]),
    },
  ]
}

export const calendarActions: readonly Action[] = [
  {
    // A form's encoding makes three bytes of one.
    maxBytes: 4 * maxPasted,
    ...operationAction(calendarImport, (imported) => {
      const { calendar, dryRun, added, renoted, removed, unchanged } = imported
      const lines = [
        ...added.map((day) => ['added', day]),
        ...renoted.map((day) => ['with another note', day]),
        ...removed.map((day) => ['taken out', day]),
      ]
      return {
        kind: 'show',
        view: {
          title: dryRun ? 'What the import would do' : 'The days are imported',
          crumb: { href: '/calendars', text: 'Calendars and banks' },
          blocks: [
            { kind: 'text', text: `Calendar ${calendar}: ${counted(unchanged, 'closed day')} as before.` },
            {
              kind: 'table',
              label: 'Closed days',
              empty: 'Nothing is changed.',
              columns: [{ label: 'What' }, { label: 'Day' }],
              rows: lines,
            },
          ],
        },
      }
    }),
  },
]
