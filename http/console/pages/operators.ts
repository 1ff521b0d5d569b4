/** Who may sign in, and what each operator does about themselves. */

import type { Role } from '../../../actors/foundation/roles.ts'
import {
  type OperatorWithPassword,
  operatorAdd,
  operatorChange,
  operatorDisable,
  operatorEnable,
  operatorList,
  operatorPassword,
  operatorReset,
} from '../../../actors/people/operations.ts'
import type { Block, Field } from '../blocks.ts'
import { state, time } from '../cells.ts'
import { operationAction, operationForm } from '../forms.ts'
import type { Action, Done, Page } from '../page.ts'

export const operatorsPage: Page = {
  path: /^\/operators$/,
  least: 'administrator',
  room: 'Operators',
  async render(request) {
    const { ask, operator } = request
    const { operators } = await ask(operatorList, {})
    const others = operators.filter(({ name }) => name !== operator.name)
    const enabled = others.filter(({ state: its }) => its === 'enabled')
    const disabled = others.filter(({ state: its }) => its === 'disabled')
    return {
      title: 'Operators',
      blocks: [
        {
          kind: 'table',
          label: 'Operators',
          empty: '',
          columns: [
            { label: 'Name' },
            { label: 'Role' },
            { label: 'State' },
            { label: 'Last sign-in' },
            { label: 'Password since' },
            { label: 'Sessions', isRight: true },
          ],
          rows: operators.map((line) => [
            line.name,
            line.role,
            state(line.state),
            time(line.lastSignIn),
            time(line.passwordSince),
            String(line.sessions),
          ]),
        },
        ...operationForm(request, operatorAdd, {
          title: 'Add an operator',
          button: 'Add',
          fields: ['name', 'role'],
        }),
        ...formsAbout(others, (adjusted) => [
          ...operationForm(request, operatorChange, {
            title: 'Change a role',
            button: 'Change',
            fields: ['name', 'role'],
            adjusted,
          }),
          ...operationForm(request, operatorReset, {
            title: 'Reset a password',
            button: 'Generate a password',
            isDanger: true,
            fields: ['name'],
            adjusted,
          }),
        ]),
        ...formsAbout(enabled, (adjusted) =>
          operationForm(request, operatorDisable, {
            title: 'Disable an operator',
            button: 'Disable',
            isDanger: true,
            fields: ['name'],
            adjusted,
          }),
        ),
        ...formsAbout(disabled, (adjusted) =>
          operationForm(request, operatorEnable, {
            title: 'Enable an operator',
            button: 'Enable',
            fields: ['name'],
            adjusted,
          }),
        ),
      ],
    }
  },
}

/** Forms in which one of these is chosen; none where there is nobody. */
function formsAbout(
  those: readonly { name: string; role: Role }[],
  forms: (adjusted: { name: Partial<Field> }) => Block[],
): Block[] {
  if (those.length === 0) return []
  const options = those.map(({ name, role }) => [name, `${name} (${role})`] as const)
  return forms({ name: { label: 'Operator', type: 'select', options, hint: '' } })
}

export const accountPage: Page = {
  path: /^\/account$/,
  least: 'viewer',
  room: '',
  async render(request) {
    const { operator } = request
    return {
      title: 'Your account',
      blocks: [
        {
          kind: 'facts',
          items: [
            ['Name', operator.name],
            ['Role', operator.role],
          ],
        },
        ...operationForm(request, operatorPassword, {
          title: 'Change your password',
          lead: 'This signs you out everywhere.',
          button: 'Change',
          fields: ['password', 'newPassword'],
        }),
        {
          kind: 'form',
          form: {
            action: '/account/sign-out-everywhere',
            title: 'Sign out everywhere',
            lead: 'Ends your sessions in all browsers, including this one.',
            button: 'Sign out everywhere',
            fields: [],
            hidden: {},
          },
        },
      ],
    }
  },
}

function shownOnce({ name, password }: OperatorWithPassword): Done {
  return {
    kind: 'show',
    view: {
      title: `The password of ${name}`,
      crumb: { href: '/operators', text: 'Operators' },
      blocks: [
        {
          kind: 'secret',
          label: 'Shown only once',
          value: password ?? '',
          note: 'Pass it on through a safe channel. They can change it under their name at the top.',
        },
      ],
    },
  }
}

export const operatorActions: readonly Action[] = [
  operationAction(operatorAdd, shownOnce),
  operationAction(operatorReset, shownOnce),
  operationAction(operatorPassword, () => ({ kind: 'go', to: '/sign-in' })),
]
