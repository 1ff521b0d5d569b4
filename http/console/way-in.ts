/** What every way in has in common: how often it may be tried, what is written down, and the cookie it ends with. */
import type { Context } from 'koa'
import type { Clock } from '../../actors/foundation/clock.ts'
import type { FactorContext } from '../../actors/people/factors.ts'
import type { Sessions } from '../../actors/people/sessions.ts'
import { type Attempts, addressOf } from './attempts.ts'
import { sessionToken, setSessionToken } from './cookies.ts'
import { browserOf, rememberBrowser } from './known-browsers.ts'
import type { Said } from './view.ts'

export interface WayOptions {
  sessions: Sessions
  people: FactorContext
  /** Shared with whatever else takes a password or a factor. */
  attempts: Attempts
  clock: Clock
}

export interface Way {
  attempts: Attempts
  /** Seconds to wait before another password of this name may be tried, or `null`. */
  mustWait(context: Context, name: string): number | null
  enter(context: Context, name: string, password: string): Promise<boolean>
  noteWait(context: Context, name: string): Promise<void>
}

/** Passwords that are worked out, or wait for it, at once: some seconds of the processor. More would keep everybody waiting. */
const mostAtOnce = 20
const busySeconds = 5

export function createWay({ sessions, people, attempts }: WayOptions): Way {
  let atOnce = 0
  return {
    attempts,
    mustWait(context, name) {
      const browser = browserOf(context, people.vault, name)
      if (browser !== null) return attempts.mustWaitWith(browser)
      // Of strangers from everywhere no address has too many.
      return atOnce >= mostAtOnce ? busySeconds : attempts.mustWait(context, name)
    },
    async enter(context: Context, name: string, password: string): Promise<boolean> {
      const visit = { name, password, address: addressOf(context), agent: context.get('User-Agent') }
      atOnce++
      const made = await sessions.signIn(visit).finally(() => atOnce--)
      if (made === null) return false
      // Whatever the browser had before is no way in any more.
      const before = sessionToken(context)
      if (before !== null) await sessions.end(before)
      setSessionToken(context, made)
      rememberBrowser(context, people.vault, name)
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
