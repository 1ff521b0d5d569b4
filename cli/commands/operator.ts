/** `ventanilla operator …` */
import type { Command } from 'commander'
import { type Invitation, operatorInvite, operatorUninvite } from '../../actors/operations/invitations.ts'
import { type FactorsReset, operatorResetFactors } from '../../actors/people/factor-operations.ts'
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
    show: ({ operators, invitations }) =>
      operators.length + invitations.length === 0
        ? 'No operators yet: ventanilla operator add NAME --role administrator\n'
        : table(
            [...operators, ...invitations.map(invited)],
            [
              { title: 'NAME', value: (it) => it.name },
              { title: 'ROLE', value: (it) => it.role },
              { title: 'STATE', value: (it) => it.state },
              { title: 'SECOND FACTOR', value: secondFactor },
              { title: 'LAST SIGN-IN', value: (it) => shortTime(it.lastSignIn) },
              { title: 'SESSIONS', value: (it) => String(it.sessions), right: true },
            ],
          ),
  })
  addOperationCommand(terminal, operator, {
    operation: operatorAdd,
    summary: 'Create an operator. The password is generated and shown once.',
    examples: ['operator add ana --role administrator', 'operator add luis --role viewer'],
    show: operatorText,
  })
  addOperationCommand(terminal, operator, { operation: operatorInvite, show: invitationText })
  addOperationCommand(terminal, operator, {
    operation: operatorUninvite,
    show: ({ name }) => `The invitation of ${name} is withdrawn.\n`,
  })
  addOperationCommand(terminal, operator, { operation: operatorResetFactors, show: resetText })
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

/** In the list of operators. */
function invited({ name, role, expires }: { name: string; role: string; expires: string }) {
  const state = `invited until ${shortTime(expires)}`
  return { name, role, state, authenticator: false, passkeys: 0, lastSignIn: null, sessions: 0 }
}

function secondFactor({ authenticator, passkeys }: { authenticator: boolean; passkeys: number }): string {
  const keys = passkeys === 0 ? [] : [passkeys === 1 ? 'a passkey' : `${passkeys} passkeys`]
  return [...keys, ...(authenticator ? ['authenticator'] : [])].join(', ') || '–'
}

function invitationText({ name, role, link, mailedTo, expires }: Invitation): string {
  const lines = fields([
    ['Invited', name],
    ['Role', role],
    ['Until', shortTime(expires)],
    ['Link', link],
    ['Mailed to', mailedTo],
  ])
  if (link === null)
    return `${lines}\nThe mail is on its way: ventanilla notification list shows what became of it.\n`
  return `${lines}\nThe link makes one account, once. It is shown only once: pass it on through a safe channel.\n`
}

function resetText({ name, passkeys, authenticator }: FactorsReset): string {
  const gone = `${passkeys} passkeys${authenticator ? ', the authenticator' : ''} and all recovery codes`
  return `${name} has no second factor any more: ${gone} are removed, and every session is ended.\n`
}
