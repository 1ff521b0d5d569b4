/** The session's cookie: out of reach of scripts, and never sent by a request that another site began. */
import type { IncomingMessage } from 'node:http'
import type { Context } from 'koa'

/** Browsers keep one jar for all ports of a host, and an operator may have several nodes open. */
function cookieName({ socket }: IncomingMessage): string {
  return `ventanilla_session_${socket.localPort ?? 0}`
}

export function sessionToken(context: Context): string | null {
  return sessionTokenOf(context.req)
}

export function sessionTokenOf(request: IncomingMessage): string | null {
  const wanted = cookieName(request)
  const found = (request.headers.cookie ?? '')
    .split(';')
    .map((part) => part.trim().split('='))
    .find(([name]) => name === wanted)
  return found?.[1] !== undefined && /^[\w-]{43}$/.test(found[1]) ? found[1] : null
}

/** @param token `null` takes the cookie away. */
export function setSessionToken(context: Context, token: string | null): void {
  // Behind a proxy that speaks TLS; a browser that lies about it harms its own sign-in only.
  const isSecure = context.headers['x-forwarded-proto'] === 'https'
  const age = token === null ? '; Max-Age=0' : ''
  context.set(
    'Set-Cookie',
    `${cookieName(context.req)}=${token ?? ''}; Path=/; HttpOnly; SameSite=Strict${age}${isSecure ? '; Secure' : ''}`,
  )
}
