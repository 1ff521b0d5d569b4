/** Provisioning: parties, networks, limits, deposits and rates, from one declarative file. */

import { flag, optional, propertiesOf } from '../foundation/fields.ts'
import { type Operation, OperationError } from '../foundation/operation.ts'
import { isObject, Problems } from '../foundation/reading.ts'
import type { ChangingVault } from '../keys/changing-vault.ts'
import { judgeUrl as judgeTarget } from '../outbound/target.ts'
import { changeProvisioning } from '../parties/revision.ts'
import type { RateContext } from '../rates/operations.ts'
import { besideDeposits } from './deposit-lines.ts'
import { readProvisioningFile } from './file.ts'
import { readKnown } from './known.ts'
import { type Applied, planProvisioning } from './plan.ts'

/** What provisioning needs of the node. */
export interface ProvisioningContext extends RateContext {
  vault: ChangingVault
}

const besidesFile = {
  new: optional(
    flag({
      description: 'Accept new names that look like existing ones. Not a member of a file.',
      option: ['--new', 'accept a new name that looks like an existing one'],
    }),
  ),
}

/**
 * Applies a file whole or not at all; again, it changes nothing. `apply` names every bad place by its path.
 */
export const apply: Operation<Record<string, unknown>, Applied, ProvisioningContext> = {
  name: 'apply',
  summary: 'Set up parties, networks, limits, terms, deposits and rates from a file.',
  // What is in it is read by hand: a schema cannot say that "1.005" is not an amount of MXN.
  input: { type: 'object', properties: propertiesOf(besidesFile) },
  fields: besidesFile,
  arguments: [],
  isRead: false,
  audited: withoutSecrets,
  run: (context, { new: areNew = false, ...document }) =>
    applyDocument(context, document, areNew === true, badFile),
}

/** @param refuse what to throw for bad places, each a line */
export function applyDocument(
  { store, clock, vault, rates }: ProvisioningContext,
  document: Record<string, unknown>,
  areNew: boolean,
  refuse: (lines: readonly string[]) => OperationError,
): Promise<Applied> {
  const problems = new Problems()
  const judgeUrl = (url: URL) => judgeTarget(url, rates.rules)
  const file = readProvisioningFile(document, problems, judgeUrl)
  return changeProvisioning(store, {
    read: () => readKnown(store, file, clock.now()),
    besides: (known) => besideDeposits(file, known),
    decide: (known, at, lines) => {
      const { plan, problems: more } = planProvisioning(file, known, { vault, at, areNew, lines })
      const wrong = [...problems.lines, ...more.lines]
      if (wrong.length > 0) throw refuse(wrong)
      return { answer: plan.applied, writes: plan.writes, wake: plan.wake }
    },
  })
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
