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
  decide: 'Decide',
  accept: 'Accept it',
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
