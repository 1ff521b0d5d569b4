/** What each operator does about themselves. */
import { byDefault, operatorSetOwn } from '../../../actors/people/language-operations.ts'
import { operatorPassword } from '../../../actors/people/operations.ts'
import { type SessionDocument, sessionEnd, sessionList } from '../../../actors/people/session-operations.ts'
import type { Block } from '../blocks.ts'
import { time } from '../cells.ts'
import { oneOf, operationAction, operationForm } from '../forms.ts'
import type { Action, Page, PageRequest } from '../page.ts'
import { named } from '../readable.ts'
import type { Texts } from '../texts/index.ts'
import type { View } from '../view.ts'
import { factorBlocks } from './factors.ts'

export const accountPage: Page = {
  path: /^\/account$/,
  least: 'viewer',
  room: '',
  async render(request) {
    const { ask, operator, view } = request
    const { sessions } = await ask(sessionList, {})
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
        ...(await factorBlocks(request)),
        ...sessionBlocks(request, sessions),
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
  const { view, operator } = request
  const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]
  const known = zones.includes(view.zone) ? zones : [view.zone, ...zones]
  return operationForm(request, operatorSetOwn, {
    title: (texts) => texts.operators.languageAndZone,
    lead: (texts) => texts.operators.ofAllPages,
    button: (texts) => texts.operators.change,
    isMain: true,
    fields: ['language', 'zone'],
    adjusted: {
      language: { value: operator.language ?? byDefault, isOptional: false },
      zone: { ...oneOf(known), value: view.zone, isOptional: false },
    },
  })
}

function sessionBlocks(request: PageRequest, sessions: readonly SessionDocument[]): Block[] {
  const others = sessions.filter(({ id }) => id !== request.operator.id)
  const table: Block = {
    kind: 'table',
    label: (texts) => texts.account.sessions,
    empty: (texts) => texts.account.noSessions,
    columns: [
      { label: (texts) => texts.account.browser },
      { label: (texts) => texts.account.address },
      { label: (texts) => texts.account.began },
      { label: (texts) => texts.account.lastSeen },
    ],
    rows: sessions.map((session) => [
      {
        text: (texts) => browserName(session.browser, texts),
        ...(session.id === request.operator.id ? { note: (texts) => texts.account.thisOne } : {}),
      },
      session.address,
      time(session.began),
      time(session.lastSeen),
    ]),
  }
  const heading: Block = { kind: 'heading', text: (texts) => texts.account.sessions }
  if (others.length === 0) return [heading, table]
  const told = (session: SessionDocument) => (texts: Texts, view: View) =>
    texts.account.sessionOf(browserName(session.browser, texts), session.address, view.time(session.began))
  const form = operationForm(request, sessionEnd, {
    title: (texts) => texts.account.endASession,
    button: (texts) => texts.account.end,
    fields: ['id'],
    adjusted: {
      id: {
        label: (texts) => texts.account.session,
        type: 'select',
        options: others.map((session) => [session.id, told(session)] as const),
      },
    },
  })
  return [heading, table, ...form]
}

/** Of what a browser says it is, what people call it: the longest-lived names come last in it. */
function browserName(agent: string, { account }: Texts): string {
  const browser = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari', 'curl'].find((name) => agent.includes(name))
  const system = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS X', 'Linux'].find((name) =>
    agent.includes(name),
  )
  const told = [browser === 'Edg' ? 'Edge' : browser === 'OPR' ? 'Opera' : browser, system]
  return told.filter((part) => part !== undefined).join(', ') || account.unknownBrowser
}

export const accountActions: readonly Action[] = [
  { ...operationAction(operatorPassword, () => ({ kind: 'go', to: '/sign-in' })), isProof: true },
]
