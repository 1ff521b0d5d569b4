/**
 * Sessions of signed-in operators. A token is random and only in the browser; the database keeps its digest.
 *
 * A session ends some time after its last request, some time after it began, with a sign-out, and with anything that changes who
 * its operator is. What its operator may do is read anew with each request. Who has a second factor is in once it was right, too.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Instant } from '../../machines/time.ts'
import { beginAudit } from '../../persistence/queries/operations.ts'
import {
  enabledAdministrators,
  endSession,
  endSessionsOf,
  forgetSessions,
  operatorByName,
  sessionByDigest,
  touchSession,
} from '../../persistence/queries/people.ts'
import { type Row, row, type Store, type Write } from '../../persistence/store.ts'
import { type Clock, worldAge, worldAgo } from '../foundation/clock.ts'
import { operatorRole, type Role } from '../foundation/roles.ts'
import type { Language } from './languages.ts'
import { isPassword } from './passwords.ts'
import { noted } from './written.ts'

export interface SessionTimes {
  idleMs: number
  absoluteMs: number
}

export const sessionTimes: SessionTimes = { idleMs: 30 * 60_000, absoluteMs: 12 * 3_600_000 }
/** A request within this time of the one before is not written down. */
const touchEveryMs = 60_000
/** By more than this the clocks of a node's hosts do not differ: what began later began by a clock that was wrong. */
export const mostAheadMs = 60_000

/** How long a second factor counts as fresh. */
const freshFactorMs = 5 * 60_000

export function isFresh(factorAt: Instant | null, clock: Clock): boolean {
  // In the future it was at a time that a clock has taken back since: nobody knows how long ago.
  return factorAt !== null && Math.abs(worldAge(clock, factorAt)) <= freshFactorMs
}

/** Whether it began with what proves its person now: a new password, and any other set of factors, end all others. */
export function isCurrent(
  session: Pick<Row<'sessions'>, 'person_revision'>,
  person: Pick<Row<'people'>, 'revision'>,
): boolean {
  return session.person_revision === person.revision
}

export interface Session {
  /** What its person calls it by; it opens nothing. */
  id: string
  name: string
  role: Role
  /** What they have chosen; `null` for nothing. */
  language: Language | null
  timeZone: string | null
  hasFactor: boolean
  /** When a second factor was last right in it; `null` for never. */
  factorAt: Instant | null
  standing: Standing
}

/** What is missing until the session's operator is in: the second factor, or to have one. */
export type Standing = 'in' | 'factor' | 'enrolment'

export interface Visit {
  name: string
  password: string
  address: string
  /** What the browser says it is. */
  agent?: string
}

export interface Sessions {
  /** The token of a new session; `null` where name or password is wrong, or the operator is disabled. */
  signIn(visit: Visit): Promise<string | null>
  /**
   * Who a token stands for now; `null` when for nobody, or for somebody who is not in yet.
   * @param isAsked false where nobody asked: then the session does not live longer for it.
   */
  find(token: string, isAsked?: boolean): Promise<Session | null>
  /** The same of somebody who may not be in yet. */
  look(token: string, isAsked?: boolean): Promise<Session | null>
  /** How long it lives if nobody asks for anything; `null` when it does not. */
  idleLeftMs(token: string): Promise<number | null>
  end(token: string): Promise<void>
  endAll(name: string): Promise<void>
  /** Whether nobody can sign in as an administrator: then the node's token makes the first one. */
  areMissing(): Promise<boolean>
  /** That somebody was not let in. What they called themselves is kept only where it is an operator's name. */
  noteRefusal(refused: { name: string; address: string; reason: string }): Promise<void>
}

export interface SessionsOptions {
  store: Store
  clock: Clock
  times?: SessionTimes
  /** Of roles that a password alone does not let in. */
  mustHaveFactor?(role: Role): boolean
}

