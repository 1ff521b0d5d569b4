/** Forms that make parts of a file: merchants, providers, what they are enabled for, and money that came in. */
import type { MerchantDocument } from '../../../actors/parties/merchants.ts'
import type { PartyDocument } from '../../../actors/parties/operations.ts'
import type { Field } from '../blocks.ts'
import { type Draft, listed, numbers, type Offered, said } from './draft.ts'

const name: Field = { name: 'name', label: ({ drafts }) => drafts.name, type: 'text', maxLength: 200 }
const contact: Field = {
  name: 'contact',
  label: ({ drafts }) => drafts.contact,
  type: 'text',
  isOptional: true,
  maxLength: 200,
  hint: ({ drafts }) => drafts.whomToCallWhen,
}
const requestsPerMinute: Field = {
  name: 'requestsPerMinute',
  label: ({ drafts }) => drafts.requestsAMinute,
  type: 'text',
  isOptional: true,
  hint: ({ drafts }) => drafts.itsOwnLimitEmpty,
}
const key: Field = {
  name: 'key',
  label: ({ drafts }) => drafts.key,
  type: 'text',
  isOptional: true,
  hint: ({ drafts }) => drafts.whatItSendsWith,
}
const isNew: Field = {
  name: 'new',
  label: ({ drafts }) => drafts.acceptANameThat,
  type: 'check',
  isOptional: true,
}

const newParty = (kind: 'merchants' | 'providers') => (values: Readonly<Record<string, string>>) => ({
  [kind]: [
    {
      ...said(values, ['name', 'contact']),
      ...((values.key ?? '') === '' ? {} : { credentials: [{ key: values.key }] }),
      ...((values.networks ?? '') === '' ? {} : { networks: listed(values.networks) }),
    },
  ],
})

export const merchantDraft: Draft = {
  name: 'merchant',
  title: ({ drafts }) => drafts.addAMerchant,
  lead: ({ drafts }) => drafts.whatItMayBe,
  fields: [name, contact, key, isNew],
  document: newParty('merchants'),
}

export const providerDraft: Draft = {
  name: 'provider',
  title: ({ drafts }) => drafts.addAProvider,
  fields: [
    name,
    contact,
    key,
    {
      name: 'networks',
      label: ({ drafts }) => drafts.networks,
      type: 'text',
      isOptional: true,
      hint: ({ drafts }) => drafts.theIdsThatIt,
    },
    isNew,
  ],
  document: newParty('providers'),
}

export const contactDraft: Draft = {
  name: 'contact',
  title: ({ drafts }) => drafts.contactAndLimitOf,
  fields: [contact, requestsPerMinute],
  document: ({ name: of, kind, contact: whom = '', requestsPerMinute: limit = '' }) => ({
    [kind === 'provider' ? 'providers' : 'merchants']: [
      { name: of, contact: whom, limits: numbers({ requestsPerMinute: limit === '' ? null : limit }) },
    ],
  }),
}

export const pairDraft: Draft = {
  name: 'pair',
  title: ({ drafts }) => drafts.enableACountryAnd,
  fields: [
    {
      name: 'country',
      label: ({ drafts }) => drafts.country,
      type: 'text',
      maxLength: 2,
      hint: ({ drafts }) => drafts.suchAsMx,
    },
    {
      name: 'currency',
      label: ({ drafts }) => drafts.currency,
      type: 'text',
      maxLength: 3,
      hint: ({ drafts }) => drafts.suchAsMxn,
    },
    {
      name: 'min',
      label: ({ drafts }) => drafts.leastAmountOfAn,
      type: 'amount',
      hint: ({ drafts }) => drafts.forExample1000,
    },
    {
      name: 'max',
      label: ({ drafts }) => drafts.largestAmountOfAn,
      type: 'amount',
      hint: ({ drafts }) => drafts.forExample5000000,
    },
    {
      name: 'cashIncrement',
      label: ({ drafts }) => drafts.smallestStepOfA,
      type: 'amount',
      isOptional: true,
      hint: ({ drafts }) => drafts.forOrdersMadeFrom,
    },
    { name: 'payOut', label: ({ drafts }) => drafts.payOut, type: 'check', isOptional: true, value: 'yes' },
    { name: 'payIn', label: ({ drafts }) => drafts.payIn, type: 'check', isOptional: true, value: 'yes' },
  ],
  document: ({ merchant, payOut, payIn, ...values }) => ({
    merchants: [
      {
        name: merchant,
        pairs: [
          {
            ...said(values, ['country', 'currency', 'min', 'max', 'cashIncrement']),
            directions: [
              ...(payOut === undefined ? [] : ['PAY_OUT']),
              ...(payIn === undefined ? [] : ['PAY_IN']),
            ],
          },
        ],
      },
    ],
  }),
}

export const depositDraft: Draft = {
  name: 'deposit',
  title: ({ drafts }) => drafts.bookADeposit,
  lead: ({ drafts }) => drafts.itRepaysWhatThe,
  fields: [
    {
      name: 'amount',
      label: ({ drafts }) => drafts.amount,
      type: 'amount',
      hint: ({ drafts }) => drafts.forExample100000,
    },
    { name: 'currency', label: ({ drafts }) => drafts.currency, type: 'text', maxLength: 3 },
    {
      name: 'reference',
      label: ({ drafts }) => drafts.reference,
      type: 'text',
      maxLength: 200,
      hint: ({ drafts }) => drafts.theBanksEachIs,
    },
  ],
  document: ({ merchant, ...values }) => ({
    merchants: [{ name: merchant, deposits: [said(values, ['currency', 'amount', 'reference'])] }],
  }),
}

/** The forms of a merchant’s page. */
export function merchantOffers({ pairs, ...party }: MerchantDocument): Offered[] {
  const hidden = { merchant: party.name }
  const currencies = [...new Set(pairs.map(({ currency }) => currency))]
  return [
    contactOffer(party),
    { draft: pairDraft, key: 'pair', hidden },
    ...pairs.map(
      ({ country, currency, min, max, cashIncrement, directions }): Offered => ({
        draft: pairDraft,
        key: pairKey({ country, currency }),
        title: ({ drafts }) => drafts.limitsOf(country, currency),
        hidden: { ...hidden, country, currency },
        values: {
          min,
          max,
          cashIncrement,
          payOut: directions.includes('PAY_OUT') ? 'yes' : '',
          payIn: directions.includes('PAY_IN') ? 'yes' : '',
        },
      }),
    ),
    {
      draft: depositDraft,
      key: 'deposit',
      hidden,
      adjusted:
        currencies.length === 0
          ? {}
          : { currency: { type: 'select', options: currencies.map((one) => [one, one] as const) } },
    },
  ]
}

export function pairKey({ country, currency }: { country: string; currency: string }): string {
  return `pair-${country}-${currency}`
}

export function contactOffer({
  name: of,
  kind,
  contact: whom,
  requestsPerMinute: limit,
}: PartyDocument): Offered {
  return {
    draft: contactDraft,
    key: 'contact',
    hidden: { name: of, kind },
    values: { contact: whom, requestsPerMinute: limit === null ? '' : String(limit) },
  }
}
