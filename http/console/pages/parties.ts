/** Merchants and providers: balances, limits, networks, keys, and the switch for a bad day. */
import { type MerchantDocument, merchantList, merchantShow } from '../../../actors/parties/merchants.ts'
import type { PartyDocument } from '../../../actors/parties/operations.ts'
import {
  type ProviderDocument,
  type ProviderSummary,
  providerList,
  providerShow,
} from '../../../actors/parties/providers.ts'
import type { Block, Cell } from '../blocks.ts'
import { amountOf, linkTo, money, orderLink, partyLink, partyNameIn, partyPath, time } from '../cells.ts'
import { filled } from '../forms.ts'
import type { Page } from '../page.ts'
import { joined } from '../readable.ts'
import type { Texts } from '../texts/index.ts'
import type { Said, Words } from '../view.ts'
import { draftLink, type Offered, openedDraft } from './draft.ts'
import { contactOffer, merchantDraft, merchantOffers, providerDraft } from './draft-parties.ts'
import { limitsOf } from './merchant-limits.ts'
import { freezeForms, keysOf, merchantForms, standardFacts } from './party-forms.ts'
import { fileDraft } from './provisioning.ts'
import { integrationLink } from './sandbox.ts'
import { sweepForms } from './sweep.ts'
import { termsPath } from './terms.ts'

const partiesOffers: readonly Offered[] = [
  { draft: merchantDraft, key: 'merchant' },
  { draft: providerDraft, key: 'provider' },
  { draft: fileDraft, key: 'file' },
]

export const partiesPage: Page = {
  path: /^\/parties$/,
  least: 'viewer',
  room: 'Parties',
  async render(request) {
    const { ask, query } = request
    const name = query.get('name')?.trim() ?? ''
    const { merchants } = await ask(merchantList, filled({ name }))
    const { providers } = await ask(providerList, filled({ name }))
    const empty = (texts: Texts) =>
      name === '' ? texts.drafts.addOneOrApply : texts.parties.noneOfThisName(name)
    return {
      title: (texts) => texts.rooms.Parties,
      blocks: [
        ...openedDraft(request, '/parties', partiesOffers),
        {
          kind: 'links',
          items: [
            ...draftLink(request, '/parties', 'merchant', ({ drafts }) => drafts.addAMerchant),
            ...draftLink(request, '/parties', 'provider', ({ drafts }) => drafts.addAProvider),
            ...draftLink(request, '/parties', 'file', ({ drafts }) => drafts.applyAFile),
            { text: (texts) => texts.common.calendarsAndBanks, href: '/calendars' },
          ],
        },
        {
          kind: 'filters',
          action: '/parties',
          button: (texts) => texts.common.show,
          fields: [
            {
              name: 'name',
              label: (texts) => texts.common.name,
              type: 'search',
              isOptional: true,
              value: name,
              maxLength: 100,
            },
          ],
        },
        { kind: 'heading', text: (texts) => texts.common.merchants },
        {
          kind: 'table',
          label: (texts) => texts.common.merchants,
          list: 'merchants',
          empty,
          columns: [
            { label: (texts) => texts.common.name },
            { label: (texts) => texts.common.state },
            ...balanceColumns,
          ],
          rows: merchants.flatMap((merchant): Cell[][] => {
            const first = { ...partyLink('merchant', merchant.name), note: merchant.contact }
            const [one, ...others] = merchant.balances
            if (one === undefined) return [[first, frozenState(merchant), null, null, null, null, null, null]]
            return [
              [first, frozenState(merchant), ...balanceCells(one)],
              ...others.map((balance): Cell[] => [
                partyLink('merchant', merchant.name),
                null,
                ...balanceCells(balance),
              ]),
            ]
          }),
        },
        { kind: 'heading', text: (texts) => texts.common.providers },
        {
          kind: 'table',
          label: (texts) => texts.common.providers,
          list: 'providers',
          empty,
          columns: [
            { label: (texts) => texts.common.name },
            { label: (texts) => texts.common.state },
            { label: (texts) => texts.common.networks },
            { label: (texts) => texts.parties.balance, isRight: true },
          ],
          rows: providers.map((provider) => [
            { ...partyLink('provider', provider.name), note: provider.contact },
            frozenState(provider),
            provider.networks.join(', '),
            balanceOf(provider),
          ]),
        },
      ],
    }
  },
}

