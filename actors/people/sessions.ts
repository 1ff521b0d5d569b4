/**
 * Sessions of signed-in operators. A token is random and only in the browser; the database keeps its digest.
 *
 * A session ends half an hour after its last request, twelve hours after it began, with a sign-out, and with
 * anything that changes who its operator is. What its operator may do is read anew with each request.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Instant } from '../../machines/time.ts'
import {
  enabledAdministrators,
  endSession,
  endSessionsOf,
  forgetSessions,
  operatorByName,
  sessionByDigest,
  touchSession,
} from '../../persistence/queries/operators.ts'
import { row, type Store } from '../../persistence/store.ts'
import type { Role } from '../foundation/roles.ts'
import type { Language } from './languages.ts'
import { isPassword } from './passwords.ts'

export const sessionTimes = { idleMs: 30 * 60_000, absoluteMs: 12 * 3_600_000 }
/** A request within this time of the one before is not written down. */
const touchEveryMs = 60_000

export interface Session {
  name: string
  role: Role
  /** What they have chosen; `null` for nothing. */
  language: Language | null
  timeZone: string | null
}

export interface Sessions {
  /** The token of a new session; `null` where name or password is wrong, or the operator is disabled. */
  signIn(input: { name: string; password: string; address: string }): Promise<string | null>
  /**
   * Who a token stands for now; `null` when for nobody.
   * @param isAsked false where nobody asked: then the session does not live longer for it.
   */
  find(token: string, isAsked?: boolean): Promise<Session | null>
  end(token: string): Promise<void>
  endAll(name: string): Promise<void>
  /** Whether nobody can sign in as an administrator: then the node's token makes the first one. */
  areMissing(): Promise<boolean>
}

export function createSessions({ store, clock }: { store: Store; clock: { now(): Instant } }): Sessions {
  return {
    async signIn({ name, password, address }) {
      // PostgreSQL cannot even look for a text with a character 0 in it, and nobody has such a name.
      const asked = name.includes('\0') ? '' : name.trim().toLowerCase()
      const [operator] = await store.query(operatorByName, { name: asked })
      const isRight = await isPassword(password, operator?.password_hash ?? null)
      if (operator === undefined || !isRight) return null
      const now = clock.now()
      const { idleMs, absoluteMs } = sessionTimes
      await store.execute(forgetSessions, { createdBefore: now - absoluteMs, seenBefore: now - idleMs })
      const token = randomBytes(32).toString('base64url')
      const begun = await store.step({
        rows: { operator: row('operators', { name: operator.name }) },
        decide: ({ operator: present }, at) => {
          // The password may have been changed while it was being worked out.
          const isStill = present?.password_hash === operator.password_hash && present.disabled_at === null
          if (!isStill) return { answer: false, writes: [] }
          const times = { created_at: at, seen_at: at }
          const values = { digest: digestOf(token), operator_name: operator.name, ...times, address }
          return {
            answer: true,
            writes: [
              { insert: 'sessions', values },
              { update: 'operators', key: { name: operator.name }, set: { signed_in_at: at } },
            ],
          }
        },
      })
      return begun.outcome === 'committed' && begun.answer ? token : null
    },
    async find(token, isAsked = true) {
      const digest = digestOf(token)
      const [session] = await store.query(sessionByDigest, { digest })
      if (session === undefined || session.disabled_at !== null) return null
      // A new password ends what began with the one before.
      if (session.created_at < session.password_at) return null
      const now = clock.now()
      const { idleMs, absoluteMs } = sessionTimes
      if (now - session.seen_at > idleMs || now - session.created_at > absoluteMs) return null
      if (isAsked && now - session.seen_at > touchEveryMs)
        await store.execute(touchSession, { digest, at: now })
      const { name, role, language, time_zone: timeZone } = session
      return { name, role, language, timeZone }
    },
    async end(token) {
      await store.execute(endSession, { digest: digestOf(token) })
    },
    async endAll(name) {
      await store.execute(endSessionsOf, { name })
    },
    async areMissing() {
      return (await store.query(enabledAdministrators, {})).length === 0
    },
  }
}

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

/** What a form of the session's own pages carries: another site can neither read nor guess it. */
export function formToken(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update('ventanilla form').digest('base64url')
}

export function isFormToken(given: string, sessionToken: string): boolean {
  const [left, right] = [digestOf(given), digestOf(formToken(sessionToken))]
  return timingSafeEqual(Buffer.from(left), Buffer.from(right))
}
