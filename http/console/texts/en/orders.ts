/** Orders, what is wrong with some, and what merchants are told of them. */
import { type Counted, countedIn } from '../counted.ts'

const counted = countedIn('en')

export const orders = {
  noMatchingOrders: 'No matching orders.',
  noOrderHasThisId: (it: string) => `No order has this id, code or merchant’s id: ${it}`,
  noSearchWasMadeSee: 'No search was made: see the errors above.',
  idOrCode: 'Id or code',
  expires: 'Expires',
}

export const order = {
  order: (id: string) => `Order ${id}`,
  chartOfItIs: (kind: string, status: string) => `Chart of ${kind}; it is ${status}`,
  resendItsWebhooks: 'Resend its webhooks',
  simulate: 'Simulate',
  simulateLead: 'Sandbox only: through the code of real lives, under the name of a simulated provider.',
  allThatAreNotDelivered: 'All that are not delivered; their attempts are counted anew.',
  actions: 'Actions',
  onItsBlockchain: 'On its blockchain',
  whatItWaitsForAnd: 'what it waits for, and what was sent for it',
  chainDeposits: 'Chain deposits',
  nothingSentYet: 'Nothing sent yet.',
  credited: 'Credited',
  sentAt: 'Sent at',
}

export const orderCharges = {
  refunds: 'Refunds',
  payOutsThatGiveIt: 'pay-outs that give it back',
}

export const timeLine = {
  money: (kind: string) => `money: ${kind}`,
  exception: 'exception',
  timeLine: 'Time line',
  whoOrWhere: 'Who, or where',
  details: 'Details',
  olderLinesAreLeftOut: (left: number, id: string) =>
    `${left} older lines are left out; ventanilla order show ${id} has them.`,
  refused: (outcome: string) => `refused: ${outcome}`,
  signedWith: (key: string) => `signed with ${key}`,
  webhook: (sequence: number) => `webhook ${sequence}`,
  tells: (status: string) => `tells: ${status}`,
  toNotifyUrl: 'to notify_url',
  lastAnswer: (told: string, lastAnswer: string) => `${told}; last answer: ${lastAnswer}`,
  toBeSent: 'to be sent',
  attempt: (attempts: number) => `attempt ${attempts}`,
  dueThen: 'due then',
  ms: (milliseconds: number) => `${milliseconds} ms`,
  webhookAttempt: (sequence: number, attempt: number) => `webhook ${sequence}, attempt ${attempt}`,
  chainDeposit: 'chain deposit',
  creditedTransaction: (money: string, credited: string, transaction: string) =>
    `${money}, credited: ${credited}; transaction ${transaction}`,
  operator: (name: string) => `operator ${name}`,
  no: (sequence: number) => `no. ${sequence}`,
}

export const quarantined = {
  quarantinedOrders: 'Quarantined orders',
  theyWereOpenInA:
    'They were open in a backup that was restored. A provider may have paid them since, so they cannot be started until the providers have said that they were not paid.',
  noQuarantinedOrders: 'No quarantined orders.',
  quarantinedSince: 'Quarantined since',
  order: (code: string, id: string) => `${code}, order ${id}`,
  clearOne: 'Clear one',
  providersCanStartItAgain: 'Providers can start it again.',
  clearIt: 'Clear it',
  clearAll: 'Clear all',
  everyQuarantinedOrderIncludingThose:
    'Every quarantined order, including those on other pages. Any that was paid since the backup could be paid twice.',
  itWasOpenInA:
    'It was open in a backup that was restored and may have been paid since, so it cannot be started.',
  quarantined: 'Quarantined',
  theProvidersSayThatIt: 'The providers say that it was not paid. It can be started again.',
  ordersAreQuarantinedAfterA: 'Orders are quarantined after a restore',
  seeWhichAndClearThem: 'See which, and clear them',
  waitsFor: 'Waits for the word of',
}

export const sweep = {
  cancelAKeysOrders: 'Cancel a key’s orders',
  forALeakedKeyFreeze:
    'For a leaked key: freeze the merchant or revoke the key first, or it can create more.',
  cancelTheOrders: 'Cancel the orders',
  thereAreMoreRunIt: 'There are more: run it again.',
  theKeyIsLiveAnd: (merchant: string) => `The key is live and ${merchant} is not frozen: it can create more.`,
  ordersCancelledLeft: (cancelled: number, refused: number) =>
    `${cancelled} orders cancelled, ${refused} left`,
  ordersWouldBeCancelledLeft: (cancelled: number, refused: number) =>
    `${cancelled} orders would be cancelled, ${refused} left`,
  keyIsLive: 'The key can create more',
  notFinished: 'Not finished',
  theKeyHasCreatedNo: 'The key has created no orders that can be cancelled.',
  leftBecause: 'Left because',
}

