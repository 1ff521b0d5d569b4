/** What an operator may do with a merchant or a provider, as far as their role goes. */
import { depositReverse } from '../../../actors/operations/deposits.ts'
import { keyRevoke, keyRotate } from '../../../actors/operations/keys.ts'
import { webhookDropSecret, webhookRotateSecret } from '../../../actors/operations/webhook-secrets.ts'
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
import type { Block, Cell } from '../blocks.ts'
import { code, state, time } from '../cells.ts'
import { dayBefore, lookingForm, oneOf, operationForm } from '../forms.ts'
import { partLines } from '../list-parts.ts'
import type { PageRequest } from '../page.ts'
import type { Words } from '../view.ts'

export function freezeForms(request: PageRequest, { name, kind, frozen }: PartyDocument): Block[] {
  const hidden = { name, kind }
  if (frozen !== null) {
    return operationForm(request, partyUnfreeze, {
      title: (texts) => texts.partyForms.unfreeze,
      button: (texts) => texts.partyForms.unfreeze,
      fields: ['reason'],
      hidden,
    })
  }
  return operationForm(request, partyFreeze, {
    title: (texts) => texts.partyForms.freeze,
    lead:
      kind === 'merchant'
        ? (texts) => texts.partyForms.itCanCreateNoOrders
        : (texts) => texts.partyForms.itCanStartNoOrders,
    button: (texts) => texts.partyForms.freeze,
    isDanger: true,
    fields: ['reason'],
    hidden,
  })
}

export function merchantForms(request: PageRequest, shown: MerchantDocument): Block[] {
  return [
    ...freezeForms(request, shown),
    ...reversalForms(request, shown),
    ...webhookForms(request, shown),
    ...standardForms(request, shown),
  ]
}

/** Of those that stand, the latest first; of more than there is room for, whoever reverses one knows its reference. */
function reversalForms(request: PageRequest, { name: merchant, deposits }: MerchantDocument): Block[] {
  const standing = deposits.filter(({ reversed }) => reversed === null)
  if (standing.length === 0) return []
  const options = standing
    .toSorted((one, other) => other.at.localeCompare(one.at))
    .map(({ reference, amount, currency, at }): [string, Words] => [
      reference,
      (_, view) => `${reference} · ${view.money(amount, currency)} · ${view.time(at)}`,
    ])
  return lookingForm(request, depositReverse, {
    title: (texts) => texts.partyForms.reverseADeposit,
    lead: (texts) => texts.partyForms.whatHasBeenSpentBecomes,
    isDanger: true,
    fields: ['reference', 'reason'],
    adjusted: {
      reference:
        options.length > partLines
          ? { hint: (texts) => texts.partyForms.theReferenceOfTheDeposit }
          : {
              type: 'select',
              label: (texts) => texts.partyForms.theDeposit,
              hint: '',
              options: [['', '–'], ...options],
              isChosen: true,
            },
    },
    hidden: { merchant },
  })
}

function webhookForms(
  request: PageRequest,
  { name: merchant, credentials, webhooksPaused }: MerchantDocument,
): Block[] {
  const hidden = { merchant }
  const live = credentials.filter(({ revoked }) => revoked === null)
  return [
    ...operationForm(request, webhookRetry, {
      title: (texts) => texts.partyForms.resendItsDeadLetters,
      button: (texts) => texts.common.sendAgain,
      fields: ['since', 'until'],
      adjusted: { since: { isOptional: false, value: dayBefore(request) } },
      hidden,
    }),
    ...(webhooksPaused === null
      ? operationForm(request, webhookPause, {
          title: (texts) => texts.partyForms.pauseItsWebhooks,
          lead: (texts) => texts.partyForms.nothingIsSentUntilYou,
          button: (texts) => texts.partyForms.pause,
          fields: [],
          hidden,
        })
      : operationForm(request, webhookResume, {
          title: (texts) => texts.partyForms.resumeItsWebhooks,
          lead: (texts) => texts.partyForms.whatHasWaitedMeanwhileIs,
          button: (texts) => texts.common.resume,
          fields: [],
          hidden,
        })),
    ...(live.length < 2
      ? []
      : operationForm(request, webhookSwitchKey, {
          title: (texts) => texts.partyForms.switchTheKeyOfIts,
          lead: (texts) => texts.partyForms.webhooksSwitchToANew,
          button: (texts) => texts.partyForms.choose,
          fields: ['key'],
          adjusted: { key: oneOf(live.map(({ key }) => key)) },
          hidden,
        })),
  ]
}

export function standardFacts({ standardWebhooks }: MerchantDocument): [Words, Cell][] {
  if (standardWebhooks === null) return []
  const { since } = standardWebhooks
  return [[() => 'Standard Webhooks', { text: ({ parties }, view) => parties.secretOf(view.time(since)) }]]
}

/** Standard Webhooks beside the protocol's own signature: begun, its secret replaced, and ended. */
function standardForms(
  request: PageRequest,
  { name: merchant, standardWebhooks }: MerchantDocument,
): Block[] {
  const hidden = { merchant }
  if (standardWebhooks === null) {
    return operationForm(request, webhookRotateSecret, {
      title: (texts) => texts.partyForms.signByStandardWebhooks,
      lead: (texts) => texts.partyForms.besideOurOwnHeaders,
      button: (texts) => texts.partyForms.makeASecret,
      fields: ['reason'],
      hidden,
    })
  }
  return [
    ...operationForm(request, webhookRotateSecret, {
      title: (texts) => texts.partyForms.replaceTheWebhookSecret,
      lead: (texts) => texts.partyForms.bothSecretsSignFor,
      button: (texts) => texts.partyForms.makeASecret,
      fields: ['overlapHours', 'reason'],
      hidden,
    }),
    ...operationForm(request, webhookDropSecret, {
      title: (texts) => texts.partyForms.signNoMoreByStandardWebhooks,
      lead: (texts) => texts.partyForms.itsReceiverHasToVerify,
      button: (texts) => texts.partyForms.stopIt,
      isDanger: true,
      fields: ['reason'],
      hidden,
    }),
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
    { kind: 'heading', text: (texts) => texts.partyForms.keys },
    {
      kind: 'table',
      label: (texts) => texts.partyForms.keys,
      empty: (texts) => texts.common.itHasNone,
      columns: [
        { label: (texts) => texts.common.key },
        { label: (texts) => texts.common.state },
        { label: (texts) => texts.common.created },
        { label: (texts) => texts.partyForms.firstUsed },
        { label: (texts) => texts.partyForms.lastUsed },
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
      title: (texts) => texts.partyForms.addAKey,
      lead: (texts) => texts.partyForms.bothKeysAreLiveUntil,
      button: (texts) => texts.partyForms.makeAKey,
      fields: ['reason'],
      hidden,
    }),
    ...(live.length === 0
      ? []
      : operationForm(request, keyRevoke, {
          title: (texts) => texts.partyForms.revokeAKey,
          lead: (texts) => texts.partyForms.itStopsWorkingAtOnce,
          button: (texts) => texts.partyForms.revoke,
          isDanger: true,
          fields: ['key', 'force', 'reason'],
          adjusted: { key: oneOf(live.map(({ key }) => key)) },
          hidden,
        })),
  ]
}
