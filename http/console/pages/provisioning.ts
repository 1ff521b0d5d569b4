/** Parties, limits, deposits and rates from a file, as `ventanilla apply` has them. */

import { parseJson } from '../../../actors/foundation/json-text.ts'
import { OperationError } from '../../../actors/foundation/operation.ts'
import { isObject } from '../../../actors/foundation/reading.ts'
import { apply } from '../../../actors/provisioning/operations.ts'
import type { AppliedParty } from '../../../actors/provisioning/plan.ts'
import type { Block } from '../blocks.ts'
import { formPath } from '../forms.ts'
import type { Action, PageRequest } from '../page.ts'
import type { Texts } from '../texts/index.ts'

/** A form is read up to 64 KiB; what is longer is for the command. */
const maxLength = 40_000

export function applyForms({ may }: PageRequest): Block[] {
  if (!may(apply)) return []
  const form = {
    action: formPath(apply),
    title: (texts: Texts) => texts.provisioning.applyAFile,
    lead: (texts: Texts) => texts.provisioning.setsUpPartiesNetworksLimits,
    button: (texts: Texts) => texts.provisioning.apply,
    fields: [
      {
        name: 'file',
        label: (texts: Texts) => texts.provisioning.fileJson,
        type: 'area' as const,
        maxLength,
        hint: (texts: Texts) => texts.provisioning.forExampleProvidersNameNetwork,
      },
      {
        name: 'new',
        label: (texts: Texts) => texts.provisioning.acceptANewNameThat,
        type: 'check' as const,
        isOptional: true,
      },
    ],
    hidden: {},
  }
  return [{ kind: 'form', form }]
}

export const provisioningActions: readonly Action[] = [
  {
    path: formPath(apply),
    name: apply.name,
    async run({ ask }, { file = '', new: areNew }) {
      const document = readFile(file)
      const input = areNew === undefined ? document : { ...document, new: true }
      const { merchants, providers, changes } = await ask(apply, input)
      return {
        kind: 'show',
        view: {
          title:
            changes.length === 0
              ? (texts) => texts.provisioning.nothingToChange
              : (texts) => texts.provisioning.theFileIsApplied,
          crumb: { href: '/parties', text: (texts) => texts.common.merchantsAndProviders },
          blocks: [
            ...[...merchants, ...providers].flatMap(secretsOf),
            {
              kind: 'table',
              label: (texts) => texts.provisioning.whatWasChanged,
              empty: (texts) => texts.provisioning.nothingWasChanged,
              columns: [{ label: (texts) => texts.provisioning.changed }],
              rows: changes.map((change) => [change]),
            },
          ],
        },
      }
    },
  },
]

function readFile(text: string): Record<string, unknown> {
  const read = parseJson(text)
  const isMember = read.ok && isObject(read.value) && Object.hasOwn(read.value, 'new')
  if (read.ok && isObject(read.value) && !isMember) return read.value
  const other = isMember
    ? (texts: Texts) => texts.provisioning.hasAMemberNewUse
    : (texts: Texts) => texts.provisioning.isNotAnObject
  const problem = read.ok ? other : read.problem
  throw new OperationError('invalid', 'The file cannot be applied; nothing was changed.', {
    details: [`the file ${problem}`],
  })
}

function secretsOf({ name, credentials }: AppliedParty): Block[] {
  return credentials.flatMap(({ key, secret }): Block[] =>
    secret === undefined
      ? []
      : [
          {
            kind: 'secret',
            label: (texts) => texts.provisioning.theSecretOfOfShown(key, name),
            value: secret,
            note: (texts) => texts.common.passItToTheParty,
          },
        ],
  )
}
