/** What was asked of the browser of a session and is not answered yet: one thing at a time, for some minutes, and answered once. */
import type { Instant } from '../../machines/time.ts'
import { type Row, row, type Store } from '../../persistence/store.ts'
import { digestOf } from './sessions.ts'

const pendingMs = 10 * 60_000

interface PendingByKind {
  register: { kind: 'register'; challenge: string; at: Instant }
  authenticate: { kind: 'authenticate'; challenge: string; at: Instant }
  totp: { kind: 'totp'; sealed: string; at: Instant }
}

type Kind = keyof PendingByKind

export type Pending = PendingByKind[Kind]

/** `null` where something else is asked, or too long ago. */
export function pendingOf<K extends Kind>(
  session: Pick<Row<'sessions'>, 'pending_json'> | null,
  kind: K,
  now: Instant,
): PendingByKind[K] | null {
  if (session === null || session.pending_json === null) return null
  // Written by this folder alone.
  const pending = JSON.parse(session.pending_json) as Pending
  return isOf(pending, kind) && Math.abs(now - pending.at) <= pendingMs ? pending : null
}

function isOf<K extends Kind>(pending: Pending, kind: K): pending is PendingByKind[K] {
  return pending.kind === kind
}

/** Whatever comes of the answer, the challenge is answered by it: it is taken away before anybody looks at the answer. */
export async function takeChallenge(
  { store, clock }: { store: Store; clock: { now(): Instant } },
  token: string,
  kind: 'register' | 'authenticate',
): Promise<string | null> {
  const digest = digestOf(token)
  // Asked at a time of the wall: that of steps never goes back, and would be too late for every answer.
  const now = clock.now()
  const taken = await store.step({
    rows: { session: row('sessions', { digest }) },
    decide: ({ session }) => {
      const pending = pendingOf(session, kind, now)
      if (pending === null) return { answer: null, writes: [] }
      return {
        answer: pending.challenge,
        writes: [{ update: 'sessions', key: { digest }, set: { pending_json: null } }],
      }
    },
  })
  return taken.outcome === 'committed' ? taken.answer : null
}
