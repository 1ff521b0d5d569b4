/** `ventanilla operator …` */
import type { Command } from 'commander'
import { operatorSet } from '../../actors/people/language-operations.ts'
import {
  type OperatorDocument,
  type OperatorWithPassword,
  operatorAdd,
  operatorChange,
  operatorDisable,
  operatorEnable,
  operatorList,
  operatorReset,
} from '../../actors/people/operations.ts'
import { addGroup, addOperationCommand } from '../command.ts'
import { fields, shortTime, table } from '../table.ts'
import type { Terminal } from '../terminal.ts'

export function addOperatorCommands(terminal: Terminal, program: Command): void {
  const operator = addGroup(program, 'operator', 'Manage who may sign in to the console, and their roles.')
  addOperationCommand(terminal, operator, {
    operation: operatorList,
    examples: ['operator list'],
    show: ({ operators }) =>
      operators.length === 0
        ? 'No operators yet: ventanilla operator add NAME --role administrator\n'
        : table(operators, [
            { title: 'NAME', value: (it) => it.name },
            { title: 'ROLE', value: (it) => it.role },
            { title: 'STATE', value: (it) => it.state },
            { title: 'LAST SIGN-IN', value: (it) => shortTime(it.lastSignIn) },
            { title: 'SESSIONS', value: (it) => String(it.sessions), right: true },
          ]),
  })
  addOperationCommand(terminal, operator, {
    operation: operatorAdd,
    summary: 'Create an operator. The password is generated and shown once.',
    examples: ['operator add ana --role administrator', 'operator add luis --role viewer'],
    show: operatorText,
  })
  addOperationCommand(terminal, operator, {
    operation: operatorChange,
    examples: ['operator change luis --role operator'],
    show: operatorText,
  })
  addOperationCommand(terminal, operator, {
    operation: operatorSet,
    examples: [
      'operator set luis --language es --zone America/Mexico_City',
      'operator set luis --zone default',
    ],
    show: operatorText,
  })
  for (const [verb, operation] of [
    ['disable', operatorDisable],
    ['enable', operatorEnable],
    ['reset', operatorReset],
  ] as const) {
    addOperationCommand<{ name: string }, OperatorWithPassword>(terminal, operator, {
      operation,
      examples: [`operator ${verb} luis`],
      show: operatorText,
    })
  }
}

function operatorText(document: OperatorDocument & { password?: string }): string {
  const { name, role, state, language, zone, password } = document
  const lines = fields([
    ['Operator', name],
    ['Role', role],
    ['State', state],
    ['Language', language],
    ['Time zone', zone],
    ['Password', password ?? null],
  ])
  return password === undefined ? lines : `${lines}\nThe password is shown only once.\n`
}
