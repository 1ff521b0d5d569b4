/** What is due and paid, to whom and from whom. */
import { type Counted, countedIn } from '../counted.ts'

const counted = countedIn('en')

export const settlement = {
  today: 'Today',
  utc: (day: string) => `${day}, UTC`,
  upToTodayToWhom: 'up to today, to whom and from whom',
  settlementIsStoppedSinceA: 'Settlement is stopped since a backup was restored',
  noDayIsClosedAnd:
    'No day is closed and no payment is ordered until what banks and networks report since the backup is booked.',
  resumeSettlement: 'Resume settlement',
  onlyOnceEveryEntryOf:
    'Only once every entry of the banks since the backup is booked: what is not would be paid again.',
  settlementToday: 'Settlement today',
  statementsOverdue: 'statements overdue',
  fallDueToday: 'fall due today',
  paymentsOnTheirWay: 'payments on their way',
  providersNearTheirLimit: 'providers near their limit',
  statementsNotSealedYet: 'statements not sealed yet',
  open: 'Open',
  whatIsLeftOfAll: 'what is left of all statements',
  nothingIsOpen: 'Nothing is open.',
  toDo: 'To do',
  overdue: 'Overdue',
  later: 'Later',
  carried: 'Carried',
  since: (first: string) => `since ${first}`,
  from: (first: string) => `from ${first}`,
  onTheirWay: 'On their way',
  paymentsThatNoBankHas: 'payments that no bank has booked yet',
  noPaymentIsOnIts: 'No payment is on its way.',
  firstOrdered: 'First ordered',
  whatProvidersOweHoldOr: 'what providers owe, hold or may owe; at the limit their pay-ins are refused',
  noProviderHasALimit: 'No provider has a limit.',
  ofIt: 'Of it',
  allOfIt: 'all of it',
  warnsFromOn: (warnAtPercent: number) => `warns from ${warnAtPercent} % on`,
  closingNext: 'Closing next',
  byThemselvesAsTheTerms: 'by themselves, as the terms have it',
  nothingClosesByItselfNo: 'Nothing closes by itself: no party has terms of settlement.',
  closeTheDayOfAnAccount: 'Close the day of an account',
  todaysDayEndsWithIt: "Today's day ends with it: what comes now belongs to the next one.",
  closeTheDay: 'Close the day',
  forExampleMxn: 'For example MXN',
  hasNoLineInSince: (party: string, currency: string, day: string) =>
    `${party} has no line in ${currency} since its last statement: there is none up to ${day}.`,
  noStatement: 'No statement',
  statementAsItWouldBe: (number: number) => `Statement ${number} as it would be`,
  nothingWasClosedGoBack: 'Nothing was closed. The button below closes the account as it is shown.',
}

export const statement = {
  statementOf: (number: number, party: string) => `Statement ${number} of ${party}`,
  statementsOf: (party: string) => `Statements of ${party}`,
  itIsNotSealedYet: 'It is not sealed yet',
  itsAmountsAreFixedIts:
    'Its amounts are fixed. Its lines are stored, and its party is told, once its number is kept outside the database.',
  itFallsDueOn: (postponedTo: string) => `It falls due on ${postponedTo}`,
  banksTurnedOutToBe: (dueOn: string) => `Banks turned out to be closed on ${dueOn}.`,
  printIt: 'Print it',
  tableCsv: 'Table (CSV)',
  withItsDigestJson: 'With its digest (JSON)',
  in: (number: number, currency: string) => `${number} in ${currency}`,
  withALaterStatement: 'with a later statement',
  postponedTo: 'Postponed to',
  digest: 'Digest',
  digestBeforeIt: 'Digest before it',
  itIsTheFirst: 'it is the first',
  nothingIsDue: 'nothing is due',
  thePartyPays: 'the party pays',
  theOperatorPays: 'the operator pays',
  itHasNoLinesNothing: 'It has no lines: nothing came since the one before.',
  itsLinesAreNotStored: 'Its lines are not stored yet.',
  whatItAddsUp: 'What it adds up',
  balance: 'Balance',
  whatSettledIt: 'What settled it',
  payment: 'payment',
  statement: (of: string) => `statement ${of}`,
  setOff: 'set off',
  reversal: 'reversal',
  noMoreLines: 'No more lines.',
  about: (aboutDay: string) => `about ${aboutDay}`,
  network: (network: string) => `network ${network}`,
  nextLines: 'Next lines',
}

export const statements = {
  numbersThatARestoreHas: 'Numbers that a restore has lost',
  theyWereGivenAndAre: (join: string) => `${join}: they were given, and are never given again.`,
  lastDayFrom: 'Last day from',
  lastDayTo: 'Last day to',
  noMatchingStatements: 'No matching statements.',
  was: (dueOn: string) => `was ${dueOn}`,
}

export const payments = {
  noPayments: 'No payment to show. Payments are ordered from what is due, or booked when money comes in.',
  paymentsOfTheRun: 'Payments of the run',
  upTo: (day: string) => `up to ${day}`,
  theRunWasCutOff: (id: string) => `The run ${id} was cut off`,
  goOnWithTheRun: (id: string) => `Go on with the run ${id}`,
  itPaysNothingTwice: 'Not all of its payments are ordered. Whoever goes on with it pays nothing twice.',
  makeTheFileForThe: 'Make the file for the bank',
  theSameFileEachTime:
    'The same file each time. Once it is made, a payment in it can no longer be taken back unsent.',
  makeTheFile: 'Make the file',
  orderAllThatIsDue: 'Order all that is due',
  everythingThatThisBankAccount: 'Everything that this bank account can pay, as one run with one file.',
  order: 'Order',
  orderOnePayment: 'Order one payment',
  bookMoneyThatCameIn: 'Book money that came in',
  ofAProviderItSettles: 'Of a provider it settles what it owes; of a merchant it is a deposit.',
  itFitsNothingItWould: 'It fits nothing: it would wait in suspense.',
  theFileForTheBank: 'The file for the bank',
  theRun: 'The run',
  total: 'Total',
  sha256: 'SHA-256',
  downloadIt: 'Download it',
}

