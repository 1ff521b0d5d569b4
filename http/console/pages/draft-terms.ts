/** Forms that make parts of a file: what is agreed on with a party, and its networks. */
import type { Field } from '../blocks.ts'
import type { FormValues } from '../page.ts'
import type { Said } from '../view.ts'
import { type Draft, jsonOr, listed, numbers, said, saidOrNone } from './draft.ts'

const lead: Said = ({ drafts }) => drafts.newTerms

const percentHint: Said = ({ drafts }) => drafts.percentHint

const feeFields: readonly Field[] = [
  {
    name: 'direction',
    label: ({ drafts }) => drafts.orders,
    type: 'select',
    options: [
      ['PAY_OUT', ({ drafts }) => drafts.payOut2],
      ['PAY_IN', ({ drafts }) => drafts.payIn2],
    ],
  },
  {
    name: 'from',
    label: ({ drafts }) => drafts.from,
    type: 'date',
    hint: ({ drafts }) => drafts.theFirstDayOn,
  },
  {
    name: 'fixed',
    label: ({ drafts }) => drafts.fixed,
    type: 'amount',
    isOptional: true,
    hint: ({ drafts }) => drafts.whatEachOrderCosts,
  },
  {
    name: 'bps',
    label: ({ drafts }) => drafts.ofThePrice,
    type: 'text',
    isOptional: true,
    hint: percentHint,
  },
  {
    name: 'min',
    label: ({ drafts }) => drafts.atLeast,
    type: 'amount',
    isOptional: true,
    hint: ({ drafts }) => drafts.beforeTax,
  },
  {
    name: 'max',
    label: ({ drafts }) => drafts.atMost,
    type: 'amount',
    isOptional: true,
    hint: ({ drafts }) => drafts.beforeTax,
  },
  {
    name: 'taxBps',
    label: ({ drafts }) => drafts.taxOnIt,
    type: 'text',
    isOptional: true,
    hint: percentHint,
  },
]

function feeOf(values: FormValues): Record<string, unknown> {
  return {
    ...said(values, ['direction', 'from', 'fixed', 'min', 'max']),
    ...numbers(said(values, ['bps', 'taxBps'])),
  }
}

export const feeDraft: Draft = {
  name: 'fee',
  title: ({ drafts }) => drafts.agreeOnAFee,
  lead,
  fields: [{ name: 'pair', label: ({ drafts }) => drafts.for, type: 'text' }, ...feeFields],
  document: ({ merchant, pair = '', ...values }) => {
    const [country, currency] = pair.split(' ')
    return { merchants: [{ name: merchant, pairs: [{ country, currency, fees: [feeOf(values)] }] }] }
  },
}

export const commissionDraft: Draft = {
  name: 'commission',
  title: ({ drafts }) => drafts.agreeOnACommission,
  lead,
  fields: [{ name: 'network', label: ({ drafts }) => drafts.network, type: 'text' }, ...feeFields],
  document: ({ provider, network, ...values }) => ({
    providers: [{ name: provider, networks: [{ id: network, commissions: [feeOf(values)] }] }],
  }),
}

export const settlesDraft: Draft = {
  name: 'settles',
  title: ({ drafts }) => drafts.agreeOnSettlement,
  lead: ({ drafts }) => drafts.theDayThatRuns,
  fields: [
    {
      name: 'currency',
      label: ({ drafts }) => drafts.currency,
      type: 'text',
      maxLength: 3,
      hint: ({ drafts }) => drafts.suchAsMxn,
    },
    {
      name: 'timeZone',
      label: ({ drafts }) => drafts.timeZone,
      type: 'text',
      isOptional: true,
      hint: ({ drafts }) => drafts.suchAsAmericaMexico,
    },
    {
      name: 'cutOff',
      label: ({ drafts }) => drafts.cutOff,
      type: 'text',
      isOptional: true,
      hint: ({ drafts }) => drafts.whenItsDayEnds,
    },
    {
      name: 'every',
      label: ({ drafts }) => drafts.statements,
      type: 'text',
      isOptional: true,
      hint: ({ drafts }) => drafts.dayRequestOrWeekdays,
    },
    {
      name: 'calendar',
      label: ({ drafts }) => drafts.calendar,
      type: 'text',
      isOptional: true,
      hint: ({ drafts }) => drafts.ofItsBanksEmpty,
    },
    {
      name: 'afterBankingDays',
      label: ({ drafts }) => drafts.bankingDaysUntilIt,
      type: 'text',
      isOptional: true,
      hint: ({ drafts }) => drafts.n0To30,
    },
    {
      name: 'minimum',
      label: ({ drafts }) => drafts.minimum,
      type: 'amount',
      isOptional: true,
      hint: ({ drafts }) => drafts.lessThanThisIs,
    },
    {
      name: 'keep',
      label: ({ drafts }) => drafts.keptBack,
      type: 'amount',
      isOptional: true,
      hint: ({ drafts }) => drafts.whatStaysWithThe,
    },
    {
      name: 'account',
      label: ({ drafts }) => drafts.account,
      type: 'text',
      isOptional: true,
      maxLength: 100,
      hint: ({ drafts }) => drafts.anotherOneCountsAfter,
    },
  ],
  document: ({ party, kind, ...values }) => ({
    [kind === 'provider' ? 'providers' : 'merchants']: [
      {
        name: party,
        settles: [
          {
            ...said(values, ['currency', 'timeZone', 'cutOff', 'account']),
            ...saidOrNone(values, ['calendar', 'minimum', ...(kind === 'provider' ? [] : ['keep'])]),
            ...numbers(said(values, ['afterBankingDays'])),
            ...everyOf(values.every),
          },
        ],
      },
    ],
  }),
}

