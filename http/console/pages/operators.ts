/** Who may sign in, and what each operator does about themselves. */

import { type Role, roles } from '../../../actors/foundation/roles.ts'
import {
  operatorAdd,
  operatorChange,
  operatorDisable,
  operatorEnable,
  operatorList,
  operatorPassword,
  operatorReset,
} from '../../../actors/people/operations.ts'
import { leastPasswordLength } from '../../../actors/people/passwords.ts'
import type { Block, Field } from '../blocks.ts'
import { state, time } from '../cells.ts'
import type { Action, Done, Page } from '../page.ts'

const role: Field = {
  name: 'role',
  label: 'Role',
  type: 'select',
  options: [
    ['viewer', 'viewer: looks, without codes and personal data'],
    ['operator', 'operator: orders, exceptions, webhooks'],
    ['administrator', 'administrator: money, keys, operators'],
  ],
}

export const operatorsPage: Page = {
  path: /^\/operators$/,
  least: 'administrator',
  room: 'Operators',
  async render({ ask, operator }) {
    const { operators } = await ask(operatorList, {})
    const others = operators.filter(({ name }) => name !== operator.name)
    const choose = (those: typeof others): Field => ({
      name: 'name',
      label: 'Operator',
      type: 'select',
      options: those.map(({ name, role: its }) => [name, `${name} (${its})`] as const),
    })
    const enabled = others.filter(({ state: its }) => its === 'enabled')
    const disabled = others.filter(({ state: its }) => its === 'disabled')
    const form = (
      action: string,
      title: string,
      button: string,
      fields: readonly Field[],
      isDanger = false,
    ): Block => ({
      kind: 'form',
      form: { action: `/operators/${action}`, title, button, fields, isDanger, hidden: {} },
    })
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
        form('add', 'Let somebody in', 'Add', [
          {
            name: 'name',
            label: 'Name',
            type: 'text',
            maxLength: 64,
            hint: 'In lower case, for example luis.paz',
          },
          role,
        ]),
        ...(others.length === 0 ? [] : [form('change', 'Change a role', 'Change', [choose(others), role])]),
        ...(others.length === 0
          ? []
          : [form('reset', 'Give a new password', 'Make a password', [choose(others)], true)]),
        ...(enabled.length === 0
          ? []
          : [form('disable', 'Disable somebody', 'Disable', [choose(enabled)], true)]),
        ...(disabled.length === 0
          ? []
          : [form('enable', 'Let somebody in again', 'Enable', [choose(disabled)])]),
      ],
    }
  },
}

export const accountPage: Page = {
  path: /^\/account$/,
  least: 'viewer',
  room: '',
  async render({ operator }) {
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
        {
          kind: 'form',
          form: {
            action: '/account/password',
            title: 'Change your password',
            lead: 'You are signed out everywhere by it.',
            button: 'Change',
            hidden: {},
            fields: [
              {
                name: 'password',
                label: 'The present one',
                type: 'password',
                autocomplete: 'current-password',
                maxLength: 200,
              },
              {
                name: 'new_password',
                label: 'The new one',
                type: 'password',
                autocomplete: 'new-password',
                maxLength: 200,
                hint: `At least ${leastPasswordLength} characters; a few words are good ones.`,
              },
            ],
          },
        },
        {
          kind: 'form',
          form: {
            action: '/account/sign-out-everywhere',
            title: 'Sign out everywhere',
            lead: 'Ends your sessions in all browsers, this one too.',
            button: 'Sign out everywhere',
            fields: [],
            hidden: {},
          },
        },
      ],
    }
  },
}

const roleOf = (text = ''): Role => roles.find((known) => known === text) ?? 'viewer'

function shownOnce(name: string, password: string | undefined): Done {
  return {
    kind: 'show',
    view: {
      title: `The password of ${name}`,
      crumb: { href: '/operators', text: 'Operators' },
      blocks: [
        {
          kind: 'secret',
          label: 'Shown this once',
          value: password ?? '',
          note: 'Give it to them by a safe way; they change it under their name at the top.',
        },
      ],
    },
  }
}

export const operatorActions: readonly Action[] = [
  {
    path: '/operators/add',
    async run({ ask }, { name = '', role: wished }) {
      const made = await ask(operatorAdd, { name, role: roleOf(wished) })
      return shownOnce(made.name, made.password)
    },
  },
  {
    path: '/operators/reset',
    async run({ ask }, { name = '' }) {
      const made = await ask(operatorReset, { name })
      return shownOnce(made.name, made.password)
    },
  },
  {
    path: '/operators/change',
    async run({ ask }, { name = '', role: wished }) {
      await ask(operatorChange, { name, role: roleOf(wished) })
      return { kind: 'go', to: '/operators', done: 'changed' }
    },
  },
  {
    path: '/operators/disable',
    async run({ ask }, { name = '' }) {
      await ask(operatorDisable, { name })
      return { kind: 'go', to: '/operators', done: 'disabled' }
    },
  },
  {
    path: '/operators/enable',
    async run({ ask }, { name = '' }) {
      await ask(operatorEnable, { name })
      return { kind: 'go', to: '/operators', done: 'enabled' }
    },
  },
  {
    path: '/account/password',
    async run({ ask }, { password = '', new_password: newPassword = '' }) {
      await ask(operatorPassword, { password, newPassword })
      return { kind: 'go', to: '/sign-in', done: 'password' }
    },
  },
]
