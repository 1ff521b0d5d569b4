/** Forms of whoever is signed in: each asks for one operation, and is shown again where it could not be done. */
import type { Context } from 'koa'
import { OperationError } from '../../actors/foundation/operation.ts'
import { isFormToken } from '../../actors/people/sessions.ts'
import { type Console, type Refusal, refuse, seeOther, show, statuses, type Visitor } from './answer.ts'
import { decoded, pageAt, requestOf } from './answer-page.ts'
import { type ReadForm, readForm } from './form-reading.ts'
import { ownPath } from './forms.ts'
import { failureNotice } from './notices.ts'
import type { Action, Done, FormValues } from './page.ts'
import { actions } from './rooms.ts'
import { formIdField } from './sent-forms.ts'
import type { Texts } from './texts/index.ts'
import { withTold } from './told.ts'

const signOutPath = '/sign-out'
const signOutEverywherePath = '/account/sign-out-everywhere'

/** Decoded, as they are asked for. */
export const formPaths: ReadonlySet<string> = new Set([
  signOutPath,
  signOutEverywherePath,
  ...actions.map(({ path }) => path),
])

const stranger: Refusal = {
  status: 403,
  title: ({ answers }) => answers.notFromHere,
  line: ({ answers }) => answers.anotherSession,
}

const sentBefore: Refusal = {
  status: 409,
  title: ({ answers }) => answers.sentAlready,
  line: ({ answers }) => answers.carriedOutOnce,
}

export async function answerForm(console: Console, context: Context, visitor: Visitor): Promise<void> {
  const { session, token } = visitor
  const path = decoded(context.path)
  const action = actions.find((one) => one.path === path)
  const read = await readSent(console, context, action)
  if (!read.ok) return refuse(console, context, session, read)
  const { values } = read
  if (!isFormToken(values.form_token ?? '', token)) {
    await dropFile(console, action, values)
    return refuse(console, context, session, stranger)
  }
  if (path === signOutPath || path === signOutEverywherePath) {
    if (path === signOutEverywherePath) await console.sessions.endAll(session.name)
    await console.entry.signOut(context)
    return seeOther(context, '/sign-in?done=out')
  }
  if (action !== undefined) return run(console, context, visitor, action, values)
  await refuse(console, context, session, noSuchForm)
}

const noSuchForm: Refusal = {
  status: 404,
  title: ({ answers }) => answers.notFound,
  line: ({ answers }) => answers.noSuchForm,
}

function readSent({ uploads }: Console, context: Context, action: Action | undefined): Promise<ReadForm> {
  const { maxBytes, file } = action ?? {}
  return readForm(context, {
    ...(maxBytes === undefined ? {} : { maxBytes }),
    ...(file === undefined ? {} : { file: { ...file, uploads } }),
  })
}

async function run(
  console: Console,
  context: Context,
  visitor: Visitor,
  action: Action,
  values: FormValues,
): Promise<void> {
  const { session } = visitor
  const { sentForms } = console
  const id = values[formIdField] ?? ''
  const isHeld = id !== ''
  if (isHeld && !sentForms.begin(id)) {
    await dropFile(console, action, values)
    return refuse(console, context, session, sentBefore)
  }
  let isCarriedOut = false
  try {
    const done = await action.run(requestOf(console, context, session, {}), values)
    isCarriedOut = !isOnlyShown(values) && done.kind !== 'file'
    if (done.kind === 'file') return give(context, done)
    if (done.kind === 'show') return await show(console, context, session, { view: done.view, room: '' })
    const to = ownPath(done.to ?? values.form_page)
    const told = { name: done.isUnfinished ? 'unfinished' : action.name, at: console.clock.now() }
    seeOther(context, done.isUntold ? to : withTold(to, visitor.token, told))
  } catch (error) {
    await dropFile(console, action, values)
    if (!(error instanceof OperationError)) throw error
    await showFailed(console, context, visitor, { action: action.path, values }, error)
  } finally {
    if (isHeld && !isCarriedOut) sentForms.forget(id)
  }
}

function give(context: Context, { name, type, bytes }: Extract<Done, { kind: 'file' }>): void {
  context.set('Content-Disposition', `attachment; filename="${name.replace(/[^\w.-]/g, '')}"`)
  context.type = type
  context.body = Buffer.from(bytes)
}

/** Of a form that came to nothing. */
async function dropFile({ uploads }: Console, action: Action | undefined, values: FormValues): Promise<void> {
  if (action?.file !== undefined) await uploads.drop(values[action.file.name] ?? '')
}

/** What would be is asked for with the same form as what is. */
const isOnlyShown = ({ dryRun = '' }: FormValues): boolean => dryRun !== ''

/** The page the form was on, as it is now, with what is wrong above it and the form as it was filled in. */
async function showFailed(
  console: Console,
  context: Context,
  { session }: Visitor,
  failed: { action: string; values: FormValues },
  error: OperationError,
): Promise<void> {
  context.status = statuses[error.code]
  const url = new URL(ownPath(failed.values.form_page), 'http://console')
  const shown = await pageAt(console, context, session, url).catch((cause: unknown) => {
    if (cause instanceof OperationError) return null
    throw cause
  })
  const view = shown?.view ?? { title: ({ answers }: Texts) => answers.notDone, blocks: [] }
  const blocks = [failureNotice(error), ...view.blocks.filter(({ kind }) => kind !== 'notice')]
  const told = { ...failed, details: error.details }
  await show(console, context, session, { room: shown?.room ?? '', view: { ...view, blocks }, failed: told })
}
