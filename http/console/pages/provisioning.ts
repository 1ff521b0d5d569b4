/** Parties, limits, deposits and rates from a file, as `ventanilla apply` has them. */

import { parseJson } from '../../../actors/foundation/json-text.ts'
import { OperationError } from '../../../actors/foundation/operation.ts'
import { isObject } from '../../../actors/foundation/reading.ts'
import { apply } from '../../../actors/provisioning/operations.ts'
import type { AppliedParty } from '../../../actors/provisioning/plan.ts'
import type { Block } from '../blocks.ts'
import type { Action, PageRequest } from '../page.ts'

/** A form is read up to 64 KiB; what is longer is for the command. */
const maxLength = 40_000

export function applyForms({ may }: PageRequest): Block[] {
  if (!may(apply)) return []
  const form = {
    action: '/parties/apply',
    title: 'Apply a file',
    lead:
      'Makes parties, networks, limits, deposits and rates what the file says, all of it or nothing; what it does ' +
      'not mention stays. Secrets that are made are shown once.',
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
        label: 'A name that looks like that of another party or network is meant so',
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
    path: '/parties/apply',
    async run({ ask }, { file = '', new: areNew }) {
      const document = readFile(file)
      const input = areNew === undefined ? document : { ...document, new: true }
      const { merchants, providers, changes } = await ask(apply, input)
      return {
        kind: 'show',
        view: {
          title: changes.length === 0 ? 'Everything was so already' : 'The file is applied',
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
  const other = isMember ? 'has a member new, which is the box below it' : 'is not an object'
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
            label: `The secret of ${key}, of ${name}, shown this once`,
            value: secret,
            note: 'Give it to the party by a safe way. Nobody can show it again.',
          },
        ],
  )
}
