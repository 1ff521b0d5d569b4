/** Provisioning: parties, networks, limits, deposits and rates, from one declarative file. */
import { factByName } from '../../persistence/queries/node.ts'
import { type Decision, row, type Write } from '../../persistence/store.ts'
import { type Operation, OperationError } from './operation.ts'
import { readProvisioningFile } from './provisioning-file.ts'
import { readKnown } from './provisioning-known.ts'
import { type Applied, planProvisioning } from './provisioning-plan.ts'
import { isObject, Problems } from './reading.ts'

/** Counts what was changed: a plan holds for the database it was made for, and for no other state of it. */
const revisionFact = 'provisioning'

const maxAttempts = 10

/**
 * Applies a file whole or not at all; again, it changes nothing. `apply` names every bad place by its path.
 */
export const apply: Operation<Record<string, unknown>, Applied> = {
  name: 'apply',
  summary: 'Make parties, networks, limits, deposits and rates what a file says.',
  // What is in it is read by hand: a schema cannot say that "1.005" is not an amount of MXN.
  input: { type: 'object' },
  isRead: false,
  audited: withoutSecrets,
  async run({ store, vault }, input) {
    const problems = new Problems()
    const file = readProvisioningFile(input, problems)
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const [revision] = await store.query(factByName, { name: revisionFact })
      const known = await readKnown(store, file)
      const result = await store.step({
        rows: { revision: row('facts', { name: revisionFact }) },
        decide: (rows, at): Decision<Applied | null> => {
          if (rows.revision?.value !== revision?.value) return { answer: null, writes: [] }
          const { plan, problems: more } = planProvisioning(file, known, vault, at)
          const lines = [...problems.lines, ...more.lines]
          if (lines.length > 0) throw badFile(lines)
          if (plan.writes.length === 0) return { answer: plan.applied, writes: [] }
          const writes = [...plan.writes, nextRevision(revision?.value)]
          return { answer: plan.applied, writes, wake: plan.wake }
        },
      })
      // Somebody else changed it meanwhile: the plan was made for what is no more.
      if (result.outcome === 'violated' || result.answer === null) continue
      return result.answer
    }
    throw new OperationError('conflict', 'Others keep changing the parties; nothing was changed.', {
      hint: 'Apply the file again.',
    })
  },
}

function nextRevision(present: string | undefined): Write {
  if (present === undefined) return { insert: 'facts', values: { name: revisionFact, value: '1' } }
  return { update: 'facts', key: { name: revisionFact }, set: { value: String(Number(present) + 1) } }
}

function badFile(lines: readonly string[]): OperationError {
  const places = lines.length === 1 ? 'one bad place' : `${lines.length} bad places`
  return new OperationError('invalid', `The file has ${places}; nothing was changed.`, { details: lines })
}

/** The file as the audit log keeps it. */
function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, name === 'secret' ? '***' : withoutSecrets(member)]),
  )
}