function everyOf(text: string | undefined): { every?: string | string[] } {
  const words = listed(text)
  const [word] = words
  if (word === undefined) return {}
  const isOne = words.length === 1 && ['day', 'request'].includes(word.toLowerCase())
  return { every: isOne ? word.toLowerCase() : words.map((one) => one.toUpperCase()) }
}

export const exposureDraft: Draft = {
  name: 'exposure',
  title: ({ drafts }) => drafts.limitItsExposure,
  fields: [
    { name: 'currency', label: ({ drafts }) => drafts.currency, type: 'text', maxLength: 3 },
    {
      name: 'limit',
      label: ({ drafts }) => drafts.limit,
      type: 'amount',
      isOptional: true,
      hint: ({ drafts }) => drafts.howMuchItMay,
    },
    {
      name: 'warnAtPercent',
      label: ({ drafts }) => drafts.warnAtPercent,
      type: 'text',
      isOptional: true,
      hint: ({ drafts }) => drafts.n1To10080,
    },
  ],
  document: ({ provider, ...values }) => ({
    providers: [
      {
        name: provider,
        exposure: [
          {
            ...said(values, ['currency']),
            ...saidOrNone(values, ['limit']),
            ...numbers(said(values, ['warnAtPercent'])),
          },
        ],
      },
    ],
  }),
}

export const networkTexts = ['es', 'pt', 'en'] as const

export const networkDraft: Draft = {
  name: 'network',
  title: ({ drafts }) => drafts.addANetwork,
  lead: ({ drafts }) => drafts.whatTheCheckoutTells,
  fields: [
    {
      name: 'id',
      label: ({ drafts }) => drafts.id,
      type: 'text',
      hint: ({ drafts }) => drafts.whatTheProviderSends,
    },
    { name: 'name', label: ({ drafts }) => drafts.name, type: 'text', isOptional: true, maxLength: 100 },
    { name: 'country', label: ({ drafts }) => drafts.country, type: 'text', isOptional: true, maxLength: 2 },
    {
      name: 'currency',
      label: ({ drafts }) => drafts.currency,
      type: 'text',
      isOptional: true,
      maxLength: 3,
    },
    {
      name: 'min',
      label: ({ drafts }) => drafts.atLeast,
      type: 'amount',
      isOptional: true,
      hint: ({ drafts }) => drafts.theLeastItTakes,
    },
    {
      name: 'max',
      label: ({ drafts }) => drafts.atMost,
      type: 'amount',
      isOptional: true,
      hint: ({ drafts }) => drafts.theMostItTakes,
    },
    {
      name: 'counterFee',
      label: ({ drafts }) => drafts.counterFee,
      type: 'amount',
      isOptional: true,
      hint: ({ drafts }) => drafts.whatItAsksOf,
    },
    { name: 'hours', label: ({ drafts }) => drafts.hours, type: 'text', isOptional: true, maxLength: 100 },
    ...networkTexts.map(
      (language): Field => ({
        name: language,
        label: ({ drafts }) => drafts.textIn[language],
        type: 'text',
        isOptional: true,
        maxLength: 300,
      }),
    ),
    {
      name: 'report',
      label: ({ drafts }) => drafts.howItsReportsAre,
      type: 'area',
      isOptional: true,
      maxLength: 4000,
      isCode: true,
      hint: ({ drafts }) => drafts.columnsWordsDecimalSign,
    },
    { name: 'new', label: ({ drafts }) => drafts.acceptAnIdThat, type: 'check', isOptional: true },
  ],
  document: ({ provider, id, report = '', ...values }) => ({
    providers: [
      {
        name: provider,
        networks: [
          {
            id,
            ...saidOrNone(values, ['name', 'country', 'currency', 'min', 'max', 'counterFee', 'hours']),
            text: saidOrNone(values, networkTexts),
            report: report === '' ? null : jsonOr(report),
          },
        ],
      },
    ],
  }),
}
