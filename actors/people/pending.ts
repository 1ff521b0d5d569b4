/**
 * What was asked of the browser of a session and is not answered yet, for some minutes: a challenge of each page that is open, which is
 * answered once, and the secret of an authenticator that is to be confirmed.
 */
import type { Instant } from '../../machines/time.ts'
import { type Row, row, type Store } from '../../persistence/store.ts'
import { type Clock, worldAge } from '../foundation/clock.ts'
import { digestOf } from './sessions.ts'

const pendingMs = 10 * 60_000
/** More pages than anybody has open: the oldest is forgotten. */
const mostPending = 8

interface PendingByKind {
  register: { kind: 'register'; challenge: string; at: Instant }
  authenticate: { kind: 'authenticate'; challenge: string; at: Instant }
  totp: { kind: 'totp'; sealed: string; at: Instant }
}

type Kind = keyof PendingByKind

type Pending = PendingByKind[Kind]

type Asking = Pick<Row<'sessions'>, 'pending_json'>

interface Means {
  store: Store
  clock: Clock
}

/** By the wall: the time of steps never goes back, and would be too late for every answer. */
function pendingIn({ pending_json }: Asking, clock: Clock): Pending[] {
  if (pending_json === null) return []
  // Written by this file alone; before it was a list it was one, which is too old by now.
  const read: unknown = JSON.parse(pending_json)
  const pending: Pending[] = Array.isArray(read) ? read : []
  return pending.filter(({ at }) => Math.abs(worldAge(clock, at)) <= pendingMs)
}

const written = (pending: readonly Pending[]) =>
  pending.length === 0 ? null : JSON.stringify(pending.slice(-mostPending))

/** The secret of an authenticator that is to be confirmed, sealed; `null` where there is none, or it is too old. */
export function secretIn(session: Asking, clock: Clock): string | null {
  return pendingIn(session, clock).find((one) => one.kind === 'totp')?.sealed ?? null
}

/** What stays once the secret was confirmed. */
export function withoutSecret(session: Asking, clock: Clock): string | null {
  return written(pendingIn(session, clock).filter(({ kind }) => kind !== 'totp'))
}

/** @returns the secret that is asked for: another page of the session may have shown one already. */
export async function keepSecret({ store, clock }: Means, token: string, sealed: string): Promise<string> {
  const digest = digestOf(token)
  const at = clock.now()
  const kept = await store.step({
    rows: { session: row('sessions', { digest }) },
    decide: ({ session }) => {
      const known = session === null ? null : secretIn(session, clock)
      if (session === null || known !== null) return { answer: known ?? sealed, writes: [] }
      return { answer: sealed, writes: [adding(clock, digest, session, { kind: 'totp', sealed, at })] }
    },
  })
  return kept.outcome === 'committed' ? kept.answer : sealed
}

/** Beside those of other pages, which stay. */
export async function keepChallenge(
  { store, clock }: Means,
  token: string,
  { kind, challenge }: { kind: 'register' | 'authenticate'; challenge: string },
): Promise<void> {
  const digest = digestOf(token)
  const at = clock.now()
  await store.step({
    rows: { session: row('sessions', { digest }) },
    decide: ({ session }) => ({
      answer: null,
      writes: session === null ? [] : [adding(clock, digest, session, { kind, challenge, at })],
    }),
  })
}

function adding(clock: Clock, digest: string, session: Asking, pending: Pending) {
  const set = { pending_json: written([...pendingIn(session, clock), pending]) }
  return { update: 'sessions', key: { digest }, set } as const
}

/**
 * Whatever comes of the answer, its challenge is answered by it: it is taken away before anybody looks at the rest.
 * @returns whether it was asked in this session, and not answered before
 */
export async function takeChallenge(
  { store, clock }: Means,
  token: string,
  { kind, challenge }: { kind: 'register' | 'authenticate'; challenge: string },
): Promise<boolean> {
  const digest = digestOf(token)
  const taken = await store.step({
    rows: { session: row('sessions', { digest }) },
    decide: ({ session }) => {
      const pending = session === null ? [] : pendingIn(session, clock)
      const others = pending.filter((one) => one.kind !== kind || one.challenge !== challenge)
      if (others.length === pending.length) return { answer: false, writes: [] }
      const set = { pending_json: written(others) }
      return { answer: true, writes: [{ update: 'sessions', key: { digest }, set }] }
    },
  })
  return taken.outcome === 'committed' && taken.answer
}