const balanceColumns = [
  { label: (texts: Texts) => texts.parties.available, isRight: true },
  { label: (texts: Texts) => texts.parties.reserved, isRight: true },
  { label: (texts: Texts) => texts.parties.payable, isRight: true },
  { label: (texts: Texts) => texts.parties.inTransit, isRight: true },
  { label: (texts: Texts) => texts.parties.suspense, isRight: true },
  { label: (texts: Texts) => texts.parties.debt, isRight: true },
]

/** One for each of `balanceColumns`. */
function balanceCells(balance: MerchantDocument['balances'][number]): Cell[] {
  const { currency, available, reserved, payable, transit, suspense, debt } = balance
  return [
    money(available, currency),
    ...[reserved, payable, transit, suspense, debt].map((amount) => amountOf(amount, currency)),
  ]
}

function balanceOf(provider: ProviderSummary): Cell {
  return provider.balances.length === 0 ? null : owed(provider)
}

function owed({ balances }: ProviderSummary): Said {
  return joined(
    balances.map(({ amount, currency, transit }): Said => {
      const isOrdered = /[1-9]/.test(transit)
      return (texts, view) => {
        const money = view.money(amount.replace('-', ''), currency)
        const { owes, isOwed, andInTransit } = texts.parties
        const said = amount.startsWith('-') ? owes(money) : /[1-9]/.test(amount) ? isOwed(money) : money
        return isOrdered ? andInTransit(said, view.amount(transit, currency)) : said
      }
    }),
  )
}

function frozenState({ frozen }: PartyDocument): Cell {
  return frozen === null
    ? { text: (texts) => texts.parties.active, tone: 'good' }
    : { text: (texts) => texts.parties.frozen, tone: 'bad' }
}

export const merchantPage: Page = {
  path: /^\/merchants\/(?<name>.+)$/s,
  least: 'viewer',
  room: 'Parties',
  async render(request) {
    const shown = await request.ask(merchantShow, { name: partyNameIn(request.params.name) })
    const path = partyPath('merchant', shown.name)
    return {
      title: shown.name,
      crumb: { href: '/parties', text: (texts) => texts.rooms.Parties },
      blocks: [
        ...frozenNotice(shown),
        ...openedDraft(request, path, merchantOffers(shown)),
        {
          kind: 'links',
          items: [
            ...draftLink(request, path, 'contact', ({ drafts }) => drafts.changeContact),
            ...draftLink(request, path, 'pair', ({ drafts }) => drafts.enableACountryAnd),
            ...draftLink(request, path, 'deposit', ({ drafts }) => drafts.bookADeposit),
            ...integrationLink(request, shown),
          ],
        },
        {
          kind: 'facts',
          items: [
            ...partyFacts(shown),
            [(texts) => texts.common.webhooks, webhooksOf(shown)],
            ...standardFacts(shown),
            [
              (texts) => texts.common.orders,
              {
                text: (texts) => texts.parties.itsOrders,
                href: `/orders?merchant=${encodeURIComponent(shown.name)}`,
              },
            ],
            statementsFact(shown),
            [
              (texts) => texts.parties.terms,
              { text: (texts) => texts.parties.feesSettlement, href: termsPath(shown) },
            ],
          ],
        },
        { kind: 'heading', text: (texts) => texts.parties.balances },
        {
          kind: 'table',
          label: (texts) => texts.parties.balances,
          list: 'balances',
          empty: (texts) => texts.parties.noMoneyYet,
          columns: [...balanceColumns, { label: (texts) => texts.parties.waitedFor, isRight: true }],
          rows: shown.balances.map((balance) => [
            ...balanceCells(balance),
            amountOf(
              shown.waiting.find(({ currency }) => currency === balance.currency)?.amount ?? '0.00',
              balance.currency,
            ),
          ]),
        },
        ...merchantForms(request, shown),
        ...sweepForms(request, shown),
        ...keysOf(request, shown),
        ...limitsOf(request, shown),
      ],
    }
  },
}

