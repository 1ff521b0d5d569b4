/**
 * The operator console: pages that a server makes, and forms that ask for operations. It does nothing by itself:
 * whatever is read or changed is an operation, asked for in the name and with the role of whoever is signed in.
 */
import type { Context, Middleware } from 'koa'
import { OperationError } from '../../actors/foundation/operation.ts'
import { type Console, type ConsoleOptions, seeOther, type Visitor } from './answer.ts'
import { answerDownload, findDownload } from './answer-download.ts'
import { answerEntry, answerFactor, askForSignIn, entryPaths } from './answer-entry.ts'
import { answerForm, formPaths } from './answer-form.ts'
import { answerFailure, answerNothing, answerPage, findPage } from './answer-page.ts'
import { sessionToken } from './cookies.ts'
import { createEntry } from './entry.ts'
import { decoded } from './forms.ts'
import { assets, consolePolicy } from './layout.ts'
import { enrolmentPaths, mustEnrolPath } from './pages/factors.ts'
import { factorPath, idlePath } from './second-factor.ts'
import { SentForms } from './sent-forms.ts'

/** Serves its own paths and passes on all others. */
export function consoleRoutes(options: ConsoleOptions): Middleware {
  const console: Console = { ...options, entry: createEntry(options), sentForms: new SentForms() }

  return async (context, next) => {
    if (serveAsset(context)) return
    const path = decoded(context.path)
    const isEntry = entryPaths.has(path)
    const isFactor = path === factorPath || path === idlePath
    const isForm = context.method === 'POST' && formPaths.has(path)
    const isRead = context.method === 'GET' || context.method === 'HEAD'
    const isPage = isRead && (findPage(path) !== null || findDownload(path) !== null)
    if (!isEntry && !isFactor && !isForm && !isPage) {
      await next()
      return isRead ? answerUnknown(console, context) : undefined
    }
    setHeaders(context)
    if (isEntry) return answerEntry(console, context)
    const visitor = await visitorOf(console, context)
    if (visitor === null) return askForSignIn(console, context)
    context.state.operator = visitor.session.name
    if (path === idlePath) return answerIdle(console, context, visitor)
    const elsewhere = wayOf(visitor, path, context)
    if (elsewhere !== null)
      return context.method === 'POST' ? seeOther(context, elsewhere) : context.redirect(elsewhere)
    if (path === factorPath) return answerFactor(console, context, visitor)
    return isForm ? answerForm(console, context, visitor) : answerRead(console, context, visitor)
  }
}

/** Somebody has written or kept an address of nothing: they are told so by a page that leads on. Programs get their own answer. */
async function answerUnknown(console: Console, context: Context): Promise<void> {
  const isRouted = (context.matched ?? []).length > 0
  if (context.status !== 404 || isRouted || context.accepts('json', 'html') !== 'html') return
  setHeaders(context)
  const visitor = await visitorOf(console, context)
  if (visitor === null || visitor.session.standing !== 'in') return askForSignIn(console, context)
  return answerNothing(console, context, visitor)
}

async function visitorOf({ sessions }: Console, context: Context): Promise<Visitor | null> {
  const token = sessionToken(context)
  if (token === null) return null
  const session = await sessions.look(token, context.get('Live-Refresh') === '')
  return session === null ? null : { session, token }
}

/** How long the session lives if nobody asks for anything: the page warns before. */
async function answerIdle({ sessions }: Console, context: Context, { token }: Visitor): Promise<void> {
  context.body = { idleMs: await sessions.idleLeftMs(token) }
}

const signOutPath = '/sign-out'

/** Where somebody is led who is not in yet, and who is in and asks for the way in; `null` where they may be there. */
function wayOf({ session }: Visitor, path: string, context: Context): string | null {
  if (session.standing === 'in') return path === factorPath ? '/' : null
  if (path === signOutPath) return null
  if (session.standing === 'enrolment') return enrolmentPaths.has(path) ? null : mustEnrolPath
  if (path === factorPath) return null
  const to = context.method === 'GET' ? `${context.path}${context.search}` : '/'
  return `${factorPath}?to=${encodeURIComponent(to)}`
}

async function answerRead(console: Console, context: Context, visitor: Visitor): Promise<void> {
  const download = findDownload(decoded(context.path))
  try {
    if (download === null) await answerPage(console, context, visitor)
    else await answerDownload(console, context, visitor, download)
  } catch (error) {
    if (!(error instanceof OperationError)) throw error
    await answerFailure(console, context, visitor, error)
  }
}

function serveAsset(context: Context): boolean {
  const asset = assets.get(context.path)
  if (asset === undefined) return false
  context.set({
    'Cache-Control': 'public, max-age=31536000, immutable',
    'X-Content-Type-Options': 'nosniff',
  })
  context.type = asset.type
  context.body = asset.text
  return true
}

function setHeaders(context: Context): void {
  context.set({
    'Content-Security-Policy': consolePolicy,
    'Cross-Origin-Opener-Policy': 'same-origin',
    // With none at all browsers send forms with the origin null, which is a stranger's.
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
  })
}
