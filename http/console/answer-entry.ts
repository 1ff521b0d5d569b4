/** What nobody has to be signed in for: the way in, and what is said to whoever is not in. */
import type { Context } from 'koa'
import { type Console, refuse, seeOther, show } from './answer.ts'
import type { Block } from './blocks.ts'
import { readForm } from './form-reading.ts'
import { ownPath } from './forms.ts'

/** Anybody may send the forms of the way in: a name, a password and where to go. */
const maxEntryBytes = 4 * 1024

const signInPath = '/sign-in'
export const entryPaths: ReadonlySet<string> = new Set([signInPath, '/first-administrator'])

export async function answerEntry(console: Console, context: Context): Promise<void> {
  const { entry } = console
  if (context.path === signInPath && context.method === 'GET') {
    const to = ownPath(String(context.query.to ?? '/'))
    return showEntry(console, context, to, context.query.done === 'out' ? [outNotice] : [])
  }
  const read = await readForm(context, { maxBytes: maxEntryBytes })
  if (!read.ok) return refuse(console, context, null, read)
  const { values } = read
  const isSignIn = context.path === signInPath
  const entered = await (isSignIn ? entry.signIn(context, values) : entry.makeFirst(context, values))
  if (entered.kind === 'in') return seeOther(context, entered.to)
  context.status = entered.status
  await show(console, context, null, { view: entered.view, room: '' })
}

const outNotice: Block = { kind: 'notice', tone: 'good', title: ({ entry }) => entry.out, lines: [] }

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
