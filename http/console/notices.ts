/** What the console says of how a form ended. */
import type { OperationError, OperationErrorCode } from '../../actors/foundation/operation.ts'
import type { Block } from './blocks.ts'

const titles: Readonly<Record<OperationErrorCode, string>> = {
  invalid: 'That cannot be asked',
  forbidden: 'Not for your role',
  not_found: 'Not found',
  conflict: 'It has changed meanwhile',
  refused: 'It cannot be done',
}

export function failureTitle({ code }: OperationError): string {
  return titles[code]
}

export function failureNotice({ code, message, hint, details }: OperationError): Block {
  // Hints name commands, which are another way to the same; after a conflict the page itself is the answer.
  const hints = hint === undefined || code === 'conflict' ? [] : [hint]
  const more = code === 'conflict' ? ['Nothing was done. Below is how it is now.'] : []
  return { kind: 'notice', tone: 'bad', title: titles[code], lines: [message, ...details, ...hints, ...more] }
}

/** A link says which of these, and nothing else: no text of a stranger's gets onto a page. */
const doneTexts: ReadonlyMap<string, string> = new Map(
  Object.entries({
    cancelled: 'The order is cancelled.',
    confirmed: 'The payment is confirmed.',
    released: 'The order is released.',
    resolved: 'The exception is resolved.',
    cleared: 'Payments can be started again.',
    resent: 'It is being sent again.',
    paused: 'The webhooks are paused.',
    resumed: 'The webhooks go on.',
    switched: 'The webhooks are signed with that key now.',
    frozen: 'It is frozen.',
    unfrozen: 'It goes on.',
    revoked: 'The key is revoked.',
    deposited: 'The deposit is booked.',
    reversed: 'The deposit is reversed.',
    'terms-set': 'The terms are set.',
    changed: 'The role is changed.',
    disabled: 'The operator is disabled.',
    enabled: 'The operator may sign in again.',
    erased: 'The personal data are erased.',
    'backed-up': 'A backup was made and verified.',
    'backing-up': 'A backup is being made.',
    drained: 'Nothing new is begun.',
    undrained: 'New orders, quotes and payments are taken again.',
    accepted: 'The clock is accepted.',
    'restore-accepted': 'The restore is accepted.',
    'rate-accepted': 'The rate is accepted.',
    password: 'The password is changed. Sign in with the new one.',
    out: 'You are signed out.',
  }),
)

export function doneNotice(done: string | null): Block[] {
  const title = doneTexts.get(done ?? '')
  return title === undefined ? [] : [{ kind: 'notice', tone: 'good', title, lines: [] }]
}
