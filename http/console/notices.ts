/** What the console says of how a form ended. */
import type { OperationError, OperationErrorCode } from '../../actors/foundation/operation.ts'
import { operationsOf } from '../../actors/operations/index.ts'
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

/** A link names what was done, and says nothing else: no text of a stranger's gets onto a page. */
const doneTexts: ReadonlyMap<string, string> = new Map([
  ...operationsOf('sandbox').flatMap(({ name, done }) => (done === undefined ? [] : [[name, done] as const])),
  ['unfinished', 'It is being done: this page will show it.'],
  ['out', 'You are signed out.'],
])

export function doneNotice(done: string | null): Block[] {
  const title = doneTexts.get(done ?? '')
  return title === undefined ? [] : [{ kind: 'notice', tone: 'good', title, lines: [] }]
}
