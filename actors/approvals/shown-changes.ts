/**
 * What a step changes where it posts nothing, a line each, as whoever approves reads it. The same lines are what is bound: they hold
 * nothing of the moment and nothing of chance.
 */
import { currencyName, formatPrice } from '../../machines/money.ts'
import type { TableName } from '../../persistence/schema.ts'
import type { Row, Write } from '../../persistence/store.ts'
import type { SeenStep } from '../foundation/looking-store.ts'

/** Ids that the step itself has made up, as what they are called by. */
export function newNames({ writes }: Pick<SeenStep, 'writes'>): ReadonlyMap<string, string> {
  return new Map(
    writes.flatMap((write) =>
      'insert' in write && write.insert === 'parties' ? [[write.values.id, write.values.name] as const] : [],
    ),
  )
}

/** Of what an operation says that it changes; otherwise of the rows themselves. */
export function changesOf(step: SeenStep): string[] {
  return saidIn(step.answer) ?? step.writes.flatMap((write) => changeOf(write, step.held))
}

/** Of `apply` and the operations on terms. */
function saidIn(answer: unknown): string[] | null {
  if (typeof answer !== 'object' || answer === null) return null
  if ('done' in answer) return saidIn(answer.done)
  return 'changes' in answer && Array.isArray(answer.changes) ? answer.changes.map(String) : null
}

type Values = Readonly<Record<string, unknown>>

/** @returns no line for what nobody has to be shown. */
type Show = (before: Values | null, after: Values | null) => readonly string[]

const shows: { readonly [Table in TableName]?: Show } = {
  people: (before, after) => {
    const name = String((after ?? before)?.name)
    if (before === null) return [`${name} is let in: ${after?.role}`]
    return [
      ...(before.role === after?.role ? [] : [`${name}: ${before.role} → ${after?.role}`]),
      ...(before.disabled_at === after?.disabled_at
        ? []
        : [after?.disabled_at === null ? `${name}: enabled` : `${name}: disabled`]),
      ...(before.password_hash === after?.password_hash ? [] : [`${name}: another password`]),
      ...(before.totp_ciphertext !== null && after?.totp_ciphertext === null
        ? [`${name}: authenticator removed`]
        : []),
    ]
  },
  passkeys: (before, after) => (before !== null && after === null ? ['a passkey is removed'] : []),
  invitations: (_, after) => (after === null ? [] : [`${after.name} is invited: ${after.role}`]),
  approval_thresholds: (before, after) => {
    const { operation, currency } = (after ?? before) as Row<'approval_thresholds'>
    const amount = (of: Values | null) =>
      of === null ? '–' : formatPrice((of as Row<'approval_thresholds'>).amount_minor, currency)
    return [`${operation} ${currencyName(currency)}: ${amount(before)} → ${amount(after)}`]
  },
  rates: (before, after) => [
    `${after?.send_currency} ${after?.country} ${after?.target_currency} ${after?.blockchain}: ${before?.rate ?? '–'} → ${after?.rate}`,
  ],
  parties: (before, after) => [
    ...(before !== null && before.frozen_at !== null && after?.frozen_at === null
      ? [`${before.name}: unfrozen`]
      : []),
    ...(before?.webhook_credential_key === after?.webhook_credential_key
      ? []
      : [`webhooks signed with ${after?.webhook_credential_key}`]),
    ...(before?.webhook_secret_ciphertext === after?.webhook_secret_ciphertext
      ? []
      : ['another secret of webhooks']),
  ],
  credentials: (before) => (before === null ? ['another key'] : []),
  calendars: (before, after) => (before === null ? [`calendar ${after?.name} is made`] : []),
  calendar_days: (before, after) => {
    if (after === null) return [`${before?.day}: –`]
    return [`${after.day}: ${String(after.note ?? '').trim() || 'closed'}`]
  },
}

/** A row that is not held is known by what is written of it alone. */
function changeOf(write: Write, held: SeenStep['held']): readonly string[] {
  if ('insert' in write) return shows[write.insert]?.(null, { ...write.values }) ?? []
  if (!('update' in write) && !('delete' in write)) return []
  const table = 'update' in write ? write.update : write.delete
  const show = shows[table]
  if (show === undefined) return []
  const key: Values = { ...write.key }
  const isIt = (row: Values) => Object.entries(key).every(([name, value]) => row[name] === value)
  const before = held.find((one) => one.table === table && isIt(one.row))?.row ?? key
  return show(before, 'update' in write ? { ...before, ...write.set } : null)
}