export const evidenceFile = {
  forOthers: 'Evidence for others',
  allThatIsRecorded:
    'A ZIP file of all that is recorded of it, without its code, signed with the node’s key. It says itself how it is checked.',
  download: 'Download',
}

export const erasure = {
  erasePersonalData: 'Erase personal data',
  theJournalAndTheMoney:
    'E-mail and telephone number, the bodies of webhooks and their answers are erased forever. The journal and the money stay.',
  eraseThem: 'Erase them',
  eraseAConsumersPersonalData: 'Erase a consumer’s personal data',
  inAllOrdersThatHave:
    'E-mail and telephone number, the bodies of webhooks and their answers are erased forever. In all orders that have ended, archived ones too; those that are open are listed.',
  ofTheyHadBeenBefore: (erased: Counted, before: Counted) =>
    `The data of ${counted(erased, 'order is', 'orders are')} erased; ${before.text} had been before`,
  theDataOfOrdersAre: (erased: Counted) => `The data of ${counted(erased, 'order is', 'orders are')} erased`,
  ordersThatHaveNotEnded: 'Orders that have not ended',
  noOrderOfTheirsIs: 'No order of theirs is open.',
  eraseAgainOnceItHas: 'Erase again once it has ended',
}

export const evidence = {
  it: 'It',
}

export const refund = {
  refund: 'Refund',
  makesAnUnsignedTransactionAnd:
    'Makes an unsigned transaction and sends nothing: sign it where the treasury’s keys are, send it, and resolve the exception as refunded with its id.',
  makeTheTransaction: 'Make the transaction',
  refundTransaction: 'Refund transaction',
  theException: 'The exception',
  asset: 'Asset',
  cameBy: 'Came by',
  canBeSignedUntil: 'Can be signed until',
  unsignedTransaction: 'Unsigned transaction',
  onceItIsSentResolve:
    'Once it is sent, resolve the exception as refunded, with the transaction’s id as evidence.',
}

export const exceptions = {
  openExceptions: 'Open exceptions',
  resolvedExceptions: 'Resolved exceptions',
  showResolvedOnes: 'Show resolved ones',
  showOpenOnes: 'Show open ones',
  noOpenExceptions: 'No open exceptions.',
  noneResolvedYet: 'None resolved yet.',
  resolve: (as: string) => `Resolve: ${as}`,
  resolveAs: (as: string) => `Resolve as ${as}`,
  exception: (id: string) => `Exception ${id}`,
  sender: 'Sender',
  resolved: 'Resolved',
  resolvedAs: 'Resolved as',
  with: 'With',
  corrected: (day: string) => `A later report of ${day} no longer says so.`,
  day: 'Day',
  itsClaim: 'The claim about it',
  resolve2: 'Resolve',
}

export const webhooks = {
  noAttempts: 'No attempt yet: the first is made when it is due.',
  noMatchingWebhooks: 'No matching webhooks.',
  webhook: 'Webhook',
  tells: 'Tells',
  url: 'URL',
  attempts: 'Attempts',
  lastAnswer: 'Last answer',
  nextAttempt: 'Next attempt',
  webhookOfOrder: (sequence: number, order: string) => `Webhook ${sequence} of order ${order}`,
  webhookTo: (sequence: number, merchant: string) => `Webhook ${sequence} to ${merchant}`,
  numberInItsOrder: 'Number in its order',
  settled: 'Settled',
  theMerchantHasReceivedIt: 'The merchant has received it, and will get it again.',
  itIsSentAtOnce: 'It is sent at once, and its attempts are counted anew.',
  resend: 'Resend',
  no: 'No.',
  started: 'Started',
  took: 'Took',
  address: 'Address',
  answer: 'Answer',
  ms: (milliseconds: number) => `${milliseconds} ms`,
  signedWith: (key: string) => `signed with ${key}`,
  removedAfterTheRetentionTime: 'Removed after the retention time.',
  itNamesTheConsumerSo: 'It names the consumer, so viewers do not see it.',
  body: 'Body',
  exactlyAsItIsSent: 'exactly as it is sent',
}

export const archived = {
  title: (id: string) => `Archived order ${id}`,
  since: 'Archived',
  file: 'File of the archive',
  entries: 'Entries of its journal',
  digest: 'Seal of its line',
  erased: 'Personal data erased',
  whereItIs: (file: string) =>
    `All of it, with its journal, postings and webhooks, is a line of ${file} beside the database. This command reads it there:`,
  command: 'Command',
}
