/** The form that makes the part of a file that says what one currency is worth in another. */
import type { RateDetails } from '../../../actors/rates/operations.ts'
import { blockchains } from '../../../machines/blockchains.ts'
import { typeableUnits } from '../typed-amounts.ts'
import { type Draft, jsonOr, listed, numbers, type Offered, said, saidOrNone } from './draft.ts'

export const rateDraft: Draft = {
  name: 'rate',
  title: ({ drafts }) => drafts.addARate,
  fields: [
    {
      name: 'blockchains',
      label: ({ drafts }) => drafts.blockchains,
      type: 'text',
      hint: ({ drafts }) => drafts.someOf(blockchains.join(', ')),
    },
    {
      name: 'send',
      label: ({ drafts }) => drafts.asset,
      type: 'text',
      maxLength: 12,
      hint: ({ drafts }) => drafts.whatIsSentSuch,
    },
    { name: 'country', label: ({ drafts }) => drafts.country, type: 'text', maxLength: 2 },
    {
      name: 'target',
      label: ({ drafts }) => drafts.currency,
      type: 'text',
      maxLength: 3,
      hint: ({ drafts }) => drafts.whatIsHandedOut,
    },
    {
      name: 'rate',
      label: ({ drafts }) => drafts.rate,
      type: 'units',
      isOptional: true,
      hint: ({ drafts }) => drafts.whatOneOfThe,
    },
    {
      name: 'feeFixed',
      label: ({ drafts }) => drafts.fixedFee,
      type: 'units',
      isOptional: true,
      hint: ({ drafts }) => drafts.inTheAsset,
    },
    {
      name: 'feeBps',
      label: ({ drafts }) => drafts.feeOfWhatIs,
      type: 'text',
      isOptional: true,
      hint: ({ drafts }) => drafts.hundredthsOfAPercent,
    },
    { name: 'maxAgeSeconds', label: ({ drafts }) => drafts.oldestThatIsUsed, type: 'text', isOptional: true },
    {
      name: 'maxJumpPercent',
      label: ({ drafts }) => drafts.mayMoveByPercent,
      type: 'text',
      isOptional: true,
      hint: ({ drafts }) => drafts.ofARateThat,
    },
    {
      name: 'sources',
      label: ({ drafts }) => drafts.sourcesJson,
      type: 'area',
      isOptional: true,
      maxLength: 10_000,
      isCode: true,
      hint: ({ drafts }) => drafts.aListOfPresets,
    },
  ],
  document: ({ blockchains: on, sources = '', ...values }) => ({
    rates: [
      {
        blockchains: listed(on).map((chain) => chain.toUpperCase()),
        ...said(values, ['send', 'country', 'target', 'rate', 'feeFixed']),
        ...numbers(said(values, ['feeBps', 'maxJumpPercent'])),
        // Of sources it is theirs, and each may have its own.
        ...(sources === '' ? numbers(saidOrNone(values, ['maxAgeSeconds'])) : { sources: jsonOr(sources) }),
      },
    ],
  }),
}

function typeable(amount: string | null): string | null {
  return amount === null ? null : typeableUnits(amount)
}

export function rateOffer(rate: RateDetails): Offered {
  const { blockchain, send, country, target, source } = rate
  return {
    draft: rateDraft,
    key: 'rate',
    title: ({ drafts }) => drafts.rateOf(send, country, target),
    hidden: { blockchains: blockchain, send, country, target },
    values: {
      rate: typeable(source === null ? rate.rate : rate.expected),
      feeFixed: typeable(rate.feeFixed),
      feeBps: String(rate.feeBps),
      maxAgeSeconds: source === null && rate.maxAgeSeconds !== null ? String(rate.maxAgeSeconds) : null,
      sources: source === null ? null : JSON.stringify(source, null, 2),
    },
  }
}
