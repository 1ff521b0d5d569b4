/** What usually goes wrong with what takes two people. */
import { newPerson } from '../../../actors/people/accounts.ts'
import type { Store } from '../../../persistence/store.ts'
import { commit } from '../../support/order-world.ts'
import { type Case, surroundings } from './doctor-world.ts'

async function addAdministrators(store: Store, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const person = { name, role: 'administrator', party_id: null, passwordHash: 'none' } as const
    const values = newPerson({ ...person, at: 0 })
    await store.step({ rows: {}, decide: () => ({ answer: null, writes: [{ insert: 'people', values }] }) })
  }
}

async function setThreshold(store: Store): Promise<void> {
  const key = { operation: '*', currency: 'MXN' }
  const values = { ...key, amount_minor: 100_000n, set_at: 0, set_by: 'ana', revision: 1 }
  await commit(store, [{ insert: 'approval_thresholds', values }])
}

export const approvalCases: readonly Case[] = [
  {
    when: 'two people could look at each other’s work, and nothing asks them to',
    async change({ store }) {
      await addAdministrators(store, ['ana', 'luis'])
      return surroundings({ mode: 'production' })
    },
    check: 'approvals',
    sees: /^no threshold is set: one person alone moves any amount$/,
    says: /approval set-threshold --currency MXN/,
  },
  {
    when: 'what takes two people has one',
    async change({ store }) {
      await addAdministrators(store, ['ana'])
      await setThreshold(store)
      return {}
    },
    check: 'approvals',
    sees: /^thresholds are set, and one administrator could approve$/,
    says: /operator invite/,
  },
  {
    when: 'one of two administrators has let the other in',
    async change({ store }) {
      await addAdministrators(store, ['ana', 'luis'])
      await commit(store, [{ update: 'people', key: { name: 'luis' }, set: { let_in_by: 'person:ana' } }])
      await setThreshold(store)
      return {}
    },
    check: 'approvals',
    sees: /^thresholds are set, and administrators who count as one person could approve$/,
    says: /operator invite/,
  },
  {
    when: 'a currency of the ledger has no threshold',
    async change({ store, deposit }) {
      await addAdministrators(store, ['ana', 'luis'])
      await setThreshold(store)
      await deposit(100n, 'COP')
      return {}
    },
    check: 'approvals',
    sees: /^COP: no threshold/,
    says: /for each of them/,
  },
]
