/** What stands around every page, and what scripts say on it. */
import { type Counted, countedIn } from '../counted.ts'

const counted = countedIn('en')

export const frame = {
  name: 'English',
  skip: 'Skip to the content',
  console: 'Console',
  trail: 'You are here',
  everything: 'Everything',
  searchEverything: 'Search everything',
  searchHint: 'Id, last digits, code, e-mail, phone, reference, name',
  search: 'Search',
  signOut: 'Sign out',
  zone: (zone: string) => `Days and times are of the zone ${zone}.`,
  otherZone: 'Choose another zone or language',
  olderOnes: 'Older ones',
  downloadCsv: 'Download as CSV',
  atMostLines: (lines: string) => `At most ${lines} lines`,
  thisList: 'This list',
  optional: 'optional',
  weekdays: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
  days: (from: string, to: string) => `${from} to ${to}`,
  ages: {
    seconds: ({ text }: Counted) => `${text} s`,
    minutes: ({ text }: Counted) => `${text} min`,
    hours: ({ text }: Counted) => `${text} h`,
    days: (days: Counted) => counted(days, 'day', 'days'),
  },
  yes: 'yes',
  no: 'no',
  chartSize: 'Size',
  wholeChart: 'Whole',
  percent: (number: string) => `${number}%`,
  clock: {
    ahead: (by: string) => `The clock of this sandbox is ${by} ahead of the real one.`,
    moving: (to: string) => `It is being moved to ${to}.`,
  },
  scripts: {
    copy: 'Copy',
    copied: 'Copied',
    notCopied: 'Not copied',
    it: 'it',
    changed: 'This page has changed. Leave the form or reload to see it.',
    offline: 'No connection to the node: this page may be out of date.',
    justNow: 'just now',
    inAMoment: 'in a moment',
    noPasskeys: 'This browser has no passkeys here. They work at the address that operator.publicUrl names.',
    passkeyFailed: 'The passkey was not used. Try again.',
    idle: 'You will be signed out in two minutes.',
    stay: 'Stay signed in',
  },
}
