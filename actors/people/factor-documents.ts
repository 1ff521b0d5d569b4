/** Second factors as their person sees them. */
import { formatInstant, type Instant } from '../../machines/time.ts'
import { operatorByName, passkeysOf, recoveryCodesOf } from '../../persistence/queries/people.ts'
import type { Store } from '../../persistence/store.ts'
import { isLocked } from './factors.ts'

export interface FactorsDocument {
  passkeys: { id: string; label: string; added: string; lastUsed: string | null; cloned: boolean }[]
  authenticator: { added: string; isLocked: boolean } | null
  /** `null` where there is no factor, and so no code. */
  recoveryCodesLeft: number | null
}

export async function factorsOf(store: Pick<Store, 'query'>, name: string): Promise<FactorsDocument> {
  const [person] = await store.query(operatorByName, { name })
  const passkeys = await store.query(passkeysOf, { name })
  const codes = await store.query(recoveryCodesOf, { name })
  const addedAt = person?.totp_at ?? null
  return {
    passkeys: passkeys.map(({ id, label, created_at, used_at, cloned_at }) => ({
      id,
      label,
      added: formatInstant(created_at),
      lastUsed: instant(used_at),
      cloned: cloned_at !== null,
    })),
    authenticator:
      person === undefined || addedAt === null
        ? null
        : { added: formatInstant(addedAt), isLocked: isLocked(person) },
    recoveryCodesLeft: codes.length === 0 ? null : codes.filter(({ used_at }) => used_at === null).length,
  }
}

function instant(at: Instant | null): string | null {
  return at === null ? null : formatInstant(at)
}
