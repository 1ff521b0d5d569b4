/** What the console says of how a form ended. */
import { ApprovalAsked } from '../../actors/approvals/asking.ts'
import type { OperationError } from '../../actors/foundation/operation.ts'
import { operationsOf } from '../../actors/operations/index.ts'
import type { Notice, Text } from './blocks.ts'
import type { Said } from './view.ts'
import { told as toldOf, wording } from './wording.ts'

export function failureTitle({ code }: OperationError): Said {
  return ({ answers }) => answers.failures[code]
}

export function failureNotice(error: OperationError): Notice {
  const { code, message, hint, details } = error
  // Hints name commands, which are another way to the same; one that names an option is of the command line alone, and after a
  // conflict the page itself is the answer.
  const isOfConsole = hint !== undefined && code !== 'conflict' && !/(^|\s)--[a-z]/.test(hint)
  const hints = isOfConsole ? [hint] : []
  const more: Said[] = code === 'conflict' ? [({ answers }) => answers.currentState] : []
  const told = [...new Set([message, ...details, ...hints])].map((text) => toldOf(text))
  // It is no failure, and goes on there.
  if (error instanceof ApprovalAsked) {
    const page: Text = { text: ({ approvals }) => approvals.openIt, href: `/approvals/${error.approval}` }
    return { kind: 'notice', tone: 'waiting', title: failureTitle(error), lines: [toldOf(message), page] }
  }
  return { kind: 'notice', tone: 'bad', title: failureTitle(error), lines: [...told, ...more] }
}

/** By what is named. */
const doneTexts: ReadonlyMap<string, Text> = new Map<string, Text>([
  ...operationsOf('sandbox').flatMap(({ name, done, isOnlyBegun }) =>
    done === undefined
      ? []
      : [[name, { text: wording(done), tone: isOnlyBegun ? 'plain' : 'good' } as const] as const],
  ),
  ['unfinished', { text: ({ answers }) => answers.unfinished, tone: 'plain' }],
])

/** What is told of what was done; `null` for what nobody can do. */
export function doneText(done: string | null): Text | null {
  return doneTexts.get(done ?? '') ?? null
}
