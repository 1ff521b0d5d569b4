/** The console's cookies: out of reach of scripts, and never sent by a request that another site began. */
import type { IncomingMessage } from 'node:http'
import type { Context } from 'koa'

/** Browsers keep one jar for all ports of a host, and an operator may have several nodes open. */
function cookieName(kind: 'session' | 'browser', { socket }: IncomingMessage): string {
  return `ventanilla_${kind}_${socket.localPort ?? 0}`
}

/** Nothing is split: a stranger's header may be nothing but separators. */
function cookieOf(request: IncomingMessage, kind: 'session' | 'browser', value: string): string | null {
  // The name is of our own letters alone.
  const pattern = new RegExp(`(?:^|;)[ \\t]*${cookieName(kind, request)}=(${value})[ \\t]*(?:;|$)`)
  return pattern.exec(request.headers.cookie ?? '')?.[1] ?? null
}

export function sessionToken(context: Context): string | null {
  return sessionTokenOf(context.req)
}

export function sessionTokenOf(request: IncomingMessage): string | null {
  return cookieOf(request, 'session', '[\\w-]{43}')
}

/** @param token `null` takes the cookie away. */
export function setSessionToken(context: Context, token: string | null): void {
  const age = token === null ? '; Max-Age=0' : ''
  context.append(
    'Set-Cookie',
    written(context, `${cookieName('session', context.req)}=${token ?? ''}; Path=/${age}`),
  )
}

/** A quarter of a year, from each sign-in that makes one. */
const browserSeconds = 90 * 86_400

/** What marks a browser that somebody has signed in with. */
export function knownBrowser({ req }: Context): string | null {
  return cookieOf(req, 'browser', 'v1\\.[\\w-]{40,200}')
}

export function addKnownBrowser(context: Context, sealed: string): void {
  const cookie = `${cookieName('browser', context.req)}=${sealed}; Path=/sign-in; Max-Age=${browserSeconds}`
  context.append('Set-Cookie', written(context, cookie))
}

function written({ headers }: Context, cookie: string): string {
  // Behind a proxy that speaks TLS; a browser that lies about it harms its own sign-in only.
  const isSecure = headers['x-forwarded-proto'] === 'https'
  return `${cookie}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
}
