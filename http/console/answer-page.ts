/** Pages, each as it is at this moment for whoever is signed in. */
import { readFile } from 'node:fs/promises'
import type { Context } from 'koa'
import { worldNow } from '../../actors/foundation/clock.ts'
import { OperationError } from '../../actors/foundation/operation.ts'
import { isAtLeast } from '../../actors/foundation/roles.ts'
import { authorityOf } from '../../actors/operations/authority.ts'
import type { Session } from '../../actors/people/sessions.ts'
import { type Console, type Shown, seeOther, show, statuses, type Visitor, viewOf } from './answer.ts'
import type { Block } from './blocks.ts'
import { sessionToken } from './cookies.ts'
import { decoded } from './forms.ts'
import type { Crumb } from './layout.ts'
import { withParts } from './list-parts.ts'
import { withTools } from './list-tools.ts'
import { doneText, failureNotice, failureTitle } from './notices.ts'
import type { Page, PageRequest, PageView } from './page.ts'
import { pages } from './rooms.ts'
import { withSorting } from './sorting.ts'
import { toldIn } from './told.ts'

export async function answerPage(console: Console, context: Context, { session }: Visitor): Promise<void> {
  const shown = await pageAt(console, context, session, new URL(context.url, 'http://console'))
  if (shown?.view.goTo !== undefined) return seeOther(context, shown.view.goTo)
  if (shown !== null) return show(console, context, session, shown)
  await answerNothing(console, context, { session })
}

const consoleCrumb: Crumb = { href: '/', text: ({ frame }) => frame.console }

/** Nothing has this address. */
export async function answerNothing(
  console: Console,
  context: Context,
  { session }: Pick<Visitor, 'session'>,
): Promise<void> {
  context.status = 404
  const notice: Block = {
    kind: 'notice',
    tone: 'bad',
    title: ({ answers }) => answers.notFound,
    lines: [({ answers }) => answers.nothingHere],
  }
  const view: PageView = {
    title: ({ answers }) => answers.notFound,
    crumb: consoleCrumb,
    blocks: [notice],
  }
  await show(console, context, session, { view, room: '' })
}

/** Answers whatever it was that could not be read. */
export async function answerFailure(
  console: Console,
  context: Context,
  { session }: Visitor,
  error: OperationError,
): Promise<void> {
  context.status = statuses[error.code]
  const view: PageView = {
    title: failureTitle(error),
    crumb: consoleCrumb,
    blocks: [failureNotice(error)],
  }
  const room = findPage(decoded(context.path))?.page.room ?? ''
  await show(console, context, session, { view, room })
}

/**
 * `null` where there is no page.
 * @param lines of a list that is made into a file, at once; a page has a length of its own
 * @throws OperationError
 */
export async function pageAt(
  console: Console,
  context: Context,
  session: Session,
  url: URL,
  lines: number | null = null,
): Promise<Shown | null> {
  const found = findPage(decoded(url.pathname))
  if (found === null) return null
  const { page, params } = found
  if (page.isSandboxOnly === true && console.mode !== 'sandbox') return null
  if (!isAtLeast(session.role, page.least)) {
    const { name, role } = session
    throw new OperationError('forbidden', `This page is for ${page.least}s; ${name} is a ${role}.`)
  }
  const request = { ...requestOf(console, context, session, params, url.searchParams), lines }
  const view = await page.render(request)
  const sorted = withSorting(request, url.pathname, view.blocks)
  const parts = withParts(request, url.pathname, sorted)
  const tooled = view.goTo === undefined ? await withTools(request, url.pathname, parts) : parts
  const told = doneText(toldIn(url.searchParams, sessionToken(context), worldNow(console.clock)))
  // Nobody's form is taken away from under their hands.
  const { liveSeconds, ...still } = view
  const isLive = liveSeconds !== undefined && !url.searchParams.has('form')
  const more = { ...(isLive ? { liveSeconds } : {}), ...(told === null ? {} : { told }) }
  return { room: page.room, view: { ...still, ...more, blocks: tooled } }
}

/** @param path decoded */
export function findPage(path: string): { page: Page; params: Readonly<Record<string, string>> } | null {
  for (const page of pages) {
    const match = page.path.exec(path)
    if (match !== null) return { page, params: { ...match.groups } }
  }
  return null
}

export function requestOf(
  { dispatch, uploads, clock, mode, settings, drawing, inspection, people }: Console,
  context: Context,
  operator: Session,
  params: Readonly<Record<string, string>>,
  query = new URLSearchParams(),
): PageRequest {
  return {
    operator,
    prover: { name: operator.name, token: sessionToken(context) ?? '' },
    people,
    params,
    query,
    view: viewOf(context, operator),
    now: clock.now(),
    lines: null,
    mode,
    settings,
    drawing,
    inspection,
    sent: {
      async read(id, maxBytes) {
        const upload = uploads.find(id)
        return upload === null || upload.bytes > maxBytes ? null : readFile(upload.path)
      },
      drop: (id) => uploads.drop(id),
    },
    ask: async (operation, input) =>
      // The dispatcher answers what the operation of this name returns.
      (await dispatch(operation.name, input, operator.name, operator)) as Awaited<
        ReturnType<typeof operation.run>
      >,
    may: (operation) => isAtLeast(operator.role, authorityOf(operation).role),
  }
}
