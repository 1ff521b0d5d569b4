/** On which days banks are closed, and the operator's own banks. */
import {
  type BankDocument,
  type CalendarDocument,
  calendarImport,
  calendarList,
} from '../../../actors/terms/calendar-operations.ts'
import type { Block, Cell } from '../blocks.ts'
import { day } from '../cells.ts'
import { lookingForm, operationAction } from '../forms.ts'
import type { Action, Page, PageRequest } from '../page.ts'
import type { Texts } from '../texts/index.ts'
import { formOf } from './bank.ts'
import { draftLink, type Offered, openedDraft } from './draft.ts'
import { bankDraft, calendarDraft } from './draft-banks.ts'

/** What is longer is for the command. */
const maxPasted = 40_000

export const calendarsPage: Page = {
  path: /^\/calendars$/,
  least: 'viewer',
  room: 'Parties',
  async render(request) {
    const { calendars, banks } = await request.ask(calendarList, {})
    return {
      title: (texts) => texts.common.calendarsAndBanks,
      crumb: { href: '/parties', text: (texts) => texts.rooms.Parties },
      blocks: [
        ...openedDraft(request, '/calendars', offersOf(calendars)),
        {
          kind: 'links',
          items: [
            ...draftLink(request, '/calendars', 'bank', ({ drafts }) => drafts.addABank),
            ...draftLink(request, '/calendars', 'calendar', ({ drafts }) => drafts.addACalendar),
          ],
        },
        ...(calendars.length === 0
          ? [{ kind: 'text' as const, text: (texts: Texts) => texts.calendars.thereIsNoCalendarYet }]
          : calendars.flatMap((calendar) => calendarBlocks(request, calendar))),
        ...lookingForm(request, calendarImport, {
          title: (texts) => texts.calendars.importClosedDays,
          lead: (texts) => texts.calendars.allOfThemOrNone,
          fields: ['name', 'text', 'replace'],
          adjusted: { text: { maxLength: maxPasted } },
        }),
        { kind: 'heading', text: (texts) => texts.calendars.banks },
        {
          kind: 'table',
          label: (texts) => texts.calendars.banks,
          empty: (texts) => texts.drafts.noBanks,
          columns: [
            { label: (texts) => texts.common.name },
            { label: (texts) => texts.common.currency },
            { label: (texts) => texts.bank.bankStatement },
          ],
          rows: banks.map(({ name, currency, statement }) => [name, currency, statementCell(statement)]),
        },
      ],
    }
  },
}

/** Members as a file names them, beside what is written in the bank's. */
function statementCell(statement: BankDocument['statement']): Cell {
  const text = formOf(statement)
  if (statement === null) return { text, note: (texts) => texts.bank.noColumnsAreSet }
  const { columns, ...others } = statement
  const members = [...Object.entries(columns), ...Object.entries(others)]
  const said = members.filter(([, value]) => value !== null).map(([name, value]) => `${name}: ${value}`)
  return { text, note: said.join(' · ') }
}

function offersOf(calendars: readonly CalendarDocument[]): Offered[] {
  return [
    { draft: bankDraft, key: 'bank' },
    { draft: calendarDraft, key: 'calendar' },
    ...calendars.map(
      ({ name, weekend }): Offered => ({
        draft: calendarDraft,
        key: `calendar-${name}`,
        title: ({ drafts }) => drafts.calendarOf(name),
        hidden: { name },
        values: { weekend: weekend.join(', ') },
      }),
    ),
  ]
}

function calendarBlocks(request: PageRequest, { name, weekend, closed }: CalendarDocument): Block[] {
  const items = draftLink(request, '/calendars', `calendar-${name}`, ({ drafts }) => drafts.changeCalendar)
  const note =
    weekend.length === 0
      ? (texts: Texts) => texts.calendars.noWeekend
      : (texts: Texts) => texts.calendars.weekend(weekend.join(', '))
  return [
    { kind: 'heading', text: (texts) => texts.calendars.calendar(name), note },
    {
      kind: 'table',
      label: (texts) => texts.calendars.closedDaysOf(name),
      empty: (texts) => texts.calendars.itIsClosedOnWeekends,
      columns: [{ label: (texts) => texts.calendars.closedDay }, { label: (texts) => texts.common.note }],
      rows: closed.map(({ date, note: why }) => [day(date), why === '' ? null : why]),
    },
    ...(items.length === 0 ? [] : [{ kind: 'links', items } as const]),
  ]
}

export const calendarActions: readonly Action[] = [
  {
    // A form's encoding makes three bytes of one.
    maxBytes: 4 * maxPasted,
    ...operationAction(calendarImport, (imported) => {
      const { calendar, dryRun, added, renoted, removed, unchanged } = imported
      const lines = [
        ...added.map((its): Cell[] => [({ calendars }) => calendars.added, day(its)]),
        ...renoted.map((its): Cell[] => [({ calendars }) => calendars.withAnotherNote, day(its)]),
        ...removed.map((its): Cell[] => [({ calendars }) => calendars.takenOut, day(its)]),
      ]
      return {
        kind: 'show',
        doIt: (texts) => texts.calendars.import,
        view: {
          title: dryRun
            ? (texts) => texts.calendars.whatTheImportWouldDo
            : (texts) => texts.calendars.theDaysAreImported,
          crumb: { href: '/calendars', text: (texts) => texts.common.calendarsAndBanks },
          blocks: [
            {
              kind: 'text',
              text: (texts, view) => texts.calendars.calendarAsBefore(calendar, view.counted(unchanged)),
            },
            {
              kind: 'table',
              label: (texts) => texts.calendars.closedDays,
              empty: (texts) => texts.calendars.nothingIsChanged,
              columns: [{ label: (texts) => texts.common.what }, { label: (texts) => texts.common.day }],
              rows: lines,
            },
          ],
        },
      }
    }),
  },
]
