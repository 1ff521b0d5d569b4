/** Operators of the console: who may sign in, and what each may do. */
import { formatInstant, type Instant } from '../../machines/time.ts'
import {
  allOperators,
  endSessionsOf,
  invitationsBy,
  openInvitations,
  operatorByName,
  passkeyCounts,
  sessionDigestsOf,
  sessionsByPerson,
  withdrawInvitationsBy,
} from '../../persistence/queries/people.ts'
import { type Decision, type Row, row, type Store, type Write } from '../../persistence/store.ts'
import { choice, optional, text } from '../foundation/fields.ts'
import { defineOperation, type OperationContext, OperationError } from '../foundation/operation.ts'
import { isAtLeast, operatorRole, type Role, roles } from '../foundation/roles.ts'
import { assertFitPassword, newPerson } from './accounts.ts'
import type { Language } from './languages.ts'
import {
  generatePassword,
  greatestPasswordLength,
  hashPassword,
  isPassword,
  leastPasswordLength,
} from './passwords.ts'
import { mostAheadMs } from './sessions.ts'

export interface OperatorDocument {
  name: string
  role: Role
  state: 'enabled' | 'disabled'
  created: string
  lastSignIn: string | null
  passwordSince: string
  /** Of the console's pages; `null` for the browser's. */
  language: Language | null
  /** An IANA zone; `null` for UTC. */
  zone: string | null
  /** Whether an authenticator gives codes for it. */
  authenticator: boolean
}

/** `password` only where it was made just now: it is shown only once. */
export interface OperatorWithPassword extends OperatorDocument {
  password?: string
}

function operatorDocument(operator: Row<'people'>): OperatorDocument {
  return {
    name: operator.name,
    role: operatorRole(operator.role),
    state: operator.disabled_at === null ? 'enabled' : 'disabled',
    created: formatInstant(operator.created_at),
    lastSignIn: instant(operator.signed_in_at),
    passwordSince: formatInstant(operator.password_at),
    language: operator.language,
    zone: operator.time_zone,
    authenticator: operator.totp_ciphertext !== null,
  }
}

function instant(at: Instant | null): string | null {
  return at === null ? null : formatInstant(at)
}

export const operatorName = text({
  description: 'In lower case: letters, digits and . _ @ -',
  pattern: '^[a-z0-9][a-z0-9._@-]{0,63}$',
  form: { label: 'Name', hint: 'In lower case, for example luis.paz', maxLength: 64 },
})

export const roleField = choice(roles, {
  option: ['--role <role>', 'what they may do'],
  form: {
    label: 'Role',
    hint: 'A viewer looks, without codes and personal data; an operator has orders, exceptions and webhooks, too; an administrator also money, keys and operators.',
  },
})

const newPassword = text({
  description: 'One is made and shown once unless it is given.',
  minLength: leastPasswordLength,
  maxLength: greatestPasswordLength,
  form: {
    label: 'New password',
    control: 'password',
    autocomplete: 'new-password',
    hint: `At least ${leastPasswordLength} characters; a few words work well.`,
  },
})

/** No password is in the audit log. */
const withoutPasswords = (input: object): unknown =>
  Object.fromEntries(
    Object.entries(input).map(([key, value]) => [key, /password/i.test(key) ? '***' : value]),
  )

export interface OperatorList {
  operators: (OperatorDocument & { sessions: number; passkeys: number })[]
  invitations: { name: string; role: Role; invitedBy: string; created: string; expires: string }[]
}

export const operatorList = defineOperation({
  name: 'operator.list',
  summary: 'List the operators of the console.',
  fields: {},
  isRead: true,
  async run({ store, clock }: OperationContext): Promise<OperatorList> {
    const counted = await store.query(sessionsByPerson, {})
    const sessions = new Map(counted.map((line) => [line.person_name, line.sessions]))
    const keys = new Map(
      (await store.query(passkeyCounts, {})).map((line) => [line.person_name, line.passkeys]),
    )
    const operators = await store.query(allOperators, {})
    const now = clock.now()
    const invitations = await store.query(openInvitations, { now, before: now + mostAheadMs })
    return {
      operators: operators.map((operator) => ({
        ...operatorDocument(operator),
        sessions: sessions.get(operator.name) ?? 0,
        passkeys: keys.get(operator.name) ?? 0,
      })),
      invitations: invitations.map((one) => ({
        name: one.name,
        role: operatorRole(one.role),
        invitedBy: one.invited_by,
        created: formatInstant(one.created_at),
        expires: formatInstant(one.expires_at),
      })),
    }
  },
})

export const operatorAdd = defineOperation({
  name: 'operator.add',
  summary: 'Let somebody sign in to the console.',
  fields: { name: operatorName, role: roleField, password: optional(newPassword) },
  arguments: ['name'],
  isRead: false,
  audited: withoutPasswords,
  async run({ store }, { name, role, password: given }): Promise<OperatorWithPassword> {
    const password = given ?? generatePassword()
    assertFitPassword(name, password)
    const passwordHash = await hashPassword(password)
    const result = await store.step({
      rows: { operator: row('people', { name }) },
      decide: ({ operator }, at): Decision<Row<'people'>> => {
        if (operator !== null) {
          throw new OperationError('conflict', `There is an operator ${name} already, ${operator.role}.`, {
            hint: 'operator reset gives them a new password, operator change another role.',
          })
        }
        const values = newPerson({ name, role, party_id: null, passwordHash, at })
        const writes: Write[] = [
          { insert: 'people', values },
          { delete: 'invitations', key: { name } },
        ]
        return { answer: values, writes }
      },
    })
    if (result.outcome === 'violated') throw new Error(`Adding an operator violated ${result.constraint}.`)
    return { ...operatorDocument(result.answer), ...(given === undefined ? { password } : {}) }
  },
})

