/** Second factors that are lost. */
import { endSessionsOf, passkeysOf, recoveryCodesOf } from '../../persistence/queries/people.ts'
import type { Write } from '../../persistence/store.ts'
import { type Decision, row } from '../../persistence/store.ts'
import { defineOperation, type OperationContext, OperationError } from '../foundation/operation.ts'
import { withoutCodes, withoutTotp } from './enrolment.ts'
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
  async run({ store }: OperationContext, { name }): Promise<FactorsReset> {
    // Before and behind: a session that is still there when no factor is could add one of its own, without proving any.
    await store.execute(endSessionsOf, { name })
    const passkeys = await store.query(passkeysOf, { name })
    const codes = await store.query(recoveryCodesOf, { name })
    const result = await store.step({
      rows: { person: row('people', { name }) },
      decide: ({ person }): Decision<FactorsReset> => {
        if (person === null || person.party_id !== null) {
          throw new OperationError('not_found', `There is no operator ${name}.`, {
            hint: 'operator list shows their names.',
          })
        }
        const gone = passkeys.map(({ id }): Write => ({ delete: 'passkeys', key: { id } }))
        return {
          answer: { name, passkeys: gone.length, authenticator: person.totp_ciphertext !== null },
          writes: [{ update: 'people', key: { name }, set: withoutTotp }, ...gone, ...withoutCodes(codes)],
        }
      },
    })
    if (result.outcome === 'violated') throw new Error(`Resetting factors violated ${result.constraint}.`)
    await store.execute(endSessionsOf, { name })
    return result.answer
  },
})
