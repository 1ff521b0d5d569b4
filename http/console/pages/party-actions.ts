/** What the forms of merchants and providers ask for. */
import { depositAdd, depositReverse } from '../../../actors/operations/deposits.ts'
import { keyRevoke, keyRotate } from '../../../actors/operations/keys.ts'
import { partyFreeze, partyUnfreeze } from '../../../actors/parties/operations.ts'
import { partyPath } from '../cells.ts'
import { filled } from '../forms.ts'
import type { Action, FormValues } from '../page.ts'

const kindOf = ({ kind }: FormValues): 'merchant' | 'provider' =>
  kind === 'provider' ? 'provider' : 'merchant'

export const partyActions: readonly Action[] = [
  {
    path: '/parties/freeze',
    async run({ ask }, values) {
      const { name = '', reason = '' } = values
      await ask(partyFreeze, { name, reason, kind: kindOf(values) })
      return { kind: 'go', to: partyPath(kindOf(values), name), done: 'frozen' }
    },
  },
  {
    path: '/parties/unfreeze',
    async run({ ask }, values) {
      const { name = '', reason = '' } = values
      await ask(partyUnfreeze, { name, reason, kind: kindOf(values) })
      return { kind: 'go', to: partyPath(kindOf(values), name), done: 'unfrozen' }
    },
  },
  {
    path: '/keys/rotate',
    async run({ ask }, values) {
      const { party = '', reason = '' } = values
      const kind = kindOf(values)
      const made = await ask(keyRotate, { party, kind, ...filled({ reason }) })
      const others = made.others.map(({ key }) => key).join(', ')
      return {
        kind: 'show',
        view: {
          title: `A new key for ${made.party}`,
          crumb: { href: partyPath(kind, made.party), text: made.party },
          blocks: [
            {
              kind: 'secret',
              label: `The secret of ${made.key}, shown this once`,
              value: made.secret,
              note: 'Give it to the party by a safe way. Nobody can show it again.',
            },
            {
              kind: 'facts',
              items: [
                ['Key', { text: made.key, isCode: true }],
                ['Live beside it', others],
              ],
            },
            { kind: 'text', text: others === '' ? '' : 'Revoke the old key once the new one is in use.' },
          ],
        },
      }
    },
  },
  {
    path: '/keys/revoke',
    async run({ ask }, values) {
      const { key = '', reason = '', party = '', force } = values
      await ask(keyRevoke, { key, force: force === 'yes', ...filled({ reason }) })
      return { kind: 'go', to: partyPath(kindOf(values), party), done: 'revoked' }
    },
  },
  {
    path: '/merchants/deposit',
    async run({ ask }, { merchant = '', amount = '', currency = '', reference = '', reason = '' }) {
      await ask(depositAdd, { merchant, amount, currency, reference, reason })
      return { kind: 'go', to: partyPath('merchant', merchant), done: 'deposited' }
    },
  },
  {
    path: '/merchants/reverse',
    async run({ ask }, { merchant = '', reference = '', reason = '' }) {
      await ask(depositReverse, { merchant, reference, reason })
      return { kind: 'go', to: partyPath('merchant', merchant), done: 'reversed' }
    },
  },
]
