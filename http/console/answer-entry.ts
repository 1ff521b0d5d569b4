/** What nobody has to be signed in for: the way in, and what is said to whoever is not in. */
import type { Context } from 'koa'
import { isFormToken } from '../../actors/people/sessions.ts'
import { type Console, type Refusal, refuse, seeOther, show, stranger, type Visitor } from './answer.ts'
import type { Block } from './blocks.ts'
import type { Entry } from './entry.ts'
import { readForm } from './form-reading.ts'
import { ownPath } from './forms.ts'
import { joinPath } from './join.ts'
import type { FormValues } from './page.ts'
import type { Entered } from './proving.ts'

/** Anybody may send the forms of the way in: a name, a password and where to go. */
const maxEntryBytes = 4 * 1024
/** Whose password was right may send what an authenticator answers. */
const maxFactorBytes = 16 * 1024

const signInPath = '/sign-in'
export const entryPaths: ReadonlySet<string> = new Set([signInPath, '/first-administrator', joinPath])

export async function answerEntry(console: Console, context: Context): Promise<void> {
  const { entry } = console
  if (context.path === signInPath && context.method === 'GET') {
    const to = ownPath(String(context.query.to ?? '/'))
    return showEntry(console, context, to, context.query.done === 'out' ? [outNotice] : [])
  }
  if (context.path === joinPath && context.method === 'GET') {
    const view = await entry.joinView(String(context.query.invitation ?? ''))
    return show(console, context, null, { view, room: '' })
  }
  const read = await readForm(context, { maxBytes: maxEntryBytes })
  if (!read.ok) return refuse(console, context, null, read)
  const { values } = read
  const entered = await ways[context.path]?.(entry, context, values)
  if (entered === undefined) return refuse(console, context, null, noWay)
  if (entered.kind === 'in') return seeOther(context, entered.to)
  context.status = entered.status
  await show(console, context, null, { view: entered.view, room: '' })
}

const outNotice: Block = { kind: 'notice', tone: 'good', title: ({ entry }) => entry.out, lines: [] }
const ways: Readonly<Record<string, (entry: Entry, ...sent: [Context, FormValues]) => Promise<Entered>>> = {
  [signInPath]: (entry, ...sent) => entry.signIn(...sent),
  '/first-administrator': (entry, ...sent) => entry.makeFirst(...sent),
  [joinPath]: (entry, ...sent) => entry.join(...sent),
}

const noWay: Refusal = {
  status: 404,
  title: ({ answers }) => answers.notFound,
  line: ({ answers }) => answers.noSuchForm,
}

/** The session of somebody who is not in yet asks for the factor first. */
export async function answerFactor(console: Console, context: Context, visitor: Visitor): Promise<void> {
  const { entry } = console
  const { session, token } = visitor
  if (context.method !== 'POST') {
    const view = await entry.factorView(visitor, ownPath(String(context.query.to ?? '/')))
    return show(console, context, session, { view, room: '' })
  }
  const read = await readForm(context, { maxBytes: maxFactorBytes })
  if (!read.ok) return refuse(console, context, session, read)
  if (!isFormToken(read.values.form_token ?? '', token)) return refuse(console, context, session, stranger)
  const entered = await entry.prove(context, visitor, read.values)
  if (entered.kind === 'in') return seeOther(context, entered.to)
  context.status = entered.status
  await show(console, context, session, { view: entered.view, room: '' })
}

export async function askForSignIn(console: Console, context: Context): Promise<void> {
  if (context.method === 'GET' && context.get('Live-Refresh') === '') {
    return context.redirect(`${signInPath}?to=${encodeURIComponent(`${context.path}${context.search}`)}`)
  }
  context.status = 401
  const notice: Block = {
    kind: 'notice',
    tone: 'bad',
    title: ({ entry }) => entry.signedOut,
    lines: [({ entry }) => entry.signInAgain],
  }
  await showEntry(console, context, '/', [notice])
}

async function showEntry(
  console: Console,
  context: Context,
  to: string,
  notices: readonly Block[],
): Promise<void> {
  const { blocks, ...view } = await console.entry.view(to)
  await show(console, context, null, { view: { ...view, blocks: [...notices, ...blocks] }, room: '' })
}
