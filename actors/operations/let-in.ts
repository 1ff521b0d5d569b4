/** Who holds the way in of whom, written in the step that makes it. */
import type { Write } from '../../persistence/store.ts'

/** Columns that let somebody in, or hand their account to whoever sets them. */
const waysIn = ['password_hash', 'role', 'disabled_at', 'totp_ciphertext'] as const

/**
 * @param holder as `let_in_by` names them
 * @returns what is written beside a step that lets people in
 */
export function letInWrites(writes: readonly Write[], holder: string): Write[] {
  return writes.flatMap((write): Write[] => {
    const mark = { let_in_by: holder }
    if ('insert' in write && write.insert === 'people') {
      const { name } = write.values
      return [{ update: 'people', key: { name }, set: mark }]
    }
    if ('update' in write && write.update === 'people') {
      const lets = waysIn.some((column) => write.set[column] !== undefined) && write.set.disabled_at == null
      const isOwn = `person:${write.key.name}` === holder
      return lets && !isOwn ? [{ update: 'people', key: write.key, set: mark }] : []
    }
    if ('insert' in write && write.insert === 'invitations') {
      const { name } = write.values
      return [{ update: 'invitations', key: { name }, set: mark }]
    }
    if ('update' in write && write.update === 'invitations')
      return [{ update: 'invitations', key: write.key, set: mark }]
    return []
  })
}
