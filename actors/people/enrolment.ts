/** Second factors, added and removed, in the session of whoever they belong to. */
import { createHash } from 'node:crypto'
import type { Instant } from '../../machines/time.ts'
import {
  endStaleSessionsOf,
  passkeysOf,
  personRevision,
  recoveryCodesOf,
} from '../../persistence/queries/people.ts'
import { type Decision, type Row, row, rows, type Store, type Write } from '../../persistence/store.ts'
import { worldNow } from '../foundation/clock.ts'
import { type FactorContext, type Prover, totpName } from './factors.ts'
import { generateTotpSecret, stepOfCode, totpUri } from './one-time-codes.ts'
import {
  challengeOf,
  type PublicKeyCredentialCreationOptionsJSON,
  type Registered,
  readRegistration,
  registrationOptions,
} from './passkeys.ts'
import { keepChallenge, keepSecret, secretIn, takeChallenge, withoutSecret } from './pending.ts'
import { generateRecoveryCodes, recoveryCodeDigest } from './recovery-codes.ts'
import { digestOf, isCurrent, isFresh } from './sessions.ts'
import { noted } from './written.ts'

export type EnrolmentProblem =
  /** Who has a factor has to prove it first. */
  | 'stale'
  | 'wrong'
  | 'expired'
  | 'invalid'
  | 'many'
  | 'there'
  | 'missing'
  /** Without it nobody of this role could sign in. */
  | 'last'

/** @property recoveryCodes where they were made: they are shown once. */
export type Enrolled =
  | { ok: true; recoveryCodes: readonly string[] }
  | { ok: false; reason: EnrolmentProblem }

const mostPasskeys = 10

/** What the browser is to ask an authenticator to make. */
export async function askForNewPasskey(
  context: FactorContext,
  { name, token }: Prover,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { store, place } = context
  const passkeys = await store.query(passkeysOf, { name })
  // Not the name itself: some authenticators show it before they know who holds them.
  const handle = createHash('sha256').update(`ventanilla person ${name}`).digest()
  const options = await registrationOptions(place, { name, handle, passkeys })
  await keepChallenge(context, token, { kind: 'register', challenge: options.challenge })
  return options
}

export async function addPasskey(
  context: FactorContext,
  prover: Prover,
  { label, answer }: { label: string; answer: unknown },
): Promise<Enrolled> {
  const { place } = context
  const challenge = challengeOf(answer)
  if (challenge === null) return { ok: false, reason: 'invalid' }
  const isAsked = await takeChallenge(context, prover.token, { kind: 'register', challenge })
  if (!isAsked) return { ok: false, reason: 'expired' }
  const made = await readRegistration(place, challenge, answer)
  if (made === null) return { ok: false, reason: 'invalid' }
  return enrol(context, prover, {
    by: 'passkey',
    rows: { passkey: row('passkeys', { id: made.id }) },
    decide: ({ passkeys }, { passkey }, at) => {
      if (passkey !== null) return 'there'
      if (passkeys.length >= mostPasskeys) return 'many'
      return [{ insert: 'passkeys', values: newPasskey(prover, made, { label, at }) }]
    },
  })
}

function newPasskey(
  { name }: Prover,
  made: Registered,
  { label, at }: { label: string; at: Instant },
): Row<'passkeys'> {
  return { ...made, person_name: name, label, created_at: at, used_at: null, cloned_at: null }
}

/** The secret of an authenticator that is to be confirmed; reloading the page asks for the same one. */
export async function askForAuthenticator(
  context: FactorContext,
  { name, token }: Prover,
): Promise<{ secret: string; uri: string }> {
  const { vault, place } = context
  const sealed = await keepSecret(context, token, vault.seal(totpName(name), generateTotpSecret()))
  const secret = vault.open(totpName(name), sealed)
  return { secret, uri: totpUri(secret, { issuer: `Ventanilla ${place.rpId}`, name }) }
}

