/**
 * Invitations: a link that makes one account, once, within a day. Whoever opens it chooses the password, so that nobody else ever
 * knows one.
 */
import type { Instant } from '../../machines/time.ts'
import { invitationByDigest } from '../../persistence/queries/people.ts'
import { type Decision, type Row, row, type Store, type Write } from '../../persistence/store.ts'
import { OperationError } from '../foundation/operation.ts'
import { operatorRole, type Role } from '../foundation/roles.ts'
import { assertFitPassword, newPerson } from './accounts.ts'
import { hashPassword } from './passwords.ts'
import { digestOf, mostAheadMs } from './sessions.ts'
import { noted } from './written.ts'

export const invitationMs = 24 * 3_600_000

interface Means {
  store: Store
  clock: { now(): Instant }
}

/** By the wall: one that was made at a time that a clock has taken back since is over, whenever that was. */
function isOpen({ created_at, expires_at }: Row<'invitations'>, now: Instant): boolean {
  return now < expires_at && now >= created_at - mostAheadMs
}

/**
 * Keeps what a link makes; an invitation of the same name from before counts no more.
 * @param invitation `token`: what is in the link, kept as a digest; `invitedBy`: whose name the invited are told
 * @param beside what is written in the same step
 * @throws OperationError where somebody has the name
 */
export async function keepInvitation(
  { store, clock }: Means,
  { name, role, invitedBy, token }: { name: string; role: Role; invitedBy: string; token: string },
  beside: (at: Instant) => readonly Write[],
): Promise<void> {
  const now = clock.now()
  const result = await store.step({
    rows: { person: row('people', { name }), invitation: row('invitations', { name }) },
    decide: ({ person, invitation }, at): Decision<null> => {
      if (person !== null) {
        throw new OperationError('conflict', `There is an operator ${name} already, ${person.role}.`, {
          hint: 'operator reset gives them a new password, operator change another role.',
        })
      }
      const set = {
        ...{ digest: digestOf(token), party_id: null, role, invited_by: invitedBy },
        ...{ created_at: now, expires_at: now + invitationMs, let_in_by: null },
      }
      const kept: Write =
        invitation === null
          ? { insert: 'invitations', values: { name, ...set } }
          : { update: 'invitations', key: { name }, set }
      return { answer: null, writes: [kept, ...beside(at)], wake: ['notifications'] }
    },
  })
  if (result.outcome === 'violated') throw new Error(`An invitation violated ${result.constraint}.`)
}

/** Whose invitation a link is; `null` for one that is used, withdrawn or too old. */
export async function findInvitation(
  store: Pick<Store, 'query'>,
  token: string,
  now: Instant,
): Promise<{ name: string; role: Role; invitedBy: string } | null> {
  const [found] = await store.query(invitationByDigest, { digest: digestOf(token) })
  if (found === undefined || !isOpen(found, now)) return null
  return { name: found.name, role: operatorRole(found.role), invitedBy: found.invited_by }
}

/**
 * Makes the account.
 * @returns its name; `null` where the invitation is used, withdrawn or too old
 * @throws OperationError where the password is none
 */
export async function acceptInvitation(
  { store, clock }: Means,
  { token, password, address }: { token: string; password: string; address: string },
): Promise<string | null> {
  const found = await findInvitation(store, token, clock.now())
  if (found === null) return null
  const { name } = found
  assertFitPassword(name, password)
  const passwordHash = await hashPassword(password)
  const digest = digestOf(token)
  const now = clock.now()
  const result = await store.step({
    rows: { person: row('people', { name }), invitation: row('invitations', { name }) },
    decide: ({ person: known, invitation }, at): Decision<string | null> => {
      const isRight = invitation !== null && invitation.digest === digest && isOpen(invitation, now)
      if (!isRight || known !== null) return { answer: null, writes: [] }
      const { role, party_id, let_in_by } = invitation
      const person = newPerson({ name, role, party_id, passwordHash, at })
      const note = { at, operator: name, operation: 'operator.join', input: { address, role } }
      return {
        answer: name,
        writes: [
          { delete: 'invitations', key: { name } },
          { insert: 'people', values: { ...person, let_in_by } },
          noted({ ...note, outcome: `done: invited by ${invitation.invited_by}` }),
        ],
      }
    },
  })
  return result.outcome === 'committed' ? result.answer : null
}
