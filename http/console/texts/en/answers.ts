/** What is answered where there is no page, or nothing was done; and the names of the rooms. */
import type { OperationErrorCode } from '../../../../actors/foundation/operation.ts'

export const rooms = {
  Overview: 'Overview',
  Orders: 'Orders',
  Exceptions: 'Exceptions',
  Approvals: 'Approvals',
  Webhooks: 'Webhooks',
  Parties: 'Parties',
  Settlement: 'Settlement',
  Payments: 'Payments',
  Reconciliation: 'Reconciliation',
  Rates: 'Rates',
  Sandbox: 'Sandbox',
  Health: 'Health',
  Notifications: 'Notifications',
  Audit: 'Audit',
  Operators: 'Operators',
  Settings: 'Settings',
  Inspector: 'Inspector',
}

const failures: Readonly<Record<OperationErrorCode, string>> = {
  invalid: 'Invalid request',
  forbidden: 'Not for your role',
  not_found: 'Not found',
  conflict: 'It has changed',
  refused: 'Not possible',
  asked: 'Waiting for approval',
  unproved: 'Prove your second factor',
}

export const answers = {
  failures,
  currentState: 'Nothing was changed. This is its current state.',
  unfinished: 'It is being done: this page will show it.',
  notFound: 'Not found',
  nothingHere:
    'There is nothing at this address. The rooms beside this lead everywhere, and the box above finds what you have the id of.',
  fileNotTaken: 'The file is not taken',
  invalidForm: 'Invalid form',
  nothingWasDone: 'Nothing was done.',
  notDone: 'Not done',
  notFromHere: 'Not from here',
  anotherSession:
    'The form belongs to another session or another site. Nothing was changed: go back and reload.',
  doIt: 'Do it as shown',
  sentAlready: 'Sent already',
  carriedOutOnce:
    'This form was sent before, and is carried out once. Look at what came of it; to do it again, open its page again.',
  noSuchForm: 'There is no such form.',
}
