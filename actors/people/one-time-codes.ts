/**
 * Codes of authenticators: TOTP (RFC 6238) with SHA-1, six digits and steps of 30 seconds, which is what every authenticator knows.
 */
import { Secret, TOTP } from 'otpauth'
import type { Instant } from '../../machines/time.ts'

const stepMs = 30_000
/** Clocks differ, and people are slow: the code of the step before and of the next one are right as well. */
const skewSteps = 1
/** RFC 4226, part 4: at least 128 bits, better 160. */
const secretBytes = 20

/** A new secret, in base32. */
export function generateTotpSecret(): string {
  return new Secret({ size: secretBytes }).base32
}

/** What an authenticator reads from a QR code. */
export function totpUri(secret: string, { issuer, name }: { issuer: string; name: string }): string {
  return totpOf(secret, { issuer, label: name }).toString()
}

/** The step (of 30 seconds since the epoch) whose code this is, at most one beside the present; `null` where it is of none. */
export function stepOfCode(secret: string, code: string, at: Instant): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const delta = totpOf(secret).validate({ token: code, timestamp: at, window: skewSteps })
  return delta === null ? null : Math.floor(at / stepMs) + delta
}

function totpOf(secret: string, named: { issuer?: string; label?: string } = {}): TOTP {
  return new TOTP({
    ...named,
    algorithm: 'SHA1',
    digits: 6,
    period: stepMs / 1000,
    secret: Secret.fromBase32(secret),
  })
}
