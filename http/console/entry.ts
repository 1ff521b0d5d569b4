/** The way in: sign-in, the first administrator, and the way out. */
import type { Context } from 'koa'
import { OperationError } from '../../actors/foundation/operation.ts'
import type { Dispatch } from '../../actors/operations/dispatch.ts'
import { operatorAdd } from '../../actors/people/operations.ts'
import { leastPasswordLength } from '../../actors/people/passwords.ts'
import { isSameToken } from '../operator/access.ts'
import { maxNameLength } from './attempts.ts'
import type { Block, Form, Text } from './blocks.ts'
import { sessionToken, setSessionToken } from './cookies.ts'
import { ownPath } from './forms.ts'
import type { FormValues, PageView } from './page.ts'
import { createProving, type Entered, type Proving } from './proving.ts'
import type { Texts } from './texts/index.ts'
import type { Words } from './view.ts'
import { createWay, type WayOptions, waitLine } from './way-in.ts'
import { told } from './wording.ts'

export interface EntryOptions extends WayOptions {
  dispatch: Dispatch
  /** The node's, which makes the first administrator. */
  token: string
}

export interface Entry extends Proving {
  view(to: string): Promise<PageView>
  signIn(context: Context, values: FormValues): Promise<Entered>
  makeFirst(context: Context, values: FormValues): Promise<Entered>
  signOut(context: Context): Promise<void>
}

export function createEntry(options: EntryOptions): Entry {
  const { sessions, dispatch, token } = options
  const way = createWay(options)
  const { enter } = way

  async function refused(
    status: number,
    title: Words,
    lines: readonly (Words | Text)[],
    { to = '/', name = '' }: { to?: string; name?: string } = {},
  ): Promise<Entered> {
    const { blocks, ...view } = await viewOf(to, name)
    const notice: Block = { kind: 'notice', tone: 'bad', title, lines }
    return { kind: 'out', status, view: { ...view, blocks: [notice, ...blocks] } }
  }

  async function wait(
    context: Context,
    seconds: number,
    form: { to?: string; name?: string } = {},
  ): Promise<Entered> {
    const line = waitLine(context, seconds)
    await way.noteWait(context, form.name ?? '')
    return refused(429, (texts: Texts) => texts.entry.tooManyAttempts, [line], form)
  }

  async function viewOf(to: string, name = ''): Promise<PageView> {
    return (await sessions.areMissing()) ? firstView : signInView(to, name.slice(0, maxNameLength))
  }

  return {
    view: (to) => viewOf(to),
    async signIn(context, { name = '', password = '', to }) {
      const path = ownPath(to)
      const form = { to: path, name }
      const seconds = way.mustWait(context, name)
      if (seconds !== null) return wait(context, seconds, form)
      if (await enter(context, name, password)) return { kind: 'in', to: path }
      return refused(
        401,
        (texts: Texts) => texts.entry.notSignedIn,
        [(texts: Texts) => texts.entry.theNameOrPasswordIs],
        form,
      )
    },
    async makeFirst(context, { name = '', password = '', node_token = '' }) {
      const seconds = way.mustWait(context, name)
      if (seconds !== null) return wait(context, seconds)
      if (!(await sessions.areMissing())) {
        return refused(409, (texts: Texts) => texts.entry.thereIsAnAdministratorAlready, [
          (texts: Texts) => texts.entry.theyCanAddYou,
        ])
      }
      if (!isSameToken(node_token, token)) {
        return refused(401, (texts: Texts) => texts.entry.notMade, [
          (texts: Texts) => texts.entry.thisIsNotTheNodes,
        ])
      }
      try {
        await dispatch(operatorAdd.name, { name: name.toLowerCase(), role: 'administrator', password }, name)
      } catch (error) {
        if (!(error instanceof OperationError)) throw error
        return refused(
          400,
          (texts: Texts) => texts.entry.notMade,
          [error.message, ...error.details].map((text) => told(text)),
        )
      }
      await enter(context, name, password)
      return { kind: 'in', to: '/' }
    },
    ...createProving(options, way),
    async signOut(context) {
      const token = sessionToken(context)
      if (token !== null) await sessions.end(token)
      setSessionToken(context, null)
    },
  }
}

/** @param name as it was sent, so that after a wrong password only that is written again */
function signInView(to: string, name: string): PageView {
  const form: Form = {
    action: '/sign-in',
    title: (texts) => texts.entry.signIn,
    button: (texts) => texts.entry.signIn,
    isMain: true,
    hidden: { to },
    fields: [
      {
        name: 'name',
        label: (texts) => texts.common.name,
        type: 'text',
        autocomplete: 'username',
        maxLength: maxNameLength,
        value: name,
        isFocused: name === '',
      },
      {
        name: 'password',
        label: (texts) => texts.entry.password,
        type: 'password',
        autocomplete: 'current-password',
        maxLength: 200,
        isFocused: name !== '',
      },
    ],
  }
  return { title: (texts) => texts.entry.signIn, blocks: [{ kind: 'form', form }] }
}

const firstView: PageView = {
  title: (texts) => texts.entry.theFirstAdministrator,
  blocks: [
    {
      kind: 'text',
      text: (texts) => texts.entry.firstCreateAnOperatorWhoever,
    },
    {
      kind: 'form',
      form: {
        action: '/first-administrator',
        title: (texts) => texts.entry.createTheFirstAdministrator,
        button: (texts) => texts.entry.createAndSignIn,
        isMain: true,
        hidden: {},
        fields: [
          {
            name: 'node_token',
            label: (texts) => texts.entry.theNodesToken,
            type: 'password',
            autocomplete: 'off',
            maxLength: 200,
            isFocused: true,
          },
          {
            name: 'name',
            label: (texts) => texts.entry.yourName,
            type: 'text',
            autocomplete: 'username',
            hint: (texts) => texts.entry.lettersDigitsAndForExample,
            maxLength: 64,
          },
          {
            name: 'password',
            label: (texts) => texts.entry.aPassword,
            type: 'password',
            autocomplete: 'new-password',
            hint: (texts) => texts.entry.atLeastCharactersAFew(leastPasswordLength),
            maxLength: 200,
          },
        ],
      },
    },
  ],
}