/** @param code of the secret that was shown: whoever has it in their authenticator can read it there */
export function addAuthenticator(context: FactorContext, prover: Prover, code: string): Promise<Enrolled> {
  const { vault, clock } = context
  const { name } = prover
  const now = worldNow(clock)
  return enrol(context, prover, {
    by: 'authenticator',
    rows: {},
    decide: ({ session }, _, at) => {
      const sealed = secretIn(session, clock)
      if (sealed === null) return 'expired'
      const step = stepOfCode(vault.open(totpName(name), sealed), code.replace(/\s/g, ''), now)
      if (step === null) return 'wrong'
      const set = { totp_ciphertext: sealed, totp_at: at, totp_step: step, wrong_codes: 0 }
      const asked = { pending_json: withoutSecret(session, clock) }
      return [
        { update: 'people', key: { name }, set },
        { update: 'sessions', key: { digest: session.digest }, set: asked },
      ]
    },
  })
}

/** New recovery codes; those from before count no more. */
export function renewRecoveryCodes(context: FactorContext, prover: Prover): Promise<Enrolled> {
  return enrol(context, prover, {
    by: 'recovery codes',
    rows: {},
    isAlwaysNew: true,
    decide: ({ hasFactor }) => (hasFactor ? [] : 'missing'),
  })
}

export function removePasskey(context: FactorContext, prover: Prover, id: string, isLastKept: boolean) {
  return remove(context, prover, { by: 'passkey', isLastKept, passkeyId: id })
}

export function removeAuthenticator(context: FactorContext, prover: Prover, isLastKept: boolean) {
  return remove(context, prover, { by: 'authenticator', isLastKept, passkeyId: null })
}

interface Known {
  person: Row<'people'>
  session: Row<'sessions'>
  passkeys: readonly Row<'passkeys'>[]
  hasFactor: boolean
}

interface Change<Ref extends { passkey?: ReturnType<typeof row<'passkeys'>> }> {
  by: string
  rows: Ref
  /** Also where there are some already. */
  isAlwaysNew?: boolean
  decide(
    known: Known,
    more: { passkey: Row<'passkeys'> | null },
    at: Instant,
  ): readonly Write[] | EnrolmentProblem
}

/** What there is of somebody, while their revision is this one. */
export async function factorRows(store: Pick<Store, 'query'>, name: string) {
  const [person] = await store.query(personRevision, { name })
  return {
    revision: person?.revision ?? null,
    passkeys: await store.query(passkeysOf, { name }),
    codes: await store.query(recoveryCodesOf, { name }),
  }
}

/** A session of before counts no more, save the one that has changed it: it goes on with what it has just proved. */
function renewed({ name, revision }: Row<'people'>, digest: string, more: Partial<Row<'sessions'>>): Write[] {
  const next = revision + 1
  return [
    { update: 'people', key: { name }, set: { revision: next } },
    { update: 'sessions', key: { digest }, set: { ...more, person_revision: next } },
  ]
}

/** The person's row is locked, so that one change at a time sees what there is. */
async function enrol<Ref extends { passkey?: ReturnType<typeof row<'passkeys'>> }>(
  context: FactorContext,
  prover: Prover,
  change: Change<Ref>,
): Promise<Enrolled> {
  const { store, clock } = context
  const { name, token } = prover
  const digest = digestOf(token)
  const { revision, passkeys, codes } = await factorRows(store, name)
  const fresh = generateRecoveryCodes()
  const now = clock.now()
  const result = await store.step({
    rows: {
      person: row('people', { name }),
      session: row('sessions', { digest }),
      passkey: change.rows.passkey,
      passkeys: rows(
        'passkeys',
        passkeys.map(({ id }) => ({ id })),
      ),
    },
    decide: ({ person, session, passkey, passkeys: held }, at): Decision<Enrolled | null> => {
      if (person === null) return refused('missing')
      // Somebody has added or removed one in another session, and this one has not proved it.
      if (session === null || !isCurrent(session, person)) return refused('stale')
      // The same in this session: what was read is not so any more.
      if (person.revision !== revision) return { answer: null, writes: [] }
      const keys = held.filter((one) => one !== null)
      const hasFactor = person.totp_ciphertext !== null || keys.length > 0
      if (hasFactor && !isFresh(session.factor_at, clock)) return refused('stale')
      const writes = change.decide(
        { person, session, passkeys: keys, hasFactor },
        { passkey: passkey ?? null },
        at,
      )
      if (typeof writes === 'string') return refused(writes)
      const isNew = change.isAlwaysNew === true || codes.length === 0
      return {
        answer: { ok: true, recoveryCodes: isNew ? fresh : [] },
        writes: [
          ...writes,
          // Who adds a factor has just proved it.
          ...renewed(person, digest, { factor_at: now }),
          ...(isNew ? [...withoutCodes(codes), ...newCodes(name, fresh, at)] : []),
          noted({
            at,
            operator: name,
            operation: 'operator.addFactor',
            input: { what: change.by },
            outcome: 'done',
          }),
        ],
      }
    },
  })
  if (result.outcome === 'committed' && result.answer === null) return enrol(context, prover, change)
  await store.execute(endStaleSessionsOf, { name })
  return settled(result)
}

