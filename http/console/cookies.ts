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
  // The name is of our own letters alone. Nothing is split: a stranger's header may be nothing but separators.
  const pattern = new RegExp(`(?:^|;)[ \\t]*${cookieName(request)}=([\\w-]{43})[ \\t]*(?:;|$)`)
  return pattern.exec(request.headers.cookie ?? '')?.[1] ?? null
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
