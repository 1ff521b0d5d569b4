/** Parties, limits, deposits and rates from a file, as `ventanilla apply` has them. */

import { parseJson } from '../../../actors/foundation/json-text.ts'
import { OperationError } from '../../../actors/foundation/operation.ts'
import { isObject } from '../../../actors/foundation/reading.ts'
import { apply } from '../../../actors/provisioning/operations.ts'
import type { AppliedParty } from '../../../actors/provisioning/plan.ts'
import type { Block } from '../blocks.ts'
import { formPath } from '../forms.ts'
import type { Action, PageRequest } from '../page.ts'

/** A form is read up to 64 KiB; what is longer is for the command. */
const maxLength = 40_000

export function applyForms({ may }: PageRequest): Block[] {
  if (!may(apply)) return []
  const form = {
    action: formPath(apply),
    title: 'Apply a file',
    lead:
      'Sets up parties, networks, limits, terms, deposits and rates from the file, all of it or nothing. ' +
      'What it does not mention is left alone. New secrets are shown once.',
    button: 'Apply',
    fields: [
      {
        name: 'file',
        label: 'File (JSON)',
        type: 'area' as const,
        maxLength,
        hint: 'For example {"providers": [{"name": "Network", "credentials": [{"key": "pk_1"}], "networks": ["0001"]}]}',
      },
      {
        name: 'new',
        label: 'Accept a new name that looks like an existing one',
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
          title: changes.length === 0 ? 'Nothing to change' : 'The file is applied',
          crumb: { href: '/parties', text: 'Merchants and providers' },
          blocks: [
            ...[...merchants, ...providers].flatMap(secretsOf),
            {
              kind: 'table',
              label: 'What was changed',
              empty: 'Nothing was changed.',
              columns: [{ label: 'Changed' }],
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
  const other = isMember ? 'has a member `new`; use the checkbox below instead' : 'is not an object'
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
            label: `The secret of ${key}, of ${name}, shown only once`,
            value: secret,
            note: 'Pass it to the party through a safe channel. It cannot be shown again.',
          },
        ],
  )
}
