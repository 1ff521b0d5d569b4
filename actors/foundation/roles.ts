/** What operators may do: each role may do what the ones before it may. */
import type { Role } from '../../persistence/schema-people.ts'

export type { Role }

/** Looks; does the daily work with orders, exceptions and webhooks; moves money, keys and other operators. */
export const roles = ['viewer', 'operator', 'administrator'] as const satisfies readonly Role[]

export function isAtLeast(role: Role, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least)
}

/** @throws Error for a role that no operator has: who asked for people of parties among operators has made a mistake. */
export function operatorRole(role: string): Role {
  const known = roles.find((each) => each === role)
  if (known === undefined) throw new Error(`An operator has the role ${role}.`)
  return known
}
