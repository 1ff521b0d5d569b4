/** `ventanilla operator …` */
import { type Command, Option } from 'commander'
import { type Role, roles } from '../../actors/foundation/roles.ts'
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
import { addGroup, addOperationCommand, type CommonOptions } from '../command.ts'
import { fields, shortTime, table } from '../table.ts'
import type { Terminal } from '../terminal.ts'

interface RoleOptions extends CommonOptions {
  role: Role
}

export function addOperatorCommands(terminal: Terminal, program: Command): void {
  const operator = addGroup(program, 'operator', 'Say who may sign in to the console, and what each may do.')
  addOperationCommand(terminal, operator, 'list', {
    summary: operatorList.summary,
    examples: ['operator list'],
    operation: operatorList,
    input: () => ({}),
    show: ({ operators }) =>
      operators.length === 0
        ? 'Nobody yet: ventanilla operator add NAME --role administrator\n'
        : table(operators, [
            { title: 'NAME', value: (it) => it.name },
            { title: 'ROLE', value: (it) => it.role },
            { title: 'STATE', value: (it) => it.state },
            { title: 'LAST SIGN-IN', value: (it) => shortTime(it.lastSignIn) },
            { title: 'SESSIONS', value: (it) => String(it.sessions), right: true },
          ]),
  })
  addOperationCommand(
    terminal,
    operator,
    'add <name>',
    {
      summary: 'Let somebody sign in to the console; their password is made and shown this once.',
      examples: ['operator add ana --role administrator', 'operator add luis --role viewer'],
      operation: operatorAdd,
      input: ([name = ''], command) => ({ name, role: command.opts<RoleOptions>().role }),
      show: operatorText,
    },
    addRole,
  )
  addOperationCommand(
    terminal,
    operator,
    'change <name>',
    {
      summary: operatorChange.summary,
      examples: ['operator change luis --role operator'],
      operation: operatorChange,
      input: ([name = ''], command) => ({ name, role: command.opts<RoleOptions>().role }),
      show: operatorText,
    },
    addRole,
  )
  for (const [verb, operation] of [
    ['disable', operatorDisable],
    ['enable', operatorEnable],
    ['reset', operatorReset],
  ] as const) {
    addOperationCommand<{ name: string }, OperatorWithPassword>(terminal, operator, `${verb} <name>`, {
      summary: operation.summary,
      examples: [`operator ${verb} luis`],
      operation,
      input: ([name = '']) => ({ name }),
      show: operatorText,
    })
  }
}

function addRole(command: Command): Command {
  return command.addOption(
    new Option('--role <role>', 'what they may do').choices(roles).makeOptionMandatory(),
  )
}

function operatorText(document: OperatorDocument & { password?: string }): string {
  const { name, role, state, password } = document
  const lines = fields([
    ['Operator', name],
    ['Role', role],
    ['State', state],
    ['Password', password ?? null],
  ])
  return password === undefined ? lines : `${lines}\nThe password is shown this once.\n`
}
