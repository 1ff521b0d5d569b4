/**
 * Passkeys (WebAuthn, level 3): what the browser is asked, and whether what it answers is right. Pure but for the signatures: what is
 * known of passkeys is handed in, and what is to be kept is handed out.
 */
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { Row } from '../../persistence/store.ts'
import { parseJson } from '../foundation/json-text.ts'
import { isObject } from '../foundation/reading.ts'

export type { PublicKeyCredentialCreationOptionsJSON, PublicKeyCredentialRequestOptionsJSON }

/** Where the console is reached: passkeys belong to its host, and are used nowhere else. */
export interface ConsolePlace {
  /** Scheme, host and port. */
  origin: string
  /** The host alone. */
  rpId: string
}

/** @param url an origin, such as `https://console.example` */
export function consolePlace(url: string): ConsolePlace {
  const { origin, hostname } = new URL(url)
  return { origin, rpId: hostname }
}

/** Loaded when the first passkey is asked for: commands and most starts need none of it. */
const webAuthn = () => import('@simplewebauthn/server')

const askMs = 5 * 60_000
/** EdDSA, ES256 and RS256 of COSE: what every authenticator has one of. What Node calls experimental is not asked for. */
const algorithms = [-8, -7, -257]

export async function registrationOptions(
  place: ConsolePlace,
  person: { name: string; handle: Uint8Array; passkeys: readonly Row<'passkeys'>[] },
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await webAuthn()
  return generateRegistrationOptions({
    rpName: 'Ventanilla',
    rpID: place.rpId,
    userName: person.name,
    userID: new Uint8Array(person.handle),
    userDisplayName: person.name,
    timeout: askMs,
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: person.passkeys.map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
  })
}

export async function authenticationOptions(
  place: ConsolePlace,
  passkeys: readonly Row<'passkeys'>[],
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await webAuthn()
  return generateAuthenticationOptions({
    rpID: place.rpId,
    timeout: askMs,
    userVerification: 'preferred',
    allowCredentials: passkeys.map(({ id, transports }) => ({
      id,
      ...(transports === '' ? {} : { transports: transports.split(',') }),
    })),
  })
}

export type Registered = Pick<Row<'passkeys'>, 'id' | 'public_key' | 'counter' | 'transports'>

/** `null` where the answer is not one to this challenge, from this place, that holds. */
export async function readRegistration(
  place: ConsolePlace,
  challenge: string,
  answer: unknown,
): Promise<Registered | null> {
  if (!isAnswer(answer)) return null
  const { verifyRegistrationResponse } = await webAuthn()
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      // Whatever else it is, the verification refuses it.
      response: answer as unknown as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: place.origin,
      expectedRPID: place.rpId,
      supportedAlgorithmIDs: algorithms,
      requireUserVerification: false,
    })
    if (registrationInfo === undefined) return null
    const { id, publicKey, counter } = registrationInfo.credential
    return {
      id,
      public_key: Buffer.from(publicKey).toString('base64url'),
      counter,
      transports: transportsOf(answer),
    }
  } catch {
    return null
  }
}

/**
 * The counter of a right answer; `null` where the answer is not one to this challenge, from this place, of this passkey. Whether the
 * counter may be so low is judged where the last one is locked.
 */
export async function readAuthentication(
  place: ConsolePlace,
  challenge: string,
  { answer, passkey }: { answer: unknown; passkey: Row<'passkeys'> },
): Promise<number | null> {
  if (!isAnswer(answer)) return null
  const { verifyAuthenticationResponse } = await webAuthn()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      // Whatever else it is, the verification refuses it.
      response: answer as unknown as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: place.origin,
      expectedRPID: place.rpId,
      credential: {
        id: passkey.id,
        publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
        counter: 0,
      },
      requireUserVerification: false,
    })
    return verified ? authenticationInfo.newCounter : null
  } catch {
    return null
  }
}

/** Of what a browser sent; `''` where it names none. */
export function credentialIdOf(answer: unknown): string {
  return isAnswer(answer) ? answer.id : ''
}

/** Which challenge an answer is one to; `null` where it does not say. Whether it is right is not looked at. */
export function challengeOf(answer: unknown): string | null {
  if (!isAnswer(answer)) return null
  const { clientDataJSON } = answer.response
  if (typeof clientDataJSON !== 'string') return null
  const read = parseJson(Buffer.from(clientDataJSON, 'base64url'))
  if (!read.ok || !isObject(read.value)) return null
  const { challenge } = read.value
  return typeof challenge === 'string' ? challenge : null
}

/** Two authenticators that hold one passkey count apart: one of them is behind sooner or later. */
export function isClone(last: number, counter: number): boolean {
  return (last > 0 || counter > 0) && counter <= last
}

const longestId = 1_500

interface Answer extends Record<string, unknown> {
  id: string
  response: Record<string, unknown>
}

function isAnswer(value: unknown): value is Answer {
  return (
    isObject(value) &&
    typeof value.id === 'string' &&
    value.id.length <= longestId &&
    /^[\w-]+$/.test(value.id) &&
    isObject(value.response)
  )
}

const knownTransports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']

function transportsOf({ response: { transports } }: Answer): string {
  return Array.isArray(transports) ? knownTransports.filter((one) => transports.includes(one)).join(',') : ''
}
