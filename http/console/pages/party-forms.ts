/** What an operator may do with a merchant or a provider, as far as their role goes. */
import { depositAdd, depositReverse } from '../../../actors/operations/deposits.ts'
import { keyRevoke, keyRotate } from '../../../actors/operations/keys.ts'
import type { MerchantDocument } from '../../../actors/parties/merchants.ts'
import {
  type CredentialDocument,
  type PartyDocument,
  partyFreeze,
  partyUnfreeze,
} from '../../../actors/parties/operations.ts'
import {
  webhookPause,
  webhookResume,
  webhookRetry,
  webhookSwitchKey,
} from '../../../actors/webhooks/delivery-operations.ts'
import type { Block } from '../blocks.ts'
import { code, state, time } from '../cells.ts'
import { dayBefore, oneOf, operationForm } from '../forms.ts'
import type { PageRequest } from '../page.ts'

export function freezeForms(request: PageRequest, { name, kind, frozen }: PartyDocument): Block[] {
  const hidden = { name, kind }
  if (frozen !== null) {
    return operationForm(request, partyUnfreeze, {
      title: 'Unfreeze',
      button: 'Unfreeze',
      fields: ['reason'],
      hidden,
    })
  }
  return operationForm(request, partyFreeze, {
    title: 'Freeze',
    lead:
      kind === 'merchant'
        ? 'It can create no orders, and its READY orders cannot be started. Started payments can be finished.'
        : 'It can start no orders. It may still confirm or release those it holds.',
    button: 'Freeze',
    isDanger: true,
    fields: ['reason'],
    hidden,
  })
}

export function merchantForms(request: PageRequest, shown: MerchantDocument): Block[] {
  const hidden = { merchant: shown.name }
  const currencies = [...new Set(shown.pairs.map(({ currency }) => currency))]
  return [
    ...freezeForms(request, shown),
    ...operationForm(request, depositAdd, {
      title: 'Book a deposit',
      button: 'Book it',
      fields: ['amount', 'currency', 'reference', 'reason'],
      adjusted: { currency: oneOf(currencies) },
      hidden,
    }),
    ...operationForm(request, depositReverse, {
      title: 'Reverse a deposit',
      lead: 'What has been spent becomes a debt, which later deposits repay.',
      button: 'Reverse it',
      isDanger: true,
      fields: ['reference', 'reason'],
      adjusted: { reference: { hint: 'The reference of the deposit to reverse.' } },
      hidden,
    }),
    ...webhookForms(request, shown),
  ]
}

function webhookForms(
  request: PageRequest,
  { name: merchant, credentials, webhooksPaused }: MerchantDocument,
): Block[] {
  const hidden = { merchant }
  const live = credentials.filter(({ revoked }) => revoked === null)
  return [
    ...operationForm(request, webhookRetry, {
      title: 'Resend its dead letters',
      button: 'Send again',
      fields: ['since', 'until'],
      adjusted: { since: { isOptional: false, value: dayBefore(request.now) } },
      hidden,
    }),
    ...(webhooksPaused === null
      ? operationForm(request, webhookPause, {
          title: 'Pause its webhooks',
          lead: 'Nothing is sent until you resume them; nothing is given up meanwhile.',
          button: 'Pause',
          fields: [],
          hidden,
        })
      : operationForm(request, webhookResume, {
          title: 'Resume its webhooks',
          lead: 'What has waited meanwhile is sent.',
          button: 'Resume',
          fields: [],
          hidden,
        })),
    ...(live.length < 2
      ? []
      : operationForm(request, webhookSwitchKey, {
          title: 'Switch the key of its webhooks',
          lead: "Webhooks switch to a new key with the merchant's first request that uses it; do it here for a merchant that makes none.",
          button: 'Choose',
          fields: ['key'],
          adjusted: { key: oneOf(live.map(({ key }) => key)) },
          hidden,
        })),
  ]
}

export function keysOf(
  request: PageRequest,
  party: PartyDocument & { credentials: CredentialDocument[] },
): Block[] {
  const { name, kind, credentials } = party
  const live = credentials.filter(({ revoked }) => revoked === null)
  const hidden = { party: name, kind }
  return [
    { kind: 'heading', text: 'Keys' },
    {
      kind: 'table',
      label: 'Keys',
      empty: 'It has none.',
      columns: [
        { label: 'Key' },
        { label: 'State' },
        { label: 'Created' },
        { label: 'First used' },
        { label: 'Last used' },
      ],
      rows: credentials.map((key) => [
        code(key.key),
        state(key.revoked === null ? 'live' : 'revoked'),
        time(key.created),
        time(key.firstUsed),
        time(key.lastUsed),
      ]),
    },
    ...operationForm(request, keyRotate, {
      title: 'Add a key',
      lead: 'Both keys are live until you revoke the old one. The secret is shown once.',
      button: 'Make a key',
      fields: ['reason'],
      hidden,
    }),
    ...(live.length === 0
      ? []
      : operationForm(request, keyRevoke, {
          title: 'Revoke a key',
          lead: 'It stops working at once, for requests and webhooks.',
          button: 'Revoke',
          isDanger: true,
          fields: ['key', 'force', 'reason'],
          adjusted: { key: oneOf(live.map(({ key }) => key)) },
          hidden,
        })),
  ]
}
