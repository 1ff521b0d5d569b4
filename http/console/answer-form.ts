/** Forms of whoever is signed in: each asks for one operation, and is shown again where it could not be done. */
import type { Context } from 'koa'
import { worldNow } from '../../actors/foundation/clock.ts'
import { parseJson } from '../../actors/foundation/json-text.ts'
import { OperationError } from '../../actors/foundation/operation.ts'
import { sandboxNames } from '../../actors/operations/index.ts'
import { isFormToken } from '../../actors/people/sessions.ts'
import {
  type Console,
  type Refusal,
  refuse,
  seeOther,
  show,
  statuses,
  stranger,
  type Visitor,
} from './answer.ts'
import { findPage, pageAt, requestOf } from './answer-page.ts'
import { type ReadForm, readForm } from './form-reading.ts'
import { decoded, ownPath } from './forms.ts'
import { failureNotice } from './notices.ts'
import type { Action, Done, FormValues } from './page.ts'
import { actions } from './rooms.ts'
import { confirmPath, factorView } from './second-factor.ts'
import { formIdField } from './sent-forms.ts'
import { withDoing } from './shown-first.ts'
import type { Texts } from './texts/index.ts'
import { withTold } from './told.ts'
import type { Words } from './view.ts'

const signOutPath = '/sign-out'
const signOutEverywherePath = '/account/sign-out-everywhere'

/** Decoded, as they are asked for. */
export const formPaths: ReadonlySet<string> = new Set([
  signOutPath,
  signOutEverywherePath,
  confirmPath,
  ...actions.map(({ path }) => path),
])

const sentBefore: Refusal = {
  status: 409,
  title: ({ answers }) => answers.sentAlready,
  line: ({ answers }) => answers.carriedOutOnce,
}

export async function answerForm(console: Console, context: Context, visitor: Visitor): Promise<void> {
  const { session, token } = visitor
  const path = decoded(context.path)
  const action = actions.find((one) => one.path === path && isKnown(console, one))
  const read = await readSent(
    console,
    context,
    path === confirmPath ? { maxBytes: maxHeldBytes } : (action ?? {}),
  )
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
  if (path === confirmPath) return confirm(console, context, visitor, values)
  if (action !== undefined) return run(console, context, visitor, action, values)
  await refuse(console, context, session, noSuchForm)
}

/** What only a sandbox has is no form of any other node. */
function isKnown({ mode }: Console, { name }: { name: string }): boolean {
  return mode === 'sandbox' || !sandboxNames.has(name)
}

const noSuchForm: Refusal = {
  status: 404,
  title: ({ answers }) => answers.notFound,
  line: ({ answers }) => answers.noSuchForm,
}

function readSent(
  { uploads }: Console,
  context: Context,
  { maxBytes, file }: Pick<Action, 'maxBytes' | 'file'>,
): Promise<ReadForm> {
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
  const wait = action.isProof === true ? await console.entry.mustWait(context, visitor) : null
  if (wait !== null)
    return refuse(console, context, session, {
      status: 429,
      title: ({ entry }) => entry.tooManyAttempts,
      line: wait,
    })
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
    if (done.kind === 'show') {
      const view = isOnlyShown(values) ? withDoing(done, action, values) : done.view
      const from = ownPath(values.form_page)
      // What is a page itself, as the search is, has its own place.
      const shownOn = findPage(action.path) ?? findPage(decoded(new URL(from, 'http://console').pathname))
      const room = shownOn?.page.room ?? ''
      return await show(console, context, session, { view, room, from })
    }
    const to = ownPath(done.to ?? values.form_page)
    const told = { name: done.isUnfinished ? 'unfinished' : action.name, at: worldNow(console.clock) }
    seeOther(context, done.isUntold ? to : withTold(to, visitor.token, told))
  } catch (error) {
    const isHeldBack = error instanceof OperationError && error.code === 'unproved'
    if (isHeldBack) return await askToConfirm(console, context, visitor, { path: action.path, values })
    await dropFile(console, action, values)
    if (!(error instanceof OperationError)) throw error
    await showFailed(console, context, visitor, { action: action.path, values }, error)
  } finally {
    if (isHeld && !isCarriedOut) sentForms.forget(id)
  }
}

/** What an `apply` file may have, and what is said around it. */
const maxHeldBytes = 25 * 1024 * 1024

interface Held {
  path: string
  values: FormValues
}

/** What was asked for is held by the page that asks for the factor, and carried out once it was right. */
async function askToConfirm(
  console: Console,
  context: Context,
  { session, token }: Visitor,
  { path, values }: Held,
  problem?: Words,
): Promise<void> {
  // No password is ever written on a page: whatever has one is asked for again.
  const kept = Object.entries(values).filter(([name]) => name !== 'form_token' && !/password/i.test(name))
  const view = await factorView(
    console,
    { name: session.name, token },
    {
      action: confirmPath,
      title: (texts) => texts.factors.confirm,
      lead: (texts) => texts.factors.confirmLead,
      hidden: { held_path: path, held: JSON.stringify(kept) },
      ...(problem === undefined ? {} : { problem }),
    },
  )
  context.status = 403
  await show(console, context, session, { view, room: '' })
}

async function confirm(
  console: Console,
  context: Context,
  visitor: Visitor,
  values: FormValues,
): Promise<void> {
  const held = heldBy(values)
  const action = actions.find(({ path }) => path === held?.path)
  if (held === null || action === undefined) return refuse(console, context, visitor.session, noSuchForm)
  const entered = await console.entry.confirm(context, visitor, values)
  if (!entered.ok) return askToConfirm(console, context, visitor, held, entered.problem)
  const session = await console.sessions.find(visitor.token)
  if (session === null) return refuse(console, context, null, stranger)
  await run(console, context, { ...visitor, session }, action, held.values)
}

/** As this page's own form said it: it is the visitor's, and says no more than they could send at once. */
function heldBy({ held_path: path = '', held = '' }: FormValues): Held | null {
  const read = parseJson(held)
  const pairs = read.ok && Array.isArray(read.value) ? (read.value as unknown[]) : null
  if (pairs === null || !pairs.every(isPair)) return null
  return { path, values: Object.fromEntries(pairs) }
}

function isPair(value: unknown): value is [string, string] {
  return Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string')
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
  const notice = failureNotice(error)
  const blocks = [notice, ...view.blocks.filter(({ kind }) => kind !== 'notice')]
  const told = { ...failed, details: error.details, notice }
  await show(console, context, session, { room: shown?.room ?? '', view: { ...view, blocks }, failed: told })
}
