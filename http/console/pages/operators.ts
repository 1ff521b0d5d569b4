/** Who may sign in. */

import type { Role } from '../../../actors/foundation/roles.ts'
import { type Invitation, operatorInvite, operatorUninvite } from '../../../actors/operations/invitations.ts'
import { operatorSet } from '../../../actors/people/language-operations.ts'
import {
  type OperatorList,
  type OperatorWithPassword,
  operatorAdd,
  operatorChange,
  operatorDisable,
  operatorEnable,
  operatorList,
  operatorReset,
} from '../../../actors/people/operations.ts'
import type { Block, Field } from '../blocks.ts'
import { state, time } from '../cells.ts'
import { operationAction, operationForm } from '../forms.ts'
import type { Action, Done, Page } from '../page.ts'
import { named, word } from '../readable.ts'
import type { Texts } from '../texts/index.ts'

export const operatorsPage: Page = {
  path: /^\/operators$/,
  least: 'administrator',
  room: 'Operators',
  async render(request) {
    const { ask, operator } = request
    const { operators, invitations } = await ask(operatorList, {})
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
            { label: (texts) => texts.invitations.secondFactor },
            { label: (texts) => texts.operators.lastSignIn },
            { label: (texts) => texts.operators.passwordSince },
            { label: (texts) => texts.operators.sessions, isRight: true },
          ],
          rows: operators.map((line) => [
            line.name,
            named(line.role),
            state(line.state),
            { text: (texts) => factorsOf(line, texts) },
            time(line.lastSignIn),
            time(line.passwordSince),
            String(line.sessions),
          ]),
        },
        ...invitationBlocks(invitations),
        ...operationForm(request, operatorInvite, {
          title: (texts) => texts.invitations.invite,
          lead: (texts) => texts.invitations.inviteLead,
          button: (texts) => texts.invitations.inviteNow,
          fields: ['name', 'role', 'email', 'language'],
          adjusted: {
            language: { value: request.view.language, isOptional: false },
          },
        }),
        ...operationForm(request, operatorAdd, {
          title: (texts) => texts.operators.addAnOperator,
          button: (texts) => texts.operators.add,
          fields: ['name', 'role'],
        }),
        ...formsAbout(invitations, (adjusted) =>
          operationForm(request, operatorUninvite, {
            title: (texts) => texts.invitations.withdraw,
            button: (texts) => texts.invitations.withdrawIt,
            fields: ['name'],
            adjusted,
          }),
        ),
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

function factorsOf({ passkeys, authenticator }: Listed, { invitations }: Texts): string {
  const keys = passkeys === 0 ? [] : [invitations.passkeys(passkeys)]
  return [...keys, ...(authenticator ? [invitations.authenticator] : [])].join(', ') || '–'
}

type Listed = OperatorList['operators'][number]

function invitationBlocks(open: OperatorList['invitations']): Block[] {
  if (open.length === 0) return []
  return [
    { kind: 'heading', text: (texts) => texts.invitations.open },
    {
      kind: 'table',
      label: (texts) => texts.invitations.open,
      empty: '',
      columns: [
        { label: (texts) => texts.common.name },
        { label: (texts) => texts.operators.role },
        { label: (texts) => texts.invitations.invitedBy },
        { label: (texts) => texts.invitations.until },
      ],
      rows: open.map((line) => [line.name, named(line.role), line.invitedBy, time(line.expires)]),
    },
  ]
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

function linkShownOnce({ name, link, mailedTo }: Invitation): Done {
  const crumb = { href: '/operators', text: (texts: Texts) => texts.operators.operators }
  if (link === null) {
    const line = (texts: Texts) => texts.invitations.onItsWay(mailedTo ?? '')
    const links: Block = {
      kind: 'links',
      items: [{ text: (texts) => texts.notifications.notifications, href: '/notifications' }],
    }
    const title = (texts: Texts) => texts.invitations.invitationOf(name)
    return { kind: 'show', view: { title, crumb, blocks: [{ kind: 'text', text: line }, links] } }
  }
  return {
    kind: 'show',
    view: {
      title: (texts) => texts.invitations.linkOf(name),
      crumb,
      blocks: [
        {
          kind: 'secret',
          label: (texts) => texts.operators.shownOnlyOnce,
          value: link,
          note: (texts) => texts.invitations.passOn,
        },
      ],
    },
  }
}

export const operatorActions: readonly Action[] = [
  operationAction(operatorAdd, shownOnce),
  operationAction(operatorReset, shownOnce),
  operationAction(operatorInvite, linkShownOnce),
]
