/** What the forms of merchants and providers ask for. */
import { keyRotate } from '../../../actors/operations/keys.ts'
import { partyPath } from '../cells.ts'
import { operationAction } from '../forms.ts'
import type { Action } from '../page.ts'

export const partyActions: readonly Action[] = [
  operationAction(keyRotate, (made) => {
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
]
