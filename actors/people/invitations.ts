/**
 * Invitations: a link that makes one account, once, within a day. Whoever opens it chooses the password, so that nobody else ever
 * knows one.
 */
import { formatInstant, type Instant } from '../../machines/time.ts'
import { invitationByDigest } from '../../persistence/queries/people.ts'
import { type Decision, type Row, row, type Store } from '../../persistence/store.ts'
import { OperationError } from '../foundation/operation.ts'
import { operatorRole, type Role } from '../foundation/roles.ts'
import { assertFitPassword, newPerson } from './accounts.ts'
import { hashPassword } from './passwords.ts'
import { digestOf, generateToken } from './sessions.ts'
import { noted } from './written.ts'

export const invitationMs = 24 * 3_600_000

export interface Invitation {
  name: string
  role: Role
  /** Holds what makes the account: shown once, and kept nowhere. */
  link: string
  expires: string
}

/**
 * Invites somebody to be an operator; an invitation of the same name from before counts no more.
 * @param invitedBy whose name the invited are told
 * @throws OperationError where somebody has the name
 */
export async function makeInvitation(
  { store, operatorUrl }: { store: Store; operatorUrl: string },
  { name, role, invitedBy }: { name: string; role: Role; invitedBy: string },
): Promise<Invitation> {
  const token = generateToken()
  const result = await store.step({
    rows: { person: row('people', { name }), invitation: row('invitations', { name }) },
    decide: ({ person, invitation }, at): Decision<Row<'invitations'>> => {
      if (person !== null) {
        throw new OperationError('conflict', `There is an operator ${name} already, ${person.role}.`, {
          hint: 'operator reset gives them a new password, operator change another role.',
        })
      }
      const values: Row<'invitations'> = {
        name,
        digest: digestOf(token),
        party_id: null,
        role,
        invited_by: invitedBy,
        created_at: at,
        expires_at: at + invitationMs,
      }
      const { name: _, ...set } = values
      return {
        answer: values,
        writes: [
          invitation === null
            ? { insert: 'invitations', values }
            : { update: 'invitations', key: { name }, set },
        ],
      }
    },
  })
  if (result.outcome === 'violated') throw new Error(`An invitation violated ${result.constraint}.`)
  const link = `${operatorUrl}/join?invitation=${token}`
  return { name, role, link, expires: formatInstant(result.answer.expires_at) }
}

/** Whose invitation a link is; `null` for one that is used, withdrawn or too old. */
export async function findInvitation(
  store: Store,
  token: string,
  now: Instant,
): Promise<{ name: string; role: Role; invitedBy: string } | null> {
  const [found] = await store.query(invitationByDigest, { digest: digestOf(token) })
  if (found === undefined || found.expires_at <= now) return null
  return { name: found.name, role: operatorRole(found.role), invitedBy: found.invited_by }
}

/**
 * Makes the account.
 * @returns its name; `null` where the invitation is used, withdrawn or too old
 * @throws OperationError where the password is none
 */
export async function acceptInvitation(
  { store, clock }: { store: Store; clock: { now(): Instant } },
  { token, password, address }: { token: string; password: string; address: string },
): Promise<string | null> {
  const found = await findInvitation(store, token, clock.now())
  if (found === null) return null
  const { name } = found
  assertFitPassword(name, password)
  const passwordHash = await hashPassword(password)
  const digest = digestOf(token)
  const result = await store.step({
    rows: { person: row('people', { name }), invitation: row('invitations', { name }) },
    decide: ({ person, invitation }, at): Decision<string | null> => {
      const isOpen = invitation !== null && invitation.digest === digest && invitation.expires_at > at
      if (!isOpen || person !== null) return { answer: null, writes: [] }
      const { role, party_id } = invitation
      const note = { at, operator: name, operation: 'operator.join', input: { address, role } }
      return {
        answer: name,
        writes: [
          { delete: 'invitations', key: { name } },
          { insert: 'people', values: newPerson({ name, role, party_id, passwordHash, at }) },
          noted({ ...note, outcome: `done: invited by ${invitation.invited_by}` }),
        ],
      }
    },
  })
  return result.outcome === 'committed' ? result.answer : null
}
