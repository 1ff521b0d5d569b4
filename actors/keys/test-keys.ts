/** Keys that say of themselves that they are for trying things out: `mk_test_…` and `pk_test_…`. */

/** Before what a node of a sandbox makes up. */
export const testInfix = 'test_'

export function isTestKey(key: string): boolean {
  return /^[mp]k_test_/.test(key)
}
