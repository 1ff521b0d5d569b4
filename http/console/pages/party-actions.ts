/** What the forms of merchants and providers ask for. */
import { depositReverse } from '../../../actors/operations/deposits.ts'
import { keyRotate } from '../../../actors/operations/keys.ts'
import { webhookRotateSecret } from '../../../actors/operations/webhook-secrets.ts'
import { partyPath } from '../cells.ts'
import { operationAction } from '../forms.ts'
import type { Action } from '../page.ts'
import { preview } from './posted.ts'

export const partyActions: readonly Action[] = [
  // What is taken back is shown before it is.
  operationAction(depositReverse, ({ dryRun, postings, merchant }) =>
    dryRun
      ? preview(
          postings,
          { href: partyPath('merchant', merchant), text: () => merchant },
          { doIt: ({ partyForms }) => partyForms.reverseIt },
        )
      : { kind: 'go' },
  ),
  operationAction(keyRotate, (made) => {
    const others = made.others.map(({ key }) => key).join(', ')
    return {
      kind: 'show',
      view: {
        title: (texts) => texts.partyActions.aNewKeyFor(made.party),
        crumb: { href: partyPath(made.kind, made.party), text: made.party },
        blocks: [
          {
            kind: 'secret',
            label: (texts) => texts.partyActions.theSecretOfShownOnly(made.key),
            value: made.secret,
            note: (texts) => texts.common.passItToTheParty,
          },
          {
            kind: 'facts',
            items: [
              [(texts) => texts.common.key, { text: made.key, isCode: true }],
              [(texts) => texts.partyActions.liveBesideIt, others],
            ],
          },
          { kind: 'text', text: others === '' ? '' : (texts) => texts.partyActions.revokeTheOldKeyOnce },
        ],
      },
    }
  }),
  operationAction(webhookRotateSecret, ({ merchant, secret, formerUntil }) => ({
    kind: 'show',
    view: {
      title: (texts) => texts.partyActions.aSecretForTheWebhooksOf(merchant),
      crumb: { href: partyPath('merchant', merchant), text: merchant },
      blocks: [
        {
          kind: 'secret',
          label: (texts) => texts.partyActions.theWebhookSecretShownOnly,
          value: secret,
          note: (texts) => texts.common.passItToTheParty,
        },
        {
          kind: 'text',
          text:
            formerUntil === null
              ? ''
              : (texts, view) => texts.partyActions.theFormerSecretSignsUntil(view.time(formerUntil)),
        },
      ],
    },
  })),
]
