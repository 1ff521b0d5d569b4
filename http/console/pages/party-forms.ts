/** What an operator may do with a merchant or a provider, as far as their role goes. */
import { depositAdd } from '../../../actors/operations/deposits.ts'
import { keyRevoke, keyRotate } from '../../../actors/operations/keys.ts'
import type { MerchantDocument } from '../../../actors/parties/merchants.ts'
import {
  type CredentialDocument,
  type PartyDocument,
  partyFreeze,
  partyUnfreeze,
} from '../../../actors/parties/operations.ts'
import { webhookPause, webhookRetry, webhookSwitchKey } from '../../../actors/webhooks/delivery-operations.ts'
import type { Block, Field } from '../blocks.ts'
import { code, state, time } from '../cells.ts'
import type { PageRequest } from '../page.ts'

const reason: Field = { name: 'reason', label: 'Why', type: 'text', hint: 'Kept in the audit log.' }

export function freezeForms({ may }: PageRequest, { name, kind, frozen }: PartyDocument): Block[] {
  const hidden = { name, kind }
  if (frozen !== null && may(partyUnfreeze)) {
    const form = {
      action: '/parties/unfreeze',
      title: 'Let it go on',
      button: 'Unfreeze',
      fields: [reason],
      hidden,
    }
    return [{ kind: 'form', form }]
  }
  if (frozen !== null || !may(partyFreeze)) return []
  const lead =
    kind === 'merchant'
      ? 'It can make no orders, and those it has cannot be started. What is under way goes on.'
      : 'It can start no orders. What it holds it may confirm or give back.'
  const form = {
    action: '/parties/freeze',
    title: 'Freeze',
    lead,
    button: 'Freeze',
    isDanger: true,
    fields: [reason],
    hidden,
  }
  return [{ kind: 'form', form }]
}

export function merchantForms(request: PageRequest, shown: MerchantDocument): Block[] {
  const { may } = request
  const merchant = shown.name
  const forms = freezeForms(request, shown)
  if (may(depositAdd)) {
    const currencies = [...new Set(shown.pairs.map(({ currency }) => currency))]
    const reference: Field = {
      name: 'reference',
      label: 'Reference',
      type: 'text',
      maxLength: 200,
      hint: 'The bank’s; each is booked once.',
    }
    forms.push({
      kind: 'form',
      form: {
        action: '/merchants/deposit',
        title: 'Book a deposit',
        button: 'Book it',
        hidden: { merchant },
        fields: [
          { name: 'amount', label: 'Amount', type: 'text', hint: 'For example 1000.00' },
          {
            name: 'currency',
            label: 'Currency',
            type: 'select',
            options: currencies.map((it) => [it, it] as const),
          },
          reference,
          reason,
        ],
      },
    })
    forms.push({
      kind: 'form',
      form: {
        action: '/merchants/reverse',
        title: 'Reverse a deposit',
        lead: 'What was spent already becomes a debt, and what arrives later repays it.',
        button: 'Reverse it',
        isDanger: true,
        hidden: { merchant },
        fields: [{ ...reference, hint: 'Of the deposit that was a mistake.' }, reason],
      },
    })
  }
  return [...forms, ...webhookForms(request, shown)]
}

function webhookForms({ may, now }: PageRequest, { name: merchant, credentials }: MerchantDocument): Block[] {
  const forms: Block[] = []
  if (may(webhookRetry)) {
    const since: Field = {
      name: 'since',
      label: 'Dead since (UTC)',
      type: 'datetime-local',
      value: new Date(now - 86_400_000).toISOString().slice(0, 16),
    }
    forms.push({
      kind: 'form',
      form: {
        action: '/merchants/retry-webhooks',
        title: 'Send its dead letters again',
        button: 'Send again',
        fields: [
          since,
          {
            name: 'until',
            label: 'Until (UTC)',
            type: 'datetime-local',
            isOptional: true,
            hint: 'Until now unless you say it.',
          },
        ],
        hidden: { merchant },
      },
    })
  }
  if (may(webhookPause)) {
    const title = 'Pause its webhooks'
    const lead = 'Nothing is sent until they are resumed, and nothing is given up meanwhile.'
    const hidden = { merchant }
    forms.push({
      kind: 'form',
      form: { action: '/merchants/pause-webhooks', title, lead, button: 'Pause', fields: [], hidden },
    })
    forms.push({
      kind: 'form',
      form: {
        action: '/merchants/resume-webhooks',
        title: 'Resume its webhooks',
        button: 'Resume',
        fields: [],
        hidden,
      },
    })
  }
  const live = credentials.filter(({ revoked }) => revoked === null)
  if (may(webhookSwitchKey) && live.length > 1) {
    const key: Field = {
      name: 'key',
      label: 'Key',
      type: 'select',
      options: live.map((it) => [it.key, it.key] as const),
    }
    forms.push({
      kind: 'form',
      form: {
        action: '/merchants/webhook-key',
        title: 'Choose the key of its webhooks',
        lead: 'They move to a new key by themselves with its first request; this is for a merchant that makes none.',
        button: 'Choose',
        fields: [key],
        hidden: { merchant },
      },
    })
  }
  return forms
}

export function keysOf(
  { may }: PageRequest,
  party: PartyDocument & { credentials: CredentialDocument[] },
): Block[] {
  const { name, kind, credentials } = party
  const live = credentials.filter(({ revoked }) => revoked === null)
  const blocks: Block[] = [
    { kind: 'heading', text: 'Keys' },
    {
      kind: 'table',
      label: 'Keys',
      empty: 'It has none.',
      columns: [
        { label: 'Key' },
        { label: 'State' },
        { label: 'Made' },
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
  ]
  if (may(keyRotate)) {
    blocks.push({
      kind: 'form',
      form: {
        action: '/keys/rotate',
        title: 'Give it a new key',
        lead: 'Beside the present one: both are live until you revoke the old one. The secret is shown once.',
        button: 'Make a key',
        fields: [{ ...reason, isOptional: true }],
        hidden: { party: name, kind },
      },
    })
  }
  if (may(keyRevoke) && live.length > 0) {
    blocks.push({
      kind: 'form',
      form: {
        action: '/keys/revoke',
        title: 'Revoke a key',
        lead: 'At once: it signs nothing any more, neither requests nor webhooks.',
        button: 'Revoke',
        isDanger: true,
        fields: [
          { name: 'key', label: 'Key', type: 'select', options: live.map((it) => [it.key, it.key] as const) },
          { name: 'force', label: 'Also if it is the last live one', type: 'check', isOptional: true },
          { ...reason, isOptional: true },
        ],
        hidden: { party: name, kind },
      },
    })
  }
  return blocks
}
