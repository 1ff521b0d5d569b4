/** What the console says of how a form ended. */
import type { OperationError, OperationErrorCode } from '../../actors/foundation/operation.ts'
import type { Block } from './blocks.ts'

const titles: Readonly<Record<OperationErrorCode, string>> = {
  invalid: 'Invalid request',
  forbidden: 'Not for your role',
  not_found: 'Not found',
  conflict: 'It has changed',
  refused: 'Not possible',
}

export function failureTitle({ code }: OperationError): string {
  return titles[code]
}

export function failureNotice({ code, message, hint, details }: OperationError): Block {
  // Hints name commands, which are another way to the same; after a conflict the page itself is the answer.
  const hints = hint === undefined || code === 'conflict' ? [] : [hint]
  const more = code === 'conflict' ? ['Nothing was changed. This is its current state.'] : []
  return { kind: 'notice', tone: 'bad', title: titles[code], lines: [message, ...details, ...hints, ...more] }
}

/** A link says which of these, and nothing else: no text of a stranger's gets onto a page. */
const doneTexts = {
  cancelled: 'The order is cancelled.',
  confirmed: 'The payment is confirmed.',
  released: 'The order is released.',
  resolved: 'The exception is resolved.',
  cleared: 'Providers can start it again.',
  resent: 'Resending.',
  paused: 'The webhooks are paused.',
  resumed: 'Webhooks resumed.',
  switched: 'Webhooks are now signed with that key.',
  frozen: 'It is frozen.',
  unfrozen: 'It goes on.',
  revoked: 'The key is revoked.',
  deposited: 'The deposit is booked.',
  reversed: 'The deposit is reversed.',
  ordered: 'The payment is ordered.',
  told: 'It is booked.',
  'line-booked': 'The line is booked.',
  closed: 'The days are closed.',
  'settlement-resumed': 'Days are closed and payments ordered again.',
  'terms-set': 'The terms are set.',
  changed: 'The role is changed.',
  disabled: 'The operator is disabled.',
  enabled: 'The operator may sign in again.',
  erased: 'The personal data are erased.',
  'backed-up': 'A backup was made and verified.',
  'backing-up': 'A backup is being made.',
  drained: 'The node is drained.',
  undrained: 'The drain has ended.',
  accepted: 'The clock is accepted.',
  'restore-accepted': 'The restore is accepted.',
  'rate-accepted': 'The rate is accepted.',
  password: 'The password is changed. Sign in with the new one.',
  out: 'You are signed out.',
} as const satisfies Readonly<Record<string, string>>

/** How a form ended: the name of what is said of it. */
export type DoneName = keyof typeof doneTexts

export function doneNotice(done: string | null): Block[] {
  if (done === null || !isDoneName(done)) return []
  return [{ kind: 'notice', tone: 'good', title: doneTexts[done], lines: [] }]
}

function isDoneName(name: string): name is DoneName {
  return Object.hasOwn(doneTexts, name)
}
