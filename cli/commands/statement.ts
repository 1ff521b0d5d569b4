/** `ventanilla statement …` and `settlement resume` */
import type { Command } from 'commander'
import {
  type StatementList,
  settlementResume,
  statementClose,
  statementList,
  statementShow,
} from '../../actors/settlement/statement-operations.ts'
import { addGroup, addOperationCommand } from '../command.ts'
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
  const settlement = addGroup(program, 'settlement', 'Closings and payments as a whole.')
  addOperationCommand(terminal, settlement, {
    operation: settlementResume,
    examples: ['settlement resume --reason "all entries since the backup are booked"'],
    show: ({ wasStoppedSince }) =>
      `Settlement goes on; it was stopped since ${shortTime(wasStoppedSince)}.\n`,
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
