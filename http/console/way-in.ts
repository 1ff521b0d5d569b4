/** What every way in has in common: how often it may be tried, what is written down, and the cookie it ends with. */
import type { Context } from 'koa'
import type { FactorContext } from '../../actors/people/factors.ts'
import type { Sessions } from '../../actors/people/sessions.ts'
import type { Instant } from '../../machines/time.ts'
import { type Attempts, addressOf, createAttempts } from './attempts.ts'
import { sessionToken, setSessionToken } from './cookies.ts'
import type { Said } from './view.ts'

export interface WayOptions {
  sessions: Sessions
  people: FactorContext
  clock: { now(): Instant }
}

export interface Way {
  attempts: Attempts
  enter(context: Context, name: string, password: string): Promise<boolean>
  noteWait(context: Context, name: string): Promise<void>
}

export function createWay({ sessions, clock }: WayOptions): Way {
  const attempts = createAttempts(clock)
  return {
    attempts,
    async enter(context: Context, name: string, password: string): Promise<boolean> {
      const made = await sessions.signIn({
        name,
        password,
        address: addressOf(context),
        agent: context.get('User-Agent'),
      })
      if (made === null) return false
      // Whatever the browser had before is no way in any more.
      const before = sessionToken(context)
      if (before !== null) await sessions.end(before)
      setSessionToken(context, made)
      return true
    },
    async noteWait(context: Context, name: string): Promise<void> {
      const refused = { name, address: addressOf(context), reason: 'Too many attempts.' }
      if (attempts.isNews(context, name)) await sessions.noteRefusal(refused)
    },
  }
}

export function waitLine(context: Context, seconds: number): Said {
  context.set('Retry-After', String(seconds))
  return (texts, view) => texts.entry.tryAgainIn(view.counted(Math.ceil(seconds / 60)))
}
