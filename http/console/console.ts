/**
 * The operator console: pages that a server makes, and forms that ask for operations. It does nothing by itself:
 * whatever is read or changed is an operation, asked for in the name and with the role of whoever is signed in.
 */
import { Readable } from 'node:stream'
import type { Context, Middleware } from 'koa'
import { OperationError, type OperationErrorCode } from '../../actors/foundation/operation.ts'
import { isAtLeast } from '../../actors/foundation/roles.ts'
import { type Dispatch, leastRole } from '../../actors/operations/dispatch.ts'
import { attention } from '../../actors/operations/overview.ts'
import { formToken, isFormToken, type Session, type Sessions } from '../../actors/people/sessions.ts'
import type { Instant } from '../../machines/time.ts'
import { blocksMarkup } from './block-markup.ts'
import type { Block, RenderContext } from './blocks.ts'
import { sessionToken } from './cookies.ts'
import { createEntry, type Entered } from './entry.ts'
import { ownPath, readForm } from './forms.ts'
import { assets, consolePolicy, type NavigationItem, renderFrame } from './layout.ts'
import { doneNotice, failureNotice, failureTitle } from './notices.ts'
import type { FormValues, PageRequest, PageView } from './page.ts'
import { actions, downloads, pages, rooms } from './rooms.ts'

export interface ConsoleOptions {
  sessions: Sessions
  dispatch: Dispatch
  /** The node's own, which makes the first administrator. */
  token: string
  clock: { now(): Instant }
  mode: string
  /** The settings in force, without secrets. */
  settings: readonly (readonly [path: string, value: string])[]
  drawing: PageRequest['drawing']
  inspection: PageRequest['inspection']
}

const statuses: Readonly<Record<OperationErrorCode, number>> = {
  invalid: 400,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  refused: 422,
}

/** Anybody may send the forms of the way in: a name, a password and where to go. */
const maxEntryBytes = 4 * 1024

interface Shown {
  view: PageView
  room: string
  failed?: RenderContext['failed']
}