export const payment = {
  payment: (id: string) => `Payment ${id}`,
  returned: 'Returned',
  whatItSettles: 'What it settles',
  nothing: 'Nothing.',
  whatItWasTold: 'What it was told',
  theBankHasIt: 'The bank has it',
  theBankHasBookedIt: 'The bank has booked it',
  itCameBackOrWas: 'It came back, or was not sent',
  theBankTookItBack: 'The bank took it back',
  whatItSettledIsDue: 'What it settled is due again.',
  returnIt: 'Return it',
  thePayment: 'The payment',
}

export const run = {
  whatWouldBeOrdered: 'What would be ordered',
  nothingWasOrderedGoBack: 'Nothing was ordered. The button below orders it as it is shown.',
  theRunAndItsFile: 'The run, and its file',
  leftOut: 'Left out',
  dueAndNotOrdered: 'due, and not ordered',
  bankAccount: 'Bank account',
  dueUpTo: 'Due up to',
  together: 'Together',
  nobodyIsPaid: 'Nobody is paid.',
}

export const due = {
  nothingIsDue: 'Nothing is due.',
  pay: 'Pay',
  collect: 'Collect',
}

export const posted = {
  accountOf: (kind: string, party: string) => `${kind} of ${party}`,
  nothingMoves: 'Nothing moves.',
  debit: 'Debit',
  credit: 'Credit',
  wouldBook: 'It would book:',
  cannotBeUndone: 'It cannot be undone: a correction is a booking of its own.',
  whatWouldBeBooked: 'What would be booked',
  nothingWasBookedGoBack: 'Nothing is booked yet. The button below books it as it is shown.',
}

export const withdrawal = {
  withdrawForAMerchant: 'Withdraw for a merchant',
  ofOneThatIsSettled:
    'Of one that is settled on request. Its account is closed up to now, and what is withdrawn is due by its statement.',
  withdraw: 'Withdraw',
  nobodyCanWithdrawOfThe:
    'Nobody can withdraw: of the merchants that are not frozen, none has terms that settle it on request and name an account.',
  withdrawalAsItWouldBe: 'Withdrawal as it would be',
  nothingWasWithdrawnGoBack: 'Nothing was withdrawn. The button below does it as it is shown.',
}

export const bank = {
  nothingIsBooked: 'Nothing is booked.',
  whatItIs: 'What it is',
  valueDay: 'Value day',
  about: 'About',
  aConversion: 'a conversion',
  bankStatement: 'Bank statement',
  holdABanksStatementAgainst: 'Bank statement: hold it against the payments',
  entryNumber: 'Entry',
  textOfTheBank: 'The bank’s text',
  eachEntryIsBookedOnce:
    'Each entry is booked once. A payment that names itself is booked; one that only has the amount is proposed to you.',
  camt053: 'camt.053',
  camt053OrCsv: 'camt.053 or CSV',
  atMost32Mb: 'At most 32 MB, in the form that stands beside the bank’s name.',
  noColumnsAreSet: 'CSV is not read: no columns are set (apply, banks[].statement)',
  whatTheStatementComesTo: 'What the statement comes to',
  theStatementIsBooked: 'The statement is booked',
  theStatementIsWorkedOn: 'The statement is being held against the payments',
  entriesAreRead: (read: Counted) => `${counted(read, 'entry is', 'entries are')} read so far.`,
  ofEntriesAreDone: (judged: string, read: string) => `${judged} of ${read} entries are done.`,
  sendItAgainToBook: 'Nothing is booked yet: the button below books it as it is shown.',
  paymentsHaveThisAmount: (payments: Counted) =>
    `${counted(payments, 'payment has', 'payments have')} this amount. Only you can say that it is meant: book it on its page.`,
  nothingIsBookedYet: 'Nothing is booked yet',
  bookedAndWaiting: (open: Counted) =>
    `Booked; ${counted(open, 'entry waits', 'entries wait')} for a decision`,
  allEntriesAreDone: 'All entries are done',
  itCouldNotBeWorkedOn: 'The statement could not be worked on',
  entries: 'Entries',
  thereIsNoEntryIn: 'There is no entry in it.',
  bookALineThatIs: 'Book a line that is no party’s',
  sayWhoseItIs: 'Say whose it is',
  itWasSentBack: 'Book that it was sent back',
  itIsBookedAsA: 'It is booked as a payment of that party.',
}

export const adjustments = {
  nothingWasCorrected: 'Nothing was corrected.',
  becauseOf: 'Because of',
  corrects: 'Corrects',
  whatWasWrong: 'What was wrong',
  correctALine: 'Correct a line',
  itIsALineOf: 'It is a line of its own in the party’s next statement. What is closed stays as it is.',
  statementLine: (statement: number, line: number) => `statement ${statement}, line ${line}`,
}

export const conversions = {
  nothingWasConverted: 'Nothing was converted.',
  whereItWent: 'Where it went',
  sold: 'Sold',
  proceeds: 'Proceeds',
  bookedAt: 'Booked at',
  recordWhatLeftATreasury: 'Record what left a treasury',
  itWasSeenLeavingAnd: 'It was seen leaving, and is an exception until somebody says what it is.',
  bookWhatBrought: (money: string) => `Book what ${money} brought`,
  ofTheTransaction: (transaction: string) => `Of the transaction ${transaction}.`,
}
