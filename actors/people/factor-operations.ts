/** Second factors that are lost. */
import { endSessionsOf } from '../../persistence/queries/people.ts'
import { type Decision, row, type Store, type Write } from '../../persistence/store.ts'
import { defineOperation, type OperationContext, OperationError } from '../foundation/operation.ts'
import { factorRows, withoutCodes, withoutTotp } from './enrolment.ts'
import { operatorName } from './operations.ts'

export interface FactorsReset {
  name: string
  passkeys: number
  authenticator: boolean
}

export const operatorResetFactors = defineOperation({
  name: 'operator.resetFactors',
  summary: "Remove an operator's passkeys, authenticator and recovery codes, and end their sessions.",
  examples: ['operator reset-factors luis'],
  fields: { name: operatorName },
  arguments: ['name'],
  isRead: false,
  concluded: ({ passkeys, authenticator }) =>
    `${passkeys} passkeys${authenticator ? ' and the authenticator' : ''} removed`,
  run: ({ store }: OperationContext, { name }): Promise<FactorsReset> => reset(store, name),
})

async function reset(store: Store, name: string): Promise<FactorsReset> {
  const { revision, passkeys, codes } = await factorRows(store, name)
  const result = await store.step({
    rows: { person: row('people', { name }) },
    decide: ({ person }): Decision<FactorsReset | null> => {
      if (person === null || person.party_id !== null) {
        throw new OperationError('not_found', `There is no operator ${name}.`, {
          hint: 'operator list shows their names.',
        })
      }
      // They have added or removed one meanwhile.
      if (person.revision !== revision) return { answer: null, writes: [] }
      const gone = passkeys.map(({ id }): Write => ({ delete: 'passkeys', key: { id } }))
      const set = { ...withoutTotp, revision: person.revision + 1 }
      return {
        answer: { name, passkeys: gone.length, authenticator: person.totp_ciphertext !== null },
        writes: [{ update: 'people', key: { name }, set }, ...gone, ...withoutCodes(codes)],
      }
    },
  })
  if (result.outcome === 'violated') throw new Error(`Resetting factors violated ${result.constraint}.`)
  if (result.answer === null) return reset(store, name)
  await store.execute(endSessionsOf, { name })
  return result.answer
}