/** Serves its own paths and passes on all others. */
export function consoleRoutes(options: ConsoleOptions): Middleware {
  const { sessions } = options
  const entry = createEntry(options)

  async function show(context: Context, session: Session | null, shown: Shown): Promise<void> {
    const { view, room, failed = null } = shown
    const token = session === null ? '' : formToken(sessionToken(context) ?? '')
    const from = `${context.path}${context.search}`
    context.type = 'html'
    context.body = renderFrame({
      title: view.title,
      heading: view.heading ?? view.title,
      mode: options.mode,
      operator: session,
      formToken: token,
      navigation: session === null ? [] : await navigationFor(options, session, room),
      crumb: view.crumb ?? null,
      liveSeconds: failed === null ? (view.liveSeconds ?? null) : null,
      body: blocksMarkup(view.blocks, {
        formToken: token,
        from: failed === null ? from : ownPath(failed.values.from),
        failed,
      }),
    })
  }

  async function askForSignIn(context: Context): Promise<void> {
    if (context.method === 'GET' && context.get('Live-Refresh') === '') {
      return context.redirect(`/sign-in?to=${encodeURIComponent(`${context.path}${context.search}`)}`)
    }
    context.status = 401
    const { blocks, ...view } = await entry.view('/')
    const notice: Block = {
      kind: 'notice',
      tone: 'bad',
      title: 'You are signed out',
      lines: ['Nothing was done. Sign in and do it again.'],
    }
    await show(context, null, { view: { ...view, blocks: [notice, ...blocks] }, room: '' })
  }

  async function answerEntry(context: Context, entered: Entered): Promise<void> {
    if (entered.kind === 'in') return seeOther(context, entered.to)
    context.status = entered.status
    await show(context, null, { view: entered.view, room: '' })
  }

  async function handleEntry(context: Context): Promise<void> {
    if (context.path === '/sign-in' && context.method === 'GET') {
      const to = ownPath(String(context.query.to ?? '/'))
      const { blocks, ...view } = await entry.view(to)
      const done = doneNotice(String(context.query.done ?? ''))
      return show(context, null, { view: { ...view, blocks: [...done, ...blocks] }, room: '' })
    }
    const values = await readForm(context, maxEntryBytes)
    if (values === null) return refuse(context, null, 415, 'That is no form', 'Nothing was done.')
    await answerEntry(
      context,
      await (context.path === '/sign-in' ? entry.signIn(context, values) : entry.makeFirst(context, values)),
    )
  }

  async function refuse(
    context: Context,
    session: Session | null,
    status: number,
    title: string,
    line: string,
  ) {
    context.status = status
    const blocks: Block[] = [{ kind: 'notice', tone: 'bad', title, lines: [line] }]
    await show(context, session, { view: { title, blocks }, room: '' })
  }

  async function answerForm(context: Context, session: Session, token: string): Promise<void> {
    const path = decodedPath(context)
    const action = actions.find((one) => one.path === path)
    const values = await readForm(context, action?.maxBytes)
    if (values === null) return refuse(context, session, 415, 'That is no form', 'Nothing was done.')
    if (!isFormToken(values.form_token ?? '', token)) {
      const line =
        'The form is of another session, or another site made it. Nothing was done: go back and reload.'
      return refuse(context, session, 403, 'Not from here', line)
    }
    if (path === '/sign-out' || path === '/account/sign-out-everywhere') {
      if (path !== '/sign-out') await sessions.endAll(session.name)
      await entry.signOut(context)
      return seeOther(context, '/sign-in?done=out')
    }
    if (action === undefined) return refuse(context, session, 404, 'Not found', 'There is no such form.')
    const request = requestOf(options, session, {})
    try {
      const done = await action.run(request, values)
      if (done.kind === 'show') return show(context, session, { view: done.view, room: '' })
      const to = ownPath(done.to)
      seeOther(context, `${to}${to.includes('?') ? '&' : '?'}done=${done.done}`)
    } catch (error) {
      if (!(error instanceof OperationError)) throw error
      await showFailed(context, session, path, values, error)
    }
  }

  /** The page the form was on, as it is now, with what is wrong above it and the form as it was filled in. */
  async function showFailed(
    context: Context,
    session: Session,
    action: string,
    values: FormValues,
    error: OperationError,
  ): Promise<void> {
    context.status = statuses[error.code]
    const url = new URL(ownPath(values.from), 'http://console')
    const shown = await pageAt(session, url).catch((cause: unknown) => {
      if (cause instanceof OperationError) return null
      throw cause
    })
    const view = shown?.view ?? { title: 'Not done', blocks: [] }
    const blocks = [failureNotice(error), ...view.blocks.filter(({ kind }) => kind !== 'notice')]
    await show(context, session, {
      room: shown?.room ?? '',
      view: { ...view, blocks },
      failed: { action, values },
    })
  }

  async function pageAt(session: Session, url: URL): Promise<Shown | null> {
    const found = findPage(decoded(url.pathname))
    if (found === null) return null
    if (!isAtLeast(session.role, found.page.least)) throw notYours(found.page.least, session)
    const request = requestOf(options, session, found.params, url.searchParams)
    const view = await found.page.render(request)
    const blocks = [...doneNotice(url.searchParams.get('done')), ...view.blocks]
    return { room: found.page.room, view: { ...view, blocks } }
  }

  async function answerPage(context: Context, session: Session, token: string): Promise<void> {
    try {
      if (await download(context, session, token)) return
      const shown = await pageAt(session, new URL(context.url, 'http://console'))
      if (shown !== null) return await show(context, session, shown)
      return await refuse(context, session, 404, 'Not found', 'There is nothing at this address.')
    } catch (error) {
      if (!(error instanceof OperationError)) throw error
      context.status = statuses[error.code]
      const view = { title: failureTitle(error), blocks: [failureNotice(error)] }
      await show(context, session, { view, room: '' })
    }
  }

  async function download(context: Context, session: Session, token: string): Promise<boolean> {
    const found = downloads.find(({ path }) => path === context.path)
    if (found === undefined) return false
    const request = requestOf(options, session, {}, new URL(context.url, 'http://console').searchParams)
    const parts = found.read(request)
    const first = await parts.next()
    context.set('Content-Disposition', `attachment; filename="${found.name}"`)
    context.type = found.type
    const maySee = async () => {
      const present = await sessions.find(token, false)
      return present !== null && isAtLeast(present.role, session.role)
    }
    // A file that was broken off must not look whole.
    const breakOff = () => context.res.destroy()
    context.body = Readable.from(whileAllowed(joined(first.done ? '' : first.value, parts), maySee, breakOff))
    return true
  }

  return async (context, next) => {
    const path = decodedPath(context)
    const asset = assets.get(path)
    if (asset !== undefined) {
      context.set('Cache-Control', 'public, max-age=31536000, immutable')
      context.set('X-Content-Type-Options', 'nosniff')
      context.type = asset.type
      context.body = asset.text
      return
    }
    const isEntry = path === '/sign-in' || path === '/first-administrator'
    const isPage = findPage(path) !== null || downloads.some((one) => one.path === path)
    const isForm = context.method === 'POST' && formPaths.has(path)
    const isRead = context.method === 'GET' || context.method === 'HEAD'
    if (!isEntry && !isForm && !(isPage && isRead)) return next()
    setHeaders(context)
    if (isEntry) return handleEntry(context)
    const token = sessionToken(context)
    const session = token === null ? null : await sessions.find(token, context.get('Live-Refresh') === '')
    if (token === null || session === null) return askForSignIn(context)
    context.state.operator = session.name
    if (isForm) return answerForm(context, session, token)
    return answerPage(context, session, token)
  }
}

