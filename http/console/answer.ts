/** What every answer of the console looks like: a view in the frame of whoever is signed in. */
import { randomUUID } from 'node:crypto'
import type { Context } from 'koa'
import { type Clock, worldNow } from '../../actors/foundation/clock.ts'
import type { OperationErrorCode } from '../../actors/foundation/operation.ts'
import { isAtLeast } from '../../actors/foundation/roles.ts'
import type { Uploads } from '../../actors/foundation/uploads.ts'
import type { Dispatch } from '../../actors/operations/dispatch.ts'
import { attention } from '../../actors/operations/overview.ts'
import type { FactorContext } from '../../actors/people/factors.ts'
import { formToken, type Session, type Sessions } from '../../actors/people/sessions.ts'
import { sandboxClock } from '../../actors/sandbox/clock.ts'
import { formatInstant } from '../../machines/time.ts'
import type { Attempts } from './attempts.ts'
import { blocksMarkup } from './block-markup.ts'
import type { Block, RenderContext, Text } from './blocks.ts'
import { sessionToken } from './cookies.ts'
import type { Entry } from './entry.ts'
import { ownPath } from './forms.ts'
import { type AheadClock, type Crumb, type NavigationItem, renderFrame } from './layout.ts'
import type { PageRequest, PageView } from './page.ts'
import { type RoomName, rooms } from './rooms.ts'
import type { SentForms } from './sent-forms.ts'
import { type Said, type View, viewFor, type Words } from './view.ts'

export interface ConsoleOptions {
  sessions: Sessions
  /** How the people of this console prove who they are. */
  people: FactorContext
  /** Shared with the operator API. */
  attempts: Attempts
  /** How long a session lives without a request. */
  idleMs: number
  dispatch: Dispatch
  uploads: Uploads
  /** The node's own, which makes the first administrator. */
  token: string
  clock: Clock
  mode: string
  /** The settings in force, without secrets. */
  settings: PageRequest['settings']
  drawing: PageRequest['drawing']
  inspection: PageRequest['inspection']
}

export type Console = ConsoleOptions & { entry: Entry; sentForms: SentForms }

/** Who asks; the token is of their session. */
export interface Visitor {
  session: Session
  token: string
}

export interface Shown {
  view: PageView
  room: RoomName | ''
  failed?: RenderContext['failed']
  /** Where its forms lead back to, unless that is its own address. */
  from?: string
}

export const statuses: Readonly<Record<OperationErrorCode, number>> = {
  invalid: 400,
  forbidden: 403,
  unproved: 403,
  asked: 202,
  not_found: 404,
  conflict: 409,
  refused: 422,
}

/** @param session `null` for nobody */
export async function show(
  console: Console,
  context: Context,
  session: Session | null,
  { view, room, failed = null, from: shownFrom }: Shown,
): Promise<void> {
  const token = session === null ? '' : formToken(sessionToken(context) ?? '')
  const from = shownFrom ?? `${context.path}${context.search}`
  const reader = viewOf(context, session)
  context.type = 'html'
  context.set({ 'Content-Language': reader.language, Vary: 'Accept-Language' })
  context.body = renderFrame({
    view: reader,
    title: view.title,
    heading: view.heading ?? view.title,
    mode: console.mode,
    sought: view.sought ?? '',
    now: formatInstant(console.clock.now()),
    aheadClock: aheadClockOf(console.clock),
    operator: session,
    formToken: token,
    idleMs: session === null ? null : console.idleMs,
    navigation: session?.standing === 'in' ? await navigationFor(console, session, room) : [],
    trail: session?.standing === 'in' ? trailTo(view, room) : [],
    told: failed === null ? (view.told ?? null) : null,
    liveSeconds: failed === null ? (view.liveSeconds ?? null) : null,
    body: blocksMarkup(view.blocks, {
      view: reader,
      formToken: token,
      formsId: randomUUID(),
      from: failed === null ? from : ownPath(failed.values.form_page),
      failed,
    }),
  })
}

/** Less than a second is what two readings of one clock differ by. */
function aheadClockOf(clock: Clock): AheadClock | null {
  const aheadMs = clock.now() - worldNow(clock)
  const movingTo = sandboxClock(clock)?.movingTo ?? null
  if (aheadMs < 1_000 && movingTo === null) return null
  return { aheadMs, movingTo: movingTo === null ? null : formatInstant(movingTo) }
}

/** From the console's first page over the room to what the page says that it is below. */
function trailTo({ crumb = [] }: PageView, room: RoomName | ''): readonly Crumb[] {
  const below = Array.isArray(crumb) ? crumb : [crumb]
  const [first] = below
  if (first === undefined) return []
  const known = [...rooms, inspectorRoom]
  const own = known.find(({ name }) => name === room)
  const isInRoom = first.href !== '/' && known.some(({ href }) => href === first.href)
  return [
    { href: '/', text: ({ frame }) => frame.console },
    ...(own === undefined || own.href === '/' || isInRoom
      ? []
      : [{ href: own.href, text: roomName(own.name) }]),
    ...below.filter(({ href }) => href !== '/'),
  ]
}

/** The session's choice, or what their browser asks for. */
export function viewOf(context: Context, session: Session | null): View {
  return viewFor(session ?? { language: null, timeZone: null }, context.get('Accept-Language'))
}

export interface Refusal {
  status: number
  title: Words
  line: Words | Text
}

export const stranger: Refusal = {
  status: 403,
  title: ({ answers }) => answers.notFromHere,
  line: ({ answers }) => answers.anotherSession,
}

/** A page that says one thing. */
export async function refuse(
  console: Console,
  context: Context,
  session: Session | null,
  { status, title, line }: Refusal,
): Promise<void> {
  context.status = status
  const blocks: Block[] = [{ kind: 'notice', tone: 'bad', title, lines: [line] }]
  await show(console, context, session, { view: { title, blocks }, room: '' })
}

/** The answer to a form: whatever a reload asks for, it is no second time. */
export function seeOther(context: Context, to: string): void {
  context.redirect(to)
  context.status = 303
}

/** There only while the inspector is on. */
const inspectorRoom = { name: 'Inspector', href: '/inspect', section: 'node' } as const

async function navigationFor(
  { dispatch, inspection, mode }: Console,
  session: Session,
  current: RoomName | '',
): Promise<NavigationItem[]> {
  const { name, role } = session
  const counts = (await dispatch(attention.name, {}, name, session)) as Awaited<
    ReturnType<typeof attention.run>
  >
  const items = rooms
    .filter(({ least, isSandboxOnly }) => isAtLeast(role, least) && (mode === 'sandbox' || !isSandboxOnly))
    .map(({ name, href, section, counted }) => ({
      href,
      section,
      text: roomName(name),
      isCurrent: name === current,
      count: counted === undefined ? null : counts[counted],
    }))
  const least = mode === 'production' ? 'administrator' : 'operator'
  if (inspection === null || !isAtLeast(role, least)) return items
  return [
    ...items,
    {
      href: inspectorRoom.href,
      section: inspectorRoom.section,
      text: roomName(inspectorRoom.name),
      isCurrent: current === inspectorRoom.name,
      count: null,
    },
  ]
}

function roomName(name: RoomName): Said {
  return ({ rooms: names }) => names[name]
}