async function remove(
  context: FactorContext,
  prover: Prover,
  removal: { by: string; isLastKept: boolean; passkeyId: string | null },
): Promise<Enrolled> {
  const { store, clock } = context
  const { name, token } = prover
  const { by, isLastKept, passkeyId } = removal
  const digest = digestOf(token)
  const { revision, passkeys, codes } = await factorRows(store, name)
  const result = await store.step({
    rows: {
      person: row('people', { name }),
      session: row('sessions', { digest }),
      passkeys: rows(
        'passkeys',
        passkeys.map(({ id }) => ({ id })),
      ),
    },
    decide: ({ person, session, passkeys: held }, at): Decision<Enrolled | null> => {
      if (person === null) return refused('missing')
      if (session === null || !isCurrent(session, person)) return refused('stale')
      if (!isFresh(session.factor_at, clock)) return refused('stale')
      if (person.revision !== revision) return { answer: null, writes: [] }
      const present = held.filter((one) => one !== null)
      const hasTotp = person.totp_ciphertext !== null
      const isThere = passkeyId === null ? hasTotp : present.some(({ id }) => id === passkeyId)
      if (!isThere) return refused('missing')
      const isLast = present.length + (hasTotp ? 1 : 0) === 1
      // A copied passkey lets nobody in.
      const isUsable =
        passkeyId === null || present.some((key) => key.id === passkeyId && key.cloned_at === null)
      const usable = present.filter(({ cloned_at }) => cloned_at === null).length + (hasTotp ? 1 : 0)
      if (isLastKept && (isLast || (isUsable && usable === 1))) return refused('last')
      const gone: Write =
        passkeyId === null
          ? { update: 'people', key: { name }, set: withoutTotp }
          : { delete: 'passkeys', key: { id: passkeyId } }
      const note = { at, operator: name, operation: 'operator.removeFactor', input: { what: by } }
      const writes = [
        gone,
        ...renewed(person, digest, {}),
        ...(isLast ? withoutCodes(codes) : []),
        noted({ ...note, outcome: 'done' }),
      ]
      return { answer: { ok: true, recoveryCodes: [] }, writes }
    },
  })
  if (result.outcome === 'committed' && result.answer === null) return remove(context, prover, removal)
  await store.execute(endStaleSessionsOf, { name })
  return settled(result)
}

export const withoutTotp = { totp_ciphertext: null, totp_at: null, totp_step: 0, wrong_codes: 0 } as const

export function withoutCodes(codes: readonly Row<'recovery_codes'>[]): Write[] {
  return codes.map(({ person_name, digest }) => ({ delete: 'recovery_codes', key: { person_name, digest } }))
}

function newCodes(name: string, codes: readonly string[], at: Instant): Write[] {
  return codes.map((code) => {
    const digest = recoveryCodeDigest(code)
    if (digest === null) throw new Error('A recovery code that was made is none.')
    return { insert: 'recovery_codes', values: { person_name: name, digest, created_at: at, used_at: null } }
  })
}

function refused(reason: EnrolmentProblem): Decision<Enrolled> {
  return { answer: { ok: false, reason }, writes: [] }
}

function settled(
  result: { outcome: 'committed'; answer: Enrolled | null } | { outcome: 'violated' },
): Enrolled {
  if (result.outcome === 'committed' && result.answer !== null) return result.answer
  throw new Error('A change of second factors violated a constraint.')
}
