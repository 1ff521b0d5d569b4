/** `ventanilla exception …` */
import { type Command, Option } from 'commander'
import type { ExceptionSummary } from '../../actors/operations/exception-documents.ts'
import {
  type ExceptionDocument,
  exceptionList,
  exceptionShow,
  exceptionStates,
} from '../../actors/operations/exceptions.ts'
import { addGroup, addOperationCommand, addPageOptions, given, more, type PageOptions } from '../command.ts'
import { fields, section, shortTime, table } from '../table.ts'
import type { Terminal } from '../terminal.ts'

interface ListOptions extends PageOptions {
  state?: (typeof exceptionStates)[number]
  order?: string
}

export function addExceptionCommands(terminal: Terminal, program: Command): void {
  const exception = addGroup(program, 'exception', 'Look at what needs a person.')
  addOperationCommand(
    terminal,
    exception,
    'list',
    {
      summary: 'List exceptions, the newest first.',
      examples: ['exception list --state open', 'exception list --order 5f0c2a9e-… --json'],
      operation: exceptionList,
      input: (_, command) => {
        const { state, order, limit, cursor } = command.opts<ListOptions>()
        return given({ state, order, limit, cursor })
      },
      show: ({ exceptions, next }) =>
        (exceptions.length === 0 ? 'No exceptions.\n' : exceptionTable(exceptions)) + more(next),
    },
    (command) =>
      addPageOptions(command)
        .addOption(new Option('--state <state>', 'only those in this state').choices(exceptionStates))
        .option('--order <id>', 'only those of this order'),
  )
  addOperationCommand(terminal, exception, 'show <id>', {
    summary: 'Show an exception with its evidence.',
    examples: ['exception show 9d3e5b1f-…'],
    operation: exceptionShow,
    input: ([id = '']) => ({ id }),
    show: exceptionText,
  })
}

export function exceptionTable(exceptions: readonly ExceptionSummary[]): string {
  return table(exceptions, [
    { title: 'KIND', value: (exception) => exception.kind },
    { title: 'STATE', value: (exception) => exception.state },
    { title: 'OPENED', value: (exception) => shortTime(exception.openedAt) },
    { title: 'AMOUNT', value: amountOf, right: true },
    { title: 'CHAIN', value: (exception) => exception.chain },
    { title: 'ORDER', value: (exception) => exception.order },
    { title: 'ID', value: (exception) => exception.id },
  ])
}

function amountOf({ amount, asset }: ExceptionSummary): string | null {
  return amount === null ? null : `${amount} ${asset ?? ''}`.trim()
}

function exceptionText(exception: ExceptionDocument): string {
  return [
    fields([
      ['id', exception.id],
      ['kind', exception.kind],
      ['state', exception.state],
      ['reason', exception.reason],
      ['order', exception.order],
      ['chain', exception.chain],
      ['transaction', exception.transactionId],
      ['amount', amountOf(exception)],
      ['sender', exception.sender],
      ['opened', shortTime(exception.openedAt)],
      ['resolved', exception.resolvedAt === null ? null : shortTime(exception.resolvedAt)],
      ['resolution', exception.resolution],
      ['revision', exception.revision],
    ]),
    section('Evidence', `${JSON.stringify(exception.evidence, null, 2)}\n`),
  ].join('')
}
