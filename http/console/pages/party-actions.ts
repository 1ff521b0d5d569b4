/** What the forms of merchants and providers ask for. */
import { depositAdd, depositReverse } from '../../../actors/operations/deposits.ts'
import { keyRevoke, keyRotate } from '../../../actors/operations/keys.ts'
import { partyFreeze, partyUnfreeze } from '../../../actors/parties/operations.ts'
import { partyPath } from '../cells.ts'
import { operationAction } from '../forms.ts'
import type { DoneName } from '../notices.ts'
import type { Action, Done, FormValues } from '../page.ts'

/** To the page of the party that the form was on. */
const toParty =
  (done: DoneName) =>
  (_: unknown, values: FormValues): Done => ({
    kind: 'go',
    to: partyPath(
      values.kind === 'provider' ? 'provider' : 'merchant',
      values.name ?? values.party ?? values.merchant ?? '',
    ),
    done,
  })

export const partyActions: readonly Action[] = [
  operationAction('/parties/freeze', partyFreeze, toParty('frozen')),
  operationAction('/parties/unfreeze', partyUnfreeze, toParty('unfrozen')),
  operationAction('/keys/rotate', keyRotate, (made) => {
    const others = made.others.map(({ key }) => key).join(', ')
    return {
      kind: 'show',
      view: {
        title: `A new key for ${made.party}`,
        crumb: { href: partyPath(made.kind, made.party), text: made.party },
        blocks: [
          {
            kind: 'secret',
            label: `The secret of ${made.key}, shown only once`,
            value: made.secret,
            note: 'Pass it to the party through a safe channel. It cannot be shown again.',
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
  }),
  operationAction('/keys/revoke', keyRevoke, toParty('revoked')),
  operationAction('/merchants/deposit', depositAdd, toParty('deposited')),
  operationAction('/merchants/reverse', depositReverse, toParty('reversed')),
]
