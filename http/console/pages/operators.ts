/** Who may sign in, and what each operator does about themselves. */

import type { Role } from '../../../actors/foundation/roles.ts'
import { operatorSet, operatorSetOwn } from '../../../actors/people/language-operations.ts'
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
import { oneOf, operationAction, operationForm } from '../forms.ts'
import type { Action, Done, Page, PageRequest } from '../page.ts'
import { named, word } from '../readable.ts'
import type { Texts } from '../texts/index.ts'

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
      title: (texts) => texts.operators.operators,
      blocks: [
        {
          kind: 'table',
          label: (texts) => texts.operators.operators,
          list: 'operators',
          empty: '',
          columns: [
            { label: (texts) => texts.common.name },
            { label: (texts) => texts.operators.role },
            { label: (texts) => texts.common.state },
            { label: (texts) => texts.operators.lastSignIn },
            { label: (texts) => texts.operators.passwordSince },
            { label: (texts) => texts.operators.sessions, isRight: true },
          ],
          rows: operators.map((line) => [
            line.name,
            named(line.role),
            state(line.state),
            time(line.lastSignIn),
            time(line.passwordSince),
            String(line.sessions),
          ]),
        },
        ...operationForm(request, operatorAdd, {
          title: (texts) => texts.operators.addAnOperator,
          button: (texts) => texts.operators.add,
          fields: ['name', 'role'],
        }),
        ...formsAbout(others, (adjusted) => [
          ...operationForm(request, operatorChange, {
            title: (texts) => texts.operators.changeARole,
            button: (texts) => texts.operators.change,
            fields: ['name', 'role'],
            adjusted,
          }),
          ...operationForm(request, operatorReset, {
            title: (texts) => texts.operators.resetAPassword,
            button: (texts) => texts.operators.generateAPassword,
            isDanger: true,
            fields: ['name'],
            adjusted,
          }),
          ...operationForm(request, operatorSet, {
            title: (texts) => texts.operators.languageAndZone,
            button: (texts) => texts.operators.change,
            fields: ['name', 'language', 'zone'],
            adjusted,
          }),
        ]),
        ...formsAbout(enabled, (adjusted) =>
          operationForm(request, operatorDisable, {
            title: (texts) => texts.operators.disableAnOperator,
            button: (texts) => texts.operators.disable,
            isDanger: true,
            fields: ['name'],
            adjusted,
          }),
        ),
        ...formsAbout(disabled, (adjusted) =>
          operationForm(request, operatorEnable, {
            title: (texts) => texts.operators.enableAnOperator,
            button: (texts) => texts.operators.enable,
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
  const options = those.map(
    ({ name, role }) => [name, (texts: Texts) => `${name} (${word(texts, role)})`] as const,
  )
  return forms({ name: { label: (texts) => texts.common.operator, type: 'select', options, hint: '' } })
}

export const accountPage: Page = {
  path: /^\/account$/,
  least: 'viewer',
  room: '',
  async render(request) {
    const { operator, view } = request
    return {
      title: (texts) => texts.operators.yourAccount,
      blocks: [
        {
          kind: 'facts',
          items: [
            [(texts) => texts.common.name, operator.name],
            [(texts) => texts.operators.role, named(operator.role)],
            [(texts) => texts.operators.language, view.texts.frame.name],
            [(texts) => texts.common.zone, view.zone],
          ],
        },
        ...languageForm(request),
        ...operationForm(request, operatorPassword, {
          title: (texts) => texts.operators.changeYourPassword,
          lead: (texts) => texts.operators.thisSignsYouOutEverywhere,
          button: (texts) => texts.operators.change,
          fields: ['password', 'newPassword'],
        }),
        {
          kind: 'form',
          form: {
            action: '/account/sign-out-everywhere',
            title: (texts) => texts.operators.signOutEverywhere,
            lead: (texts) => texts.operators.endsYourSessionsInAll,
            button: (texts) => texts.operators.signOutEverywhere,
            fields: [],
            hidden: {},
          },
        },
      ],
    }
  },
}

/** Every zone that the node knows, the reader's own chosen. */
function languageForm(request: PageRequest): Block[] {
  const { view } = request
  const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]
  const known = zones.includes(view.zone) ? zones : [view.zone, ...zones]
  return operationForm(request, operatorSetOwn, {
    title: (texts) => texts.operators.languageAndZone,
    lead: (texts) => texts.operators.ofAllPages,
    button: (texts) => texts.operators.change,
    isMain: true,
    fields: ['zone'],
    adjusted: {
      zone: { ...oneOf(known), value: view.zone, isOptional: false },
    },
  })
}

function shownOnce({ name, password }: OperatorWithPassword): Done {
  return {
    kind: 'show',
    view: {
      title: (texts) => texts.operators.thePasswordOf(name),
      crumb: { href: '/operators', text: (texts) => texts.operators.operators },
      blocks: [
        {
          kind: 'secret',
          label: (texts) => texts.operators.shownOnlyOnce,
          value: password ?? '',
          note: (texts) => texts.operators.passItOnThroughA,
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
