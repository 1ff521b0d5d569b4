/** What networks report, held against what is booked. */
import { type Counted, countedIn } from '../counted.ts'

const counted = countedIn('en')

export const reconciliation = {
  thereIsNoNetworkYet: 'There is no network yet: networks come with their providers.',
  csvAtMost32Mb: 'CSV, at most 32 MB.',
  lookAtANetworksReport: 'Look at a network’s report',
  nothingIsChangedBeforeYou: 'Nothing is changed before you have seen what each line comes to.',
  lookAtIt: 'Look at it',
  daysWithDifferences: 'days with differences',
  differencesToLookAt: 'differences to look at',
  paymentsNotReportedYet: 'payments not reported yet',
  daysReconciled: 'days reconciled',
  withoutACurrencyNothingCan: (provider: string) => `${provider}; without a currency nothing can be compared`,
  daysOf: (network: string) => `Days of ${network}`,
  waiting: (pending: string) => `${pending} waiting`,
  waitingFor: (pending: string, days: string) => `${pending} waiting for ${days}`,
  network: 'Network',
  toLookAt: (open: string) => `${open} to look at`,
}

export const reconciliationDay = {
  allDifferences: 'all differences',
  notReportedYet: 'not reported yet',
  onlyHere: 'only here',
  onlyThere: 'only there',
  anotherAmount: 'another amount',
  anotherDay: 'another day',
  anotherStatus: 'another status',
  reportedTwice: 'reported twice',
  takenBack: 'taken back',
  threeSides: 'Three sides',
  lineByLine: 'Line by line',
  toLookAt: 'To look at',
  report: 'Report',
  noneYet: 'none yet',
  linesBy: (lines: Counted, by: string) => `${counted(lines, 'line', 'lines')}, by ${by}`,
  linesBySoftware: (lines: Counted) => `${counted(lines, 'line', 'lines')}, by its software`,
  applied: 'Applied',
  tolerated: 'Tolerated',
  beforeAndAfter: (days: Counted) => `${counted(days, 'day', 'days')} before and after`,
  theBankOfStatement: (number: number) => `the bank, of statement ${number}`,
  of: (due: string) => `of ${due}`,
  ofDueOn: (due: string, day: string) => `of ${due}, due on ${day}`,
  bookedHere: 'booked here',
  payments: (payments: Counted) => counted(payments, 'payment', 'payments'),
  theNetworkSays: 'the network says',
  theBank: 'the bank',
  noStatementTellsOfThe: 'no statement tells of the day yet',
  allLines: (all: string) => `all lines (${all})`,
  linesOfTheDay: 'Lines of the day',
  theNetworkSays2: 'The network says',
  itNames: 'It names',
  notHereYet: 'The report of this day is not here yet',
  sendIt: 'Send it here once the network has it.',
  waits: 'The day waits for a later report',
  waitsFor: (payments: Counted, network: string, days: string) =>
    `${counted(payments, 'payment of ours is', 'payments of ours are')} not in this report. Until the report of ${network} of ${days} is here, it may still tell of them; what it does not tell of becomes an exception then.`,
  sendReportOf: (day: string) => `Send the report of ${day}`,
  isFinishing: 'It is being finished: look again in a moment.',
  toSettle: (differences: Counted) => `${counted(differences, 'difference', 'differences')} to settle`,
  openEach: 'Open the exception of each line below, and say what became of it; after each you are back here.',
  otherDay: (day: string, differences: Counted) =>
    `${day}: ${counted(differences, 'difference', 'differences')} to settle`,
  agrees: 'The day is reconciled: nothing is left to do',
  formerTerms:
    'The network’s terms have changed since this report was judged: send the same file again to have it judged by them.',
  sendAnother: 'Send the report again, or a corrected one',
  open: 'open',
  settled: 'settled',
  on: (oursDay: string) => `on ${oursDay}`,
}

export const report = {
  itIsBeingRead: 'It is being read',
  theFileIsRefusedAs: 'The file is refused as a whole',
  nothingIsChangedYet: 'Nothing is changed yet',
  itIsBeingApplied: 'It is being applied',
  itIsApplied: 'It is applied',
  itCouldNotBeWorked: 'It could not be worked on',
  reportOf: (network: string, day: string) => `Report of ${network}, ${day}`,
  theVerySameFileCounts: 'The very same file counts for the day already: there is nothing to do.',
  nothingNew: 'Nothing new',
  sameFileOtherTerms:
    'The same file is the day’s already; the network’s terms have changed since, and it is judged by them now.',
  totals: 'Both sides',
  ourPayments: 'Payments of ours that the file does not tell of',
  tellsOfAll: 'It tells of every payment of ours.',
  becomesException: 'becomes an exception',
  mayStillCome: (days: string) => `waits for the report of ${days}`,
  missing: 'only here',
  applyLead: (exceptions: Counted) =>
    exceptions.count === 0
      ? 'It counts for its day. No exception follows from it.'
      : `It counts for its day, and ${counted(exceptions, 'exception follows', 'exceptions follow')} from it: one for each difference.`,
  linesSoFar: (lines: Counted) => `${counted(lines, 'line', 'lines')} so far.`,
  linesAreWrongAskThe: (lines: Counted) =>
    `${counted(lines, 'line is', 'lines are')} wrong. Ask the network for a corrected file, or correct the mapping in its terms: none of it counts.`,
  theDayHasAnotherReport: (gone: string, appeared: string) =>
    `The day has another report, which this one takes the place of. Differences that go: ${gone}, that come: ${appeared}.`,
  itSpeaksOfQuarantinedOrders: (orders: Counted) =>
    `It speaks of ${counted(orders, 'quarantined order', 'quarantined orders')}, which it books.`,
  ofLinesAreStored: (stored: string, read: string) => `${stored} of ${read} lines are stored.`,
  theLogSaysWhy: 'The log says why.',
  seeTheDay: 'See the day',
  linesByWhatTheyCome: 'Lines by what they come to',
  payments: 'payments',
  applyIt: 'Apply it',
  linesThatAreWrong: 'Lines that are wrong',
  whatIsWrong: 'What is wrong',
  theFirstOf: (found: number, faultCount: number) => `The first ${found} of ${faultCount}.`,
  linesThatDiffer: 'Lines that differ',
  theFirstOf2: (found: number, all: number) => `the first ${found} of ${all}`,
  everyLineAgreesWithWhat: 'Every line agrees with what is booked.',
  theNetworkNames: 'The network names',
  itSays: 'It says',
}
