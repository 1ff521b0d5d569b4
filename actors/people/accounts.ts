/** What an account begins with, and what a password has to be. */
import type { Instant } from '../../machines/time.ts'
import type { Row } from '../../persistence/store.ts'
import { OperationError } from '../foundation/operation.ts'
import { greatestPasswordLength, leastPasswordLength } from './passwords.ts'

type Role = Row<'people'>['role']

export function newPerson(given: {
  name: string
  role: Role
  party_id: string | null
  passwordHash: string
  at: Instant
}): Row<'people'> {
  const { name, role, party_id, passwordHash, at } = given
  return {
    name,
    role,
    party_id,
    password_hash: passwordHash,
    password_at: at,
    created_at: at,
    signed_in_at: null,
    disabled_at: null,
    language: null,
    time_zone: null,
    totp_ciphertext: null,
    totp_at: null,
    totp_step: 0,
    wrong_codes: 0,
    revision: 0,
    let_in_by: null,
  }
}

/** @throws OperationError */
export function assertFitPassword(name: string, password: string): void {
  if (password.length < leastPasswordLength || password.length > greatestPasswordLength) {
    const range = `${leastPasswordLength} to ${greatestPasswordLength}`
    throw new OperationError('invalid', `A password has ${range} characters.`)
  }
  const plain = password.trim().toLowerCase()
  if (plain.replaceAll(name, '').length >= leastPasswordLength / 2) return
  throw new OperationError('invalid', 'The password is little more than the name.')
}
