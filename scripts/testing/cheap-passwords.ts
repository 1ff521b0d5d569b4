/**
 * Passwords are hashed at a cost that is to slow down who guesses them, 0.2 s of a processor each. A test process does it at hardly any,
 * with the same parameters written beside the hash; where the large share is played (`test/durability/share.ts`) they cost what they do.
 */
import crypto, { type BinaryLike, type ScryptOptions } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

type Done = (error: Error | null, key: Buffer) => void

/** Before anything is loaded that hashes. */
export function hashCheaply(): void {
  const { scrypt } = crypto
  const cheap = (
    password: BinaryLike,
    salt: BinaryLike,
    length: number,
    options: ScryptOptions,
    done: Done,
  ) => scrypt(password, salt, length, { ...options, N: 2, p: 1 }, done)
  Object.assign(crypto, { scrypt: cheap })
  syncBuiltinESMExports()
}
