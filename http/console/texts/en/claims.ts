/** Claims: cash that was handled otherwise than it is booked. */
import { type Counted, countedIn } from '../counted.ts'

const counted = countedIn('en')

export const claims = {
  claims: 'Claims',
  waiting: 'waiting',
  all: 'all claims',
  noneWait: 'No claim waits.',
  none: 'There is no claim.',
  claim: 'Claim',
  against: 'Against',
  due: 'Due',
  overdue: 'overdue',
  open: 'Open a claim',
  nothingMoves:
    'The cash of an order was handled otherwise than it is booked. Nothing moves before it is decided.',
  noneOfOrder: 'There is no claim about this order.',
  aboutException: 'What the claim settles',
  aboutExceptionLead: 'Filled in as the report has it: change what is otherwise.',
  openIt: 'Open it',
}

export const claim = {
  claim: (number: string) => `Claim ${number}`,
  neverHeld: 'has never held the order',
  price: 'Price',
  amount: 'Amount that it is about',
  openedBy: 'Opened by',
  answered: 'Answered',
  ended: 'Ended',
  reference: 'Reference of its postings',
  wouldBeBooked: 'What accepting or upholding it books',
  cannotBeBooked: 'It cannot be booked as things are',
  booked: 'What it has booked',
  bookedByException:
    'It was booked with the exception that it held: its postings are in the order’s time line.',
  seeOrder: 'The order and its time line',
  dueHint: 'The other party has until then to answer; you may decide at any time.',
  decide: 'Decide',
  accept: 'Accept it',
  acceptOrUphold:
    'Accept it where nobody denies it; uphold it where it is right although somebody may still deny it.',
  acceptLead: 'Nobody denies it: what it asks for is booked.',
  uphold: 'Uphold it',
  upholdLead: 'It is right, whatever is said against it: what it asks for is booked.',
  reject: 'Reject it',
  rejectLead: 'It is not right: nothing moves.',
  withdraw: 'Withdraw it',
  answer: 'What the other party says',
  answerLead: 'Where it does not say so itself.',
  keepAnswer: 'Keep the answer',
  evidence: 'Evidence',
  noEvidence: 'Nothing was shown yet.',
  addText: 'Add a text',
  addFile: 'Add a file',
  fileHint: 'PDF, PNG, JPEG, text or CSV, at most 5 MB.',
  add: 'Add it',
  download: 'Download',
  fileOf: (name: string, bytes: Counted) => `${name}, ${counted(bytes, 'byte', 'bytes')}`,
  downloadFile: (name: string) => `Download ${name}`,
  erased: 'erased',
  theClaim: 'The claim',
  agrees: 'agrees',
  denies: 'denies',
}