const formPaths: ReadonlySet<string> = new Set([
  '/sign-out',
  '/account/sign-out-everywhere',
  ...actions.map(({ path }) => path),
])

function setHeaders(context: Context): void {
  context.set({
    'Content-Security-Policy': consolePolicy,
    'Cross-Origin-Opener-Policy': 'same-origin',
    // With none at all browsers send forms with the origin null, which is a stranger's.
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
  })
}

/** The answer to a form: whatever a reload asks for, it is no second time. */
function seeOther(context: Context, to: string): void {
  context.redirect(to)
  context.status = 303
}

function requestOf(
  { dispatch, clock, mode, settings, drawing, inspection }: ConsoleOptions,
  operator: Session,
  params: Readonly<Record<string, string>>,
  query = new URLSearchParams(),
): PageRequest {
  return {
    operator,
    params,
    query,
    now: clock.now(),
    mode,
    settings,
    drawing,
    inspection,
    ask: async (operation, input) =>
      // The dispatcher answers what the operation of this name returns.
      (await dispatch(operation.name, input, operator.name, operator.role)) as Awaited<
        ReturnType<typeof operation.run>
      >,
    may: (operation) => isAtLeast(operator.role, leastRole(operation)),
  }
}

async function* joined(first: string, others: AsyncGenerator<string>): AsyncGenerator<string> {
  yield first
  yield* others
}

/** A file may take long: whoever is signed out, disabled or given a lesser role meanwhile gets no more of it. */
async function* whileAllowed(
  parts: AsyncGenerator<string>,
  maySee: () => Promise<boolean>,
  breakOff: () => void,
): AsyncGenerator<string> {
  for await (const part of parts) {
    if (!(await maySee())) return breakOff()
    yield part
  }
}

function findPage(path: string) {
  for (const page of pages) {
    const match = page.path.exec(path)
    if (match !== null) return { page, params: { ...match.groups } }
  }
  return null
}

const decodedPath = (context: Context): string => decoded(context.path)

/** What cannot be decoded is the path of nothing. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return ''
  }
}

async function navigationFor(
  { dispatch, inspection, mode }: ConsoleOptions,
  { name, role }: Session,
  current: string,
): Promise<NavigationItem[]> {
  const counts = (await dispatch(attention.name, {}, name, role)) as Awaited<ReturnType<typeof attention.run>>
  const items = rooms
    .filter(({ least }) => isAtLeast(role, least))
    .map(({ name: text, href, counted }) => ({
      href,
      text,
      isCurrent: text === current,
      count: counted === undefined ? null : counts[counted],
    }))
  const least = mode === 'production' ? 'administrator' : 'operator'
  if (inspection === null || !isAtLeast(role, least)) return items
  return [...items, { href: '/inspect', text: 'Inspector', isCurrent: current === 'Inspector', count: null }]
}

function notYours(least: string, { name, role }: Session): OperationError {
  return new OperationError('forbidden', `This page is for ${least}s; ${name} is a ${role}.`)
}
