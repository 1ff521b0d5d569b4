/** What the console says of how a form ended. */
import type { OperationError } from '../../actors/foundation/operation.ts'
import { operationsOf } from '../../actors/operations/index.ts'
import type { Block } from './blocks.ts'
import type { Said } from './view.ts'
import { refusal, wording } from './wording.ts'

export function failureTitle({ code }: OperationError): Said {
  return ({ answers }) => answers.failures[code]
}

export function failureNotice(error: OperationError): Block {
  const { code, message, hint, details } = error
  // Hints name commands, which are another way to the same; after a conflict the page itself is the answer.
  const hints = hint === undefined || code === 'conflict' ? [] : [hint]
  const more: Said[] = code === 'conflict' ? [({ answers }) => answers.currentState] : []
  const told = [message, ...details, ...hints].map(refusal)
  return { kind: 'notice', tone: 'bad', title: failureTitle(error), lines: [...told, ...more] }
}

/** A link names what was done, and says nothing else: no text of a stranger's gets onto a page. */
const doneTexts: ReadonlyMap<string, Said> = new Map<string, Said>([
  ...operationsOf('sandbox').flatMap(({ name, done }) =>
    done === undefined ? [] : [[name, wording(done)] as const],
  ),
  ['unfinished', ({ answers }) => answers.unfinished],
  ['out', ({ entry }) => entry.out],
])

export function doneNotice(done: string | null): Block[] {
  const title = doneTexts.get(done ?? '')
  return title === undefined ? [] : [{ kind: 'notice', tone: 'good', title, lines: [] }]
}
