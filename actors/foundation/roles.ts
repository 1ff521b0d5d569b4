/** What operators may do: each role may do what the ones before it may. */
import type { Role } from '../../persistence/schema-operators.ts'

export type { Role }

/** Looks; does the daily work with orders, exceptions and webhooks; moves money, keys and other operators. */
export const roles = ['viewer', 'operator', 'administrator'] as const satisfies readonly Role[]

export function isAtLeast(role: Role, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least)
}
