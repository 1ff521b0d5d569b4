/** Forms that make parts of a file: the operator's banks, and the days on which banks are closed. */
import { type Draft, listed, said } from './draft.ts'

export const bankDraft: Draft = {
  name: 'bank',
  title: ({ drafts }) => drafts.addABank,
  lead: ({ drafts }) => drafts.anAccountOfYours,
  fields: [
    {
      name: 'name',
      label: ({ drafts }) => drafts.name,
      type: 'text',
      maxLength: 60,
      hint: ({ drafts }) => drafts.whatPostingsCallIt,
    },
    { name: 'currency', label: ({ drafts }) => drafts.currency, type: 'text', maxLength: 3 },
    { name: 'new', label: ({ drafts }) => drafts.acceptANameThat, type: 'check', isOptional: true },
  ],
  document: (values) => ({ banks: [said(values, ['name', 'currency'])] }),
}

export const calendarDraft: Draft = {
  name: 'calendar',
  title: ({ drafts }) => drafts.addACalendar,
  fields: [
    { name: 'name', label: ({ drafts }) => drafts.calendar, type: 'text', maxLength: 60 },
    {
      name: 'weekend',
      label: ({ drafts }) => drafts.weekend,
      type: 'text',
      isOptional: true,
      hint: ({ drafts }) => drafts.satSunUnlessIt,
    },
    { name: 'date', label: ({ drafts }) => drafts.closedDay, type: 'date', isOptional: true },
    { name: 'note', label: ({ drafts }) => drafts.note, type: 'text', isOptional: true, maxLength: 100 },
    { name: 'new', label: ({ drafts }) => drafts.acceptANameThat, type: 'check', isOptional: true },
  ],
  document: ({ name, weekend, date = '', note = '' }) => ({
    calendars: [
      {
        name,
        ...((weekend ?? '') === '' ? {} : { weekend: listed(weekend).map((day) => day.toUpperCase()) }),
        ...(date === '' ? {} : { closed: [{ date, ...(note === '' ? {} : { note }) }] }),
      },
    ],
  }),
}
