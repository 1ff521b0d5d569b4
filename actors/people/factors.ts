/**
 * Second factors, proved: a code of the authenticator, a recovery code or a passkey, in a session whose password was right.
 *
 * Each counts once. Five wrong codes in a row lock the authenticator, until a recovery code or a passkey was right: six digits
 * are few enough to be guessed by whoever may go on trying.
 */
import type { Instant } from '../../machines/time.ts'
import { passkeysOf } from '../../persistence/queries/people.ts'
import { type Decision, type Row, row, type Store, type Write } from '../../persistence/store.ts'
import { type Clock, worldNow } from '../foundation/clock.ts'
import type { Vault } from '../keys/vault.ts'
import { stepOfCode } from './one-time-codes.ts'
import {
  authenticationOptions,
  type ConsolePlace,
  challengeOf,
  credentialIdOf,
  isClone,
  type PublicKeyCredentialRequestOptionsJSON,
  readAuthentication,
} from './passkeys.ts'
import { keepChallenge, takeChallenge } from './pending.ts'
import { recoveryCodeDigest } from './recovery-codes.ts'
import { digestOf, generateToken, isCurrent } from './sessions.ts'
import { noted } from './written.ts'

export interface FactorContext {
  store: Store
  vault: Pick<Vault, 'seal' | 'open'>
  clock: Clock
  place: ConsolePlace
}

/** Who has to prove it, and the token of their session. */
export interface Prover {
  name: string
  token: string
}

export type Proof = { kind: 'code'; code: string } | { kind: 'passkey'; answer: unknown }

export type ProofProblem =
  /** No code of this person, or none of now. */
  | 'wrong'
  /** Right, and used already. */
  | 'used'
  | 'locked'
  /** The challenge was answered before, or too long ago. */
  | 'expired'
  /** The browser's answer does not hold: another origin, another passkey, another challenge. */
  | 'invalid'
  | 'cloned'

/** @property token the session's own from now on: it changes with the sign-in's second half. */
export type Proved = { ok: true; token: string } | { ok: false; reason: ProofProblem }

/** So many wrong ones in a row lock the authenticator. */
const mostWrongCodes = 5

export function totpName(name: string): string {
  return `totp:${name}`
}

/** What the browser is to ask its authenticators; `null` where the person has no passkey. */
export async function askForPasskey(
  context: FactorContext,
  { name, token }: Prover,
): Promise<PublicKeyCredentialRequestOptionsJSON | null> {
  const { store, place } = context
  const passkeys = (await store.query(passkeysOf, { name })).filter(({ cloned_at }) => cloned_at === null)
  if (passkeys.length === 0) return null
  const options = await authenticationOptions(place, passkeys)
  await keepChallenge(context, token, { kind: 'authenticate', challenge: options.challenge })
  return options
}

export function prove(context: FactorContext, prover: Prover, proof: Proof): Promise<Proved> {
  if (proof.kind === 'passkey') return provePasskey(context, prover, proof.answer)
  const digest = recoveryCodeDigest(proof.code)
  return digest === null
    ? proveCode(context, prover, proof.code.replace(/\s/g, ''))
    : proveRecovery(context, prover, digest)
}

async function proveCode(context: FactorContext, prover: Prover, code: string): Promise<Proved> {
  const { store, vault, clock } = context
  const { name, token } = prover
  const now = clock.now()
  const next = generateToken()
  return settled(
    await store.step({
      rows: { person: row('people', { name }), session: row('sessions', { digest: digestOf(token) }) },
      decide: ({ person, session }, at) => {
        const sealed = person?.totp_ciphertext ?? null
        if (person === null || session === null || sealed === null) return refused('wrong')
        if (!isCurrent(session, person)) return refused('expired')
        if (isLocked(person)) return refused('locked')
        const step = stepOfCode(vault.open(totpName(name), sealed), code, worldNow(clock))
        if (step !== null && step > person.totp_step) {
          const set = { totp_step: step, wrong_codes: 0 }
          return proved({ prover, next, session, now, at, by: 'authenticator' }, [
            { update: 'people', key: { name }, set },
          ])
        }
        const reason = step === null ? 'wrong' : 'used'
        return refused(reason, [...wrongCode(person), noteOf(prover, at, 'authenticator', reason)])
      },
    }),
  )
}