export function createSessions(options: SessionsOptions): Sessions {
  const { store, clock, times = sessionTimes, mustHaveFactor = () => false } = options

  async function read(token: string, isAsked: boolean) {
    const digest = digestOf(token)
    const [session] = await store.query(sessionByDigest, { digest })
    if (session === undefined || session.disabled_at !== null) return null
    if (!isCurrent(session, session)) return null
    const unseenMs = worldAge(clock, session.seen_at)
    const idleLeftMs = times.idleMs - unseenMs
    const ageMs = worldAge(clock, session.created_at)
    // In the future it began at a time that a clock has taken back since: nobody knows how long ago.
    if (idleLeftMs < 0 || ageMs > times.absoluteMs || ageMs < -mostAheadMs) return null
    // Also where it was seen at a time that the clock has taken back since: that would keep it alive until then.
    if (isAsked && Math.abs(unseenMs) > touchEveryMs)
      await store.execute(touchSession, { digest, at: clock.now() })
    const { id, name, factor_at: factorAt, language, time_zone: timeZone } = session
    const role = operatorRole(session.role)
    const hasFactor = session.totp_at !== null || (session.passkeys ?? 0) > 0
    const standing = standingOf({ hasFactor, factorAt, mustHave: mustHaveFactor(role) })
    return { session: { id, name, role, language, timeZone, hasFactor, factorAt, standing }, idleLeftMs }
  }

  async function begin(operator: Row<'people'>, { address, agent = '' }: Visit): Promise<string | null> {
    const { idleMs, absoluteMs } = times
    const now = clock.now()
    await store.execute(forgetSessions, {
      createdBefore: worldAgo(clock, absoluteMs),
      createdAfter: now + mostAheadMs,
      seenBefore: worldAgo(clock, idleMs),
    })
    const { name } = operator
    const token = generateToken()
    const begun = await store.step({
      rows: { operator: row('people', { name }) },
      decide: ({ operator: present }, at) => {
        // The password may have been changed while it was being worked out.
        if (present === null || present.disabled_at !== null) return { answer: false, writes: [] }
        if (present.password_hash !== operator.password_hash) return { answer: false, writes: [] }
        const input = { address, agent: shortened(agent) }
        const writes: Write[] = [
          { insert: 'sessions', values: newSession(token, present, { now, ...input }) },
          { update: 'people', key: { name }, set: { signed_in_at: at } },
          noted({ at, operator: name, operation: 'operator.signIn', input, outcome: 'done' }),
        ]
        return { answer: true, writes }
      },
    })
    return begun.outcome === 'committed' && begun.answer ? token : null
  }

  async function noteRefusal({ name, address, reason }: { name: string; address: string; reason: string }) {
    const [operator] = await store.query(operatorByName, { name: foldedName(name) })
    await store.execute(beginAudit, {
      at: clock.now(),
      operator: operator?.name ?? 'unknown',
      operation: 'operator.signIn',
      inputJson: JSON.stringify({ address }),
      outcome: `refused: ${reason}`,
    })
  }

  return {
    async signIn(visit) {
      const [operator] = await store.query(operatorByName, { name: foldedName(visit.name) })
      const isRight = await isPassword(visit.password, operator?.password_hash ?? null)
      const token = operator !== undefined && isRight ? await begin(operator, visit) : null
      if (token !== null) return token
      const { name, address } = visit
      const reason = isRight ? 'The operator is disabled.' : 'The name or the password is wrong.'
      await noteRefusal({ name, address, reason })
      return null
    },
    async find(token, isAsked = true) {
      const found = await read(token, isAsked)
      return found?.session.standing === 'in' ? found.session : null
    },
    async look(token, isAsked = true) {
      return (await read(token, isAsked))?.session ?? null
    },
    async idleLeftMs(token) {
      return (await read(token, false))?.idleLeftMs ?? null
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
    noteRefusal,
  }
}

function standingOf(session: { hasFactor: boolean; factorAt: Instant | null; mustHave: boolean }): Standing {
  if (session.hasFactor) return session.factorAt === null ? 'factor' : 'in'
  return session.mustHave ? 'enrolment' : 'in'
}

/**
 * A name as it is kept, however it was typed. PostgreSQL cannot even look for a text with a character 0 in it, and nobody has such
 * a name.
 */
export function foldedName(name: string): string {
  return name.includes('\0') ? '' : name.trim().toLowerCase()
}

const longestAgent = 200

function shortened(agent: string): string {
  return agent.slice(0, longestAgent).toWellFormed().replaceAll('\0', '')
}

export function generateToken(): string {
  return randomBytes(32).toString('base64url')
}

function newSession(
  token: string,
  { name, revision }: Row<'people'>,
  { now, address, agent }: { now: Instant; address: string; agent: string },
): Row<'sessions'> {
  return {
    digest: digestOf(token),
    id: randomBytes(9).toString('base64url'),
    person_name: name,
    created_at: now,
    seen_at: now,
    address,
    agent,
    factor_at: null,
    pending_json: null,
    person_revision: revision,
  }
}

/** Of a token: all that the database knows of it. */
export function digestOf(token: string): string {
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
