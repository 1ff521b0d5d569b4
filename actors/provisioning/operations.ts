/** Provisioning: parties, networks, limits, deposits and rates, from one declarative file. */

import type { Instant } from '../../machines/time.ts'
import { flag, optional, propertiesOf, reason, text } from '../foundation/fields.ts'
import { type Operation, OperationError } from '../foundation/operation.ts'
import { isObject, Problems } from '../foundation/reading.ts'
import type { Surroundings } from '../foundation/surroundings.ts'
import type { ChangingVault } from '../keys/changing-vault.ts'
import { isTestKey } from '../keys/test-keys.ts'
import { judgeUrl as judgeTarget } from '../outbound/target.ts'
import { changeProvisioning } from '../parties/revision.ts'
import type { RateContext } from '../rates/operations.ts'
import { counted } from '../terms/plan.ts'
import { besideDeposits } from './deposit-lines.ts'
import { differencesOf, previewDigest } from './differences.ts'
import { type ProvisioningFile, readProvisioningFile } from './file.ts'
import { type Known, readKnown } from './known.ts'
import { type Applied, type AppliedParty, type Plan, planProvisioning } from './plan.ts'

/** What provisioning needs of the node. */
export interface ProvisioningContext extends RateContext {
  vault: ChangingVault
  surroundings: Pick<Surroundings, 'mode'>
}

/** What is said beside the file: no member of it. */
export const besidesFile = {
  new: optional(
    flag({
      description: 'Accept new names that look like existing ones. Not a member of a file.',
      option: ['--new', 'accept a new name that looks like an existing one'],
    }),
  ),
  dryRun: optional(
    flag({
      description:
        'Show what it would change and what is refused, and change nothing. Not a member of a file.',
      option: ['--dry-run', 'show what it would change, member by member, and change nothing'],
    }),
  ),
  digest: optional(
    text({
      description:
        'That of a dry run: refused as a conflict where it would come to anything else now. Not a member of a file.',
      pattern: '^[0-9a-f]{64}$',
      option: ['--digest <digest>', 'apply only what a dry run with this digest has shown'],
    }),
  ),
  reason: optional(reason('For the audit log. Not a member of a file.')),
}

/**
 * Applies a file whole or not at all; again, it changes nothing. `apply` names every bad place by its path.
 */
export const apply: Operation<Record<string, unknown>, Applied, ProvisioningContext, 'apply'> = {
  name: 'apply',
  summary: 'Set up parties, networks, limits, terms, deposits and rates from a file.',
  // What is in it is read by hand: a schema cannot say that "1.005" is not an amount of MXN.
  input: { type: 'object', properties: propertiesOf(besidesFile) },
  fields: besidesFile,
  arguments: [],
  isRead: false,
  done: 'The changes are applied.',
  audited: withoutSecrets,
  concluded: ({ changes, dryRun }) => `${dryRun ? 'would change ' : ''}${counted(changes.length, 'change')}`,
  run: (context, { new: areNew = false, dryRun = false, digest, reason: _, ...document }) =>
    applyDocument(context, document, {
      areNew: areNew === true,
      isDry: dryRun === true,
      digest: typeof digest === 'string' ? digest : null,
      refuse: badFile,
    }),
}

export interface ApplyOptions {
  areNew: boolean
  /** Nothing is written, and bad places are told with what would be changed but for them. */
  isDry: boolean
  /** What it has to come to; `null` for whatever it comes to. */
  digest: string | null
  /** What to throw for bad places, each a line. */
  refuse(lines: readonly string[]): OperationError
}

export function applyDocument(
  { store, clock, vault, rates, surroundings }: ProvisioningContext,
  document: Record<string, unknown>,
  { areNew, isDry, digest: expected, refuse }: ApplyOptions,
): Promise<Applied> {
  const problems = new Problems()
  const judgeUrl = (url: URL) => judgeTarget(url, rates.rules)
  const file = readProvisioningFile(document, problems, judgeUrl)
  if (surroundings.mode === 'production') refuseTestKeys(file, problems)
  return changeProvisioning(store, {
    read: () => readKnown(store, file, clock.now()),
    besides: (known) => besideDeposits(file, known),
    decide: (known, at, lines) => {
      const { plan, problems: more } = planProvisioning(file, known, { vault, at, areNew, lines })
      const wrong = [...problems.lines, ...more.lines]
      if (wrong.length > 0 && !isDry) throw refuse(wrong)
      const applied = appliedOf(plan, wrong, { known, at, isDry })
      if (expected !== null && expected !== applied.digest) throw somethingMoved()
      const writes = isDry ? [] : plan.changes.flatMap((change) => change.writes)
      return { answer: applied, writes, wake: isDry ? [] : plan.wake }
    },
  })
}

function refuseTestKeys({ merchants, providers }: ProvisioningFile, problems: Problems): void {
  for (const { path, key } of [...merchants, ...providers].flatMap(({ credentials }) => credentials)) {
    if (!isTestKey(key)) continue
    problems.add(path, `${key} is a key of a sandbox by its name; this node is in production`)
  }
}

function appliedOf(
  { changes, parties }: Plan,
  problems: string[],
  { known, at, isDry }: { known: Known; at: Instant; isDry: boolean },
): Applied {
  const { merchants, providers } = parties
  const made = [...merchants, ...providers].flatMap(({ credentials }) =>
    credentials.flatMap(({ key, secret }) => (secret === undefined ? [] : [key])),
  )
  const differences = differencesOf(changes, { known, at, madeKeys: new Set(made) })
  // A secret that was made to be looked at is nobody's.
  const shown = (all: AppliedParty[]) => (isDry ? all.map(withoutMade) : all)
  return {
    merchants: shown(merchants),
    providers: shown(providers),
    changes: changes.map(({ what }) => what),
    dryRun: isDry,
    differences,
    problems,
    digest: previewDigest(differences, problems),
  }
}

function withoutMade({ name, credentials }: AppliedParty): AppliedParty {
  return { name, credentials: credentials.map(({ key }) => ({ key })) }
}

function somethingMoved(): OperationError {
  return new OperationError(
    'conflict',
    'Something has changed since it was shown, and it would come to something else now; nothing was changed.',
    { hint: 'Look at what it would change now: apply --dry-run.' },
  )
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
