/** `ventanilla statement …` and `settlement resume` */
import { type Command, Option } from 'commander'
import {
  type StatementFormat,
  type StatementPart,
  statementExport,
  statementFormats,
} from '../../actors/settlement/statement-export.ts'
import {
  type StatementList,
  settlementResume,
  statementClose,
  statementList,
  statementShow,
} from '../../actors/settlement/statement-operations.ts'
import { CommandError, exitCodes } from '../../node/exit-codes.ts'
import { addCommand, addGroup, addOperationCommand, type CommonOptions, withOperations } from '../command.ts'
import { closingText, statementText } from '../settlement-text.ts'
import { section, shortTime, table } from '../table.ts'
import type { Terminal } from '../terminal.ts'

export function addStatementCommands(terminal: Terminal, program: Command): void {
  const statement = addGroup(program, 'statement', 'Look at the statements of parties, and close one.')
  addOperationCommand(terminal, statement, {
    operation: statementList,
    examples: [
      'statement list "Demo Shop"',
      'statement list --state overdue',
      'statement list "Demo Network" --json',
    ],
    show: listText,
  })
  addOperationCommand(terminal, statement, {
    operation: statementShow,
    examples: ['statement show "Demo Shop" 1 --currency MXN'],
    show: statementText,
  })
  addOperationCommand(terminal, statement, {
    operation: statementClose,
    examples: [
      'statement close "Demo Shop" --currency MXN --dry-run',
      'statement close "Demo Shop" --currency MXN',
    ],
    show: closingText,
  })
  addExport(terminal, statement)
  const settlement = addGroup(program, 'settlement', 'Closings and payments as a whole.')
  addOperationCommand(terminal, settlement, {
    operation: settlementResume,
    examples: ['settlement resume --reason "all entries since the backup are booked"'],
    show: ({ wasStoppedSince }) =>
      `Settlement goes on; it was stopped since ${shortTime(wasStoppedSince)}.\n`,
  })
}

interface ExportOptions extends CommonOptions {
  currency: string
  kind?: 'merchant' | 'provider'
  format: StatementFormat
}

/** Printed as it is read: a statement may have any number of lines. */
function addExport(terminal: Terminal, statement: Command): void {
  const command = addCommand(statement, 'export <party> <number...>', {
    summary:
      'Print sealed statements as one table for spreadsheets, or each as JSON with what its digest is made of.',
    examples: [
      'statement export "Demo Shop" 1 2 3 --currency MXN > statements.csv',
      'statement export "Demo Shop" 3 --currency MXN --format json > 3.json',
      'statement export "Demo Shop" 3 --currency MXN --json | jq -r \'.canonical, .entries[].canonical\' | sha256sum',
    ],
  })
    .requiredOption('--currency <currency>', 'for example MXN')
    .addOption(
      new Option('--kind <kind>', 'if a merchant and a provider share the name').choices([
        'merchant',
        'provider',
      ]),
    )
    .addOption(new Option('--format <format>', 'what is printed').choices(statementFormats).default('csv'))
  command.action(async (party: string, numbers: string[]) => {
    const { currency, kind, ...options } = command.opts<ExportOptions>()
    if (options.field !== undefined) {
      throw new CommandError(
        exitCodes.usage,
        '--field: the statement itself is printed; its JSON has no parts.',
      )
    }
    const format = options.json === true ? 'json' : options.format
    const named = { party, currency, format, ...(kind === undefined ? {} : { kind }) }
    await withOperations(terminal, options, async (operations) => {
      for (const [place, number] of numbers.entries()) {
        for (let after: number | null = 0; after !== null; ) {
          const { part, next }: StatementPart = await operations.perform(statementExport, {
            ...named,
            number,
            after,
          })
          // One table has one row of names.
          const isHeadTold = format === 'csv' && after === 0 && place > 0
          terminal.out(isHeadTold ? part.slice(part.indexOf('\n') + 1) : part)
          after = next
        }
      }
    })
  })
}

function listText({ statements, lost, next }: StatementList): string {
  if (statements.length + lost.length === 0) return 'No statement.\n'
  return [
    statements.length === 0
      ? ''
      : table(statements, [
          { title: 'PARTY', value: ({ party }) => party },
          { title: 'NUMBER', value: ({ number }) => number, right: true },
          { title: 'CURRENCY', value: ({ currency }) => currency },
          { title: 'FROM', value: ({ from }) => from },
          { title: 'TO', value: ({ to }) => to },
          { title: 'LINES', value: ({ lines }) => lines, right: true },
          { title: 'CLOSING', value: ({ closing }) => closing, right: true },
          { title: 'DUE', value: ({ due }) => due, right: true },
          { title: 'OPEN', value: ({ open }) => open, right: true },
          { title: 'DUE ON', value: ({ postponedTo, dueOn }) => postponedTo ?? dueOn },
          { title: 'STATE', value: ({ state }) => state },
        ]),
    section(
      'Lost by a restore, and never given again',
      lost.length === 0
        ? ''
        : table(lost, [
            { title: 'NUMBER', value: ({ number }) => number, right: true },
            { title: 'CURRENCY', value: ({ currency }) => currency },
            { title: 'RECORDED', value: ({ recorded }) => shortTime(recorded) },
          ]),
    ),
    next === null ? '' : `\nThere are more: --cursor ${next}\n`,
  ].join('')
}
