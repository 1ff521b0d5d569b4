/** The way in: sign-in, the first administrator, and the way out. */
import type { Context } from 'koa'
import { OperationError } from '../../actors/foundation/operation.ts'
import type { Dispatch } from '../../actors/operations/dispatch.ts'
import { operatorAdd } from '../../actors/people/operations.ts'
import { leastPasswordLength } from '../../actors/people/passwords.ts'
import type { Sessions } from '../../actors/people/sessions.ts'
import type { Instant } from '../../machines/time.ts'
import { createWindows } from '../limits/windows.ts'
import { isSameToken } from '../operator/access.ts'
import type { Block, Form, Text } from './blocks.ts'
import { sessionToken, setSessionToken } from './cookies.ts'
import { ownPath } from './forms.ts'
import type { FormValues, PageView } from './page.ts'
import type { Texts } from './texts/index.ts'
import type { Said, Words } from './view.ts'
import { told } from './wording.ts'

export interface EntryOptions {
  sessions: Sessions
  dispatch: Dispatch
  /** The node's, which makes the first administrator. */
  token: string
  clock: { now(): Instant }
}

/** What a form of the way in ends with. */
export type Entered = { kind: 'in'; to: string } | { kind: 'out'; status: number; view: PageView }

/** How many attempts there are before anybody has to wait: of one name, and from one address. */
const attempts = { windowMs: 300_000, ofName: 10, ofAddress: 30 }

const maxNameLength = 64

export interface Entry {
  view(to: string): Promise<PageView>
  signIn(context: Context, values: FormValues): Promise<Entered>
  makeFirst(context: Context, values: FormValues): Promise<Entered>
  signOut(context: Context): Promise<void>
}

export function createEntry({ sessions, dispatch, token, clock }: EntryOptions): Entry {
  const names = createWindows({ windowMs: attempts.windowMs, maxKeys: 10_000 })
  const addresses = createWindows({ windowMs: attempts.windowMs, maxKeys: 10_000 })

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

  /** Counted before the password is worked out: what comes at once is as many attempts. */
  function mustWait(context: Context, name: string): number | null {
    const now = clock.now()
    const ofAddress = addresses.count(addressOf(context), attempts.ofAddress, now)
    // A name is remembered for a while: no longer one than anybody has, and none for an address that has to wait.
    const ofName = ofAddress.isOver
      ? []
      : [names.count(name.toLowerCase().slice(0, maxNameLength), attempts.ofName, now)]
    const counted = [ofAddress, ...ofName].filter(({ isOver }) => isOver)
    return counted.length === 0 ? null : Math.ceil(Math.max(...counted.map(({ resetMs }) => resetMs)) / 1000)
  }

  async function wait(
    context: Context,
    seconds: number,
    form: { to?: string; name?: string } = {},
  ): Promise<Entered> {
    context.set('Retry-After', String(seconds))
    const minutes = Math.ceil(seconds / 60)
    const line: Said = (texts, view) => texts.entry.tryAgainIn(view.counted(minutes))
    return refused(429, (texts: Texts) => texts.entry.tooManyAttempts, [line], form)
  }

  async function enter(context: Context, name: string, password: string): Promise<boolean> {
    const made = await sessions.signIn({
      name,
      password,
      address: addressOf(context),
      agent: context.get('User-Agent'),
    })
    if (made === null) return false
    // Whatever the browser had before is no way in any more.
    const before = sessionToken(context)
    if (before !== null) await sessions.end(before)
    setSessionToken(context, made)
    return true
  }

  async function viewOf(to: string, name = ''): Promise<PageView> {
    return (await sessions.areMissing()) ? firstView : signInView(to, name.slice(0, maxNameLength))
  }

  return {
    view: (to) => viewOf(to),
    async signIn(context, { name = '', password = '', to }) {
      const path = ownPath(to)
      const form = { to: path, name }
      const seconds = mustWait(context, name)
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
      const seconds = mustWait(context, name)
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
    async signOut(context) {
      const token = sessionToken(context)
      if (token !== null) await sessions.end(token)
      setSessionToken(context, null)
    },
  }
}

/** The socket's: whoever can write headers could choose any other. */
function addressOf(context: Context): string {
  return context.req.socket.remoteAddress ?? 'unknown'
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