async function proveRecovery(
  { store, clock }: FactorContext,
  prover: Prover,
  digest: string,
): Promise<Proved> {
  const { name, token } = prover
  const now = clock.now()
  const next = generateToken()
  const key = { person_name: name, digest }
  return settled(
    await store.step({
      rows: {
        person: row('people', { name }),
        session: row('sessions', { digest: digestOf(token) }),
        code: row('recovery_codes', key),
      },
      decide: ({ person, session, code }, at) => {
        if (person === null || session === null) return refused('wrong')
        if (!isCurrent(session, person)) return refused('expired')
        if (code === null || code.used_at !== null) {
          const reason = code === null ? 'wrong' : 'used'
          return refused(reason, [...wrongCode(person), noteOf(prover, at, 'recovery code', reason)])
        }
        return proved({ prover, next, session, now, at, by: 'recovery code' }, [
          { update: 'recovery_codes', key, set: { used_at: at } },
          { update: 'people', key: { name }, set: { wrong_codes: 0 } },
        ])
      },
    }),
  )
}

async function provePasskey(context: FactorContext, prover: Prover, answer: unknown): Promise<Proved> {
  const { store, place, clock } = context
  const { name, token } = prover
  const challenge = challengeOf(answer)
  if (challenge === null) return { ok: false, reason: 'invalid' }
  const isAsked = await takeChallenge(context, token, { kind: 'authenticate', challenge })
  if (!isAsked) return { ok: false, reason: 'expired' }
  const id = credentialIdOf(answer)
  const known = (await store.query(passkeysOf, { name })).find((one) => one.id === id)
  const counter =
    known === undefined ? null : await readAuthentication(place, challenge, { answer, passkey: known })
  const next = generateToken()
  const now = clock.now()
  return settled(
    await store.step({
      rows: {
        person: row('people', { name }),
        session: row('sessions', { digest: digestOf(token) }),
        passkey: row('passkeys', { id }),
      },
      decide: ({ person, session, passkey }, at) => {
        if (person === null || session === null || counter === null || passkey?.person_name !== name)
          return refused('invalid', [noteOf(prover, at, 'passkey', 'invalid')])
        if (!isCurrent(session, person)) return refused('expired')
        if (passkey.cloned_at !== null) return refused('cloned', [noteOf(prover, at, 'passkey', 'cloned')])
        if (isClone(passkey.counter, counter)) {
          return refused('cloned', [
            { update: 'passkeys', key: { id }, set: { cloned_at: at } },
            noteOf(prover, at, 'passkey', 'cloned'),
          ])
        }
        return proved({ prover, next, session, now, at, by: 'passkey' }, [
          { update: 'passkeys', key: { id }, set: { counter, used_at: at } },
          { update: 'people', key: { name }, set: { wrong_codes: 0 } },
        ])
      },
    }),
  )
}

export function isLocked({ wrong_codes }: Pick<Row<'people'>, 'wrong_codes'>): boolean {
  return wrong_codes >= mostWrongCodes
}

function wrongCode({ name, wrong_codes }: Row<'people'>): Write[] {
  return [{ update: 'people', key: { name }, set: { wrong_codes: wrong_codes + 1 } }]
}

function refused(reason: ProofProblem, writes: readonly Write[] = []): Decision<Proved> {
  return { answer: { ok: false, reason }, writes }
}

interface Right {
  prover: Prover
  next: string
  session: Row<'sessions'>
  /** Of the wall: after a clock that went back the steps' own time waits for it, and authenticators do not. */
  now: Instant
  at: Instant
  by: string
}

/** A token from before the second factor was right opens nothing after it. */
function proved({ prover, next, session, now, at, by }: Right, writes: readonly Write[]): Decision<Proved> {
  const note = noteOf(prover, at, by, 'done')
  const { digest, factor_at: factorAt } = session
  const token = factorAt === null ? next : prover.token
  // The same session, so that it is one sign-in: nobody is told of a second one.
  const set = { digest: digestOf(token), factor_at: now }
  return {
    answer: { ok: true, token },
    writes: [...writes, { update: 'sessions', key: { digest }, set }, note],
  }
}

function noteOf({ name }: Prover, at: Instant, by: string, outcome: 'done' | ProofProblem): Write {
  return noted({
    at,
    operator: name,
    operation: 'operator.proveFactor',
    input: { by },
    outcome: outcome === 'done' ? 'done' : `refused: ${outcome}`,
  })
}

function settled(result: { outcome: 'committed'; answer: Proved } | { outcome: 'violated' }): Proved {
  if (result.outcome === 'committed') return result.answer
  throw new Error('A second factor violated a constraint.')
}