function webhooksOf({ name, webhooksPaused }: MerchantDocument): Cell {
  if (webhooksPaused !== null) {
    return { text: ({ parties }, view) => parties.pausedSince(view.time(webhooksPaused)), tone: 'waiting' }
  }
  return {
    text: ({ parties }) => parties.itsWebhooks,
    href: `/webhooks?merchant=${encodeURIComponent(name)}`,
  }
}

export const providerPage: Page = {
  path: /^\/providers\/(?<name>.+)$/s,
  least: 'viewer',
  room: 'Parties',
  async render(request) {
    const shown: ProviderDocument = await request.ask(providerShow, {
      name: partyNameIn(request.params.name),
    })
    const path = partyPath('provider', shown.name)
    return {
      title: shown.name,
      crumb: { href: '/parties', text: (texts) => texts.rooms.Parties },
      blocks: [
        ...frozenNotice(shown),
        ...openedDraft(request, path, [contactOffer(shown)]),
        {
          kind: 'links',
          items: [
            ...draftLink(request, path, 'contact', ({ drafts }) => drafts.changeContact),
            ...integrationLink(request, shown),
          ],
        },
        {
          kind: 'facts',
          items: [
            ...partyFacts(shown),
            [
              (texts) => texts.common.orders,
              {
                text: (texts) => texts.parties.itsOrders,
                href: `/orders?provider=${encodeURIComponent(shown.name)}`,
              },
            ],
            statementsFact(shown),
            [
              (texts) => texts.parties.terms,
              {
                text: (texts) => texts.parties.networksCommissionsSettlementExposure,
                href: termsPath(shown),
              },
            ],
            [(texts) => texts.common.networks, shown.networks.join(', ')],
            [(texts) => texts.parties.balance, balanceOf(shown)],
          ],
        },
        ...freezeForms(request, shown),
        ...keysOf(request, shown),
        {
          kind: 'heading',
          text: (texts) => texts.parties.ordersItHolds,
          note: (texts) => texts.parties.theLongestHeldFirst,
        },
        {
          kind: 'table',
          label: (texts) => texts.parties.ordersItHolds,
          list: 'held',
          empty: (texts) => texts.parties.noneAtTheMoment,
          columns: [{ label: (texts) => texts.common.order }, { label: (texts) => texts.common.since }],
          rows: shown.held.map((line) => [orderLink(line.order), time(line.since)]),
        },
      ],
    }
  },
}

function statementsFact({ kind, name: party }: PartyDocument): [Words, Cell] {
  const href = linkTo('/statements', new URLSearchParams(), { party, kind })
  return [(texts) => texts.common.statements, { text: (texts) => texts.parties.itsStatements, href }]
}

function frozenNotice({ frozen }: PartyDocument): Block[] {
  if (frozen === null) return []
  return [
    {
      kind: 'notice',
      tone: 'bad',
      title: (texts, view) => texts.parties.frozenSince(view.time(frozen.at)),
      lines: [frozen.reason],
    },
  ]
}

function partyFacts(party: PartyDocument): [Words, Cell][] {
  return [
    [(texts: Texts) => texts.common.state, frozenState(party)],
    [(texts: Texts) => texts.parties.contact, party.contact],
    [
      (texts: Texts) => texts.parties.requestsAMinute,
      party.requestsPerMinute === null
        ? (texts) => texts.parties.asAllOthers
        : String(party.requestsPerMinute),
    ],
    [(texts: Texts) => texts.common.since, time(party.created)],
  ]
}