export const operatorChange = defineOperation({
  name: 'operator.change',
  summary: "Change an operator's role, from the next request on.",
  done: 'The role is changed.',
  fields: { name: operatorName, role: roleField },
  arguments: ['name'],
  isRead: false,
  async run(context, { name, role }): Promise<OperatorDocument> {
    const document = await changeOperator(context, name, () => ({ role }))
    // Who may not invite any more has not left a way in behind.
    if (!isAtLeast(role, 'administrator')) await context.store.execute(withdrawInvitationsBy, { name })
    return document
  },
})

export const operatorDisable = defineOperation({
  name: 'operator.disable',
  summary: 'Disable an operator, and end their sessions at once.',
  done: 'The operator is disabled.',
  fields: { name: operatorName },
  arguments: ['name'],
  isRead: false,
  async run(context, { name }): Promise<OperatorDocument> {
    const left = await accessOf(context.store, name)
    let since: Instant | null = null
    const document = await changeOperator(
      context,
      name,
      (operator, at) => {
        since = operator.disabled_at
        // What is left from before goes all the same.
        if (since === null || left.length > 0) {
          return { disabled_at: since ?? at, revision: operator.revision + 1 }
        }
        throw disabledAlready(name, since)
      },
      left,
    )
    if (since !== null) throw disabledAlready(name, since)
    // One who signed in meanwhile.
    await context.store.execute(endSessionsOf, { name })
    return document
  },
})

export const operatorEnable = defineOperation({
  name: 'operator.enable',
  summary: 'Enable a disabled operator, with the same password.',
  done: 'The operator may sign in again.',
  fields: { name: operatorName },
  arguments: ['name'],
  isRead: false,
  async run(context, { name }): Promise<OperatorDocument> {
    // Nothing from before comes back with them: a node may have been killed before it was ended.
    const left = await accessOf(context.store, name)
    return changeOperator(
      context,
      name,
      (operator) => {
        if (operator.disabled_at !== null) return { disabled_at: null, revision: operator.revision + 1 }
        throw new OperationError('conflict', `${name} is not disabled.`)
      },
      left,
    )
  },
})

function disabledAlready(name: string, since: Instant): OperationError {
  return new OperationError('conflict', `${name} is disabled already, since ${formatInstant(since)}.`)
}

/** Sessions, and the invitations that they have made. */
async function accessOf(store: Store, name: string): Promise<Write[]> {
  const sessions = await store.query(sessionDigestsOf, { name })
  const invitations = await store.query(invitationsBy, { name })
  return [
    ...sessions.map(({ digest }): Write => ({ delete: 'sessions', key: { digest } })),
    ...invitations.map((one): Write => ({ delete: 'invitations', key: { name: one.name } })),
  ]
}

export const operatorReset = defineOperation({
  name: 'operator.reset',
  summary: "Reset an operator's password, and end their sessions at once.",
  fields: { name: operatorName, password: optional(newPassword) },
  arguments: ['name'],
  isRead: false,
  audited: withoutPasswords,
  async run(context, { name, password: given }): Promise<OperatorWithPassword> {
    const password = given ?? generatePassword()
    const document = await setPassword(context, name, password)
    return { ...document, ...(given === undefined ? { password } : {}) }
  },
})

export const operatorPassword = defineOperation({
  name: 'operator.password',
  summary: 'Change the password of whoever asks, and end their sessions.',
  done: 'The password is changed. Sign in with the new one.',
  fields: {
    password: text({
      description: 'The present one.',
      maxLength: greatestPasswordLength,
      form: { label: 'Current password', control: 'password', autocomplete: 'current-password' },
    }),
    newPassword,
  },
  isRead: false,
  audited: withoutPasswords,
  async run(context, { password, newPassword }): Promise<OperatorDocument> {
    const [operator] = await context.store.query(operatorByName, { name: context.operator })
    if (!(await isPassword(password, operator?.password_hash ?? null))) {
      throw new OperationError('refused', 'The present password is another one.')
    }
    return setPassword(context, context.operator, newPassword)
  },
})

async function setPassword(context: OperationContext, name: string, password: string) {
  assertFitPassword(name, password)
  const password_hash = await hashPassword(password)
  const document = await changeOperator(context, name, ({ revision }, at) => ({
    password_hash,
    password_at: at,
    revision: revision + 1,
  }))
  await context.store.execute(endSessionsOf, { name })
  return document
}

export async function changeOperator(
  { store }: OperationContext,
  name: string,
  decide: (operator: Row<'people'>, at: Instant) => Partial<Row<'people'>>,
  besides: readonly Write[] = [],
): Promise<OperatorDocument> {
  const result = await store.step({
    rows: { operator: row('people', { name }) },
    decide: ({ operator }, at): Decision<OperatorDocument> => {
      if (operator === null || operator.party_id !== null) {
        throw new OperationError('not_found', `There is no operator ${name}.`, {
          hint: 'operator list shows their names.',
        })
      }
      const set = decide(operator, at)
      const writes: Write[] = [{ update: 'people', key: { name }, set }, ...besides]
      return { answer: operatorDocument({ ...operator, ...set }), writes }
    },
  })
  if (result.outcome === 'violated') throw new Error(`A change of an operator violated ${result.constraint}.`)
  return result.answer
}
