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
import { code, money, orderLink, partyLink, partyNameIn, time } from '../cells.ts'
import type { Page } from '../page.ts'
import { grouped, readableTime } from '../readable.ts'
import { freezeForms, keysOf, merchantForms } from './party-forms.ts'
import { applyForms } from './provisioning.ts'
import { sweepForms } from './sweep.ts'
import { termsPath } from './terms.ts'

export const partiesPage: Page = {
  path: /^\/parties$/,
  least: 'viewer',
  room: 'Parties',
  async render(request) {
    const { ask } = request
    const { merchants } = await ask(merchantList, {})
    const { providers } = await ask(providerList, {})
    return {
      title: 'Merchants and providers',
      blocks: [
        { kind: 'heading', text: 'Merchants' },
        {
          kind: 'table',
          label: 'Merchants',
          empty: 'None yet. They are set up with the command ventanilla apply FILE.',
          columns: [
            { label: 'Name' },
            { label: 'State' },
            { label: 'Available', isRight: true },
            { label: 'Reserved', isRight: true },
            { label: 'Payable', isRight: true },
            { label: 'In transit', isRight: true },
            { label: 'Suspense', isRight: true },
            { label: 'Debt', isRight: true },
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
        { kind: 'heading', text: 'Providers' },
        {
          kind: 'table',
          label: 'Providers',
          empty: 'None yet. They are set up with the command ventanilla apply FILE.',
          columns: [
            { label: 'Name' },
            { label: 'State' },
            { label: 'Networks' },
            { label: 'Owed to it', isRight: true },
          ],
          rows: providers.map((provider) => [
            { ...partyLink('provider', provider.name), note: provider.contact },
            frozenState(provider),
            provider.networks.join(', '),
            owed(provider),
          ]),
        },
        { kind: 'links', items: [{ text: 'Calendars and banks', href: '/calendars' }] },
        ...applyForms(request),
      ],
    }
  },
}

function balanceCells(balance: MerchantDocument['balances'][number]): Cell[] {
  const { currency, available, reserved, payable, transit, suspense, debt } = balance
  return [money(available, currency), ...[reserved, payable, transit, suspense, debt].map(grouped)]
}

function owed({ balances }: ProviderSummary): string {
  return balances
    .map(({ amount, currency, transit }) => {
      const ordered = /[1-9]/.test(transit) ? ` and ${grouped(transit)} in transit` : ''
      return `${grouped(amount)} ${currency}${ordered}`
    })
    .join(', ')
}

function frozenState({ frozen }: PartyDocument): Cell {
  return frozen === null ? { text: 'active', tone: 'good' } : { text: 'frozen', tone: 'bad' }
}

export const merchantPage: Page = {
  path: /^\/merchants\/(?<name>.+)$/s,
  least: 'viewer',
  room: 'Parties',
  async render(request) {
    const shown = await request.ask(merchantShow, { name: partyNameIn(request.params.name) })
    return {
      title: shown.name,
      crumb: { href: '/parties', text: 'Merchants and providers' },
      blocks: [
        ...frozenNotice(shown),
        {
          kind: 'facts',
          items: [
            ...partyFacts(shown),
            [
              'Webhooks',
              shown.webhooksPaused === null
                ? { text: 'its webhooks', href: `/webhooks?merchant=${encodeURIComponent(shown.name)}` }
                : { text: `paused since ${readableTime(shown.webhooksPaused)}`, tone: 'waiting' },
            ],
            ['Orders', { text: 'its orders', href: `/orders?merchant=${encodeURIComponent(shown.name)}` }],
            ['Terms', { text: 'fees, settlement', href: termsPath(shown) }],
          ],
        },
        { kind: 'heading', text: 'Balances' },
        {
          kind: 'table',
          label: 'Balances',
          empty: 'No money yet.',
          columns: [
            { label: 'Available', isRight: true },
            { label: 'Reserved', isRight: true },
            { label: 'Payable', isRight: true },
            { label: 'In transit', isRight: true },
            { label: 'Suspense', isRight: true },
            { label: 'Debt', isRight: true },
            { label: 'Waited for', isRight: true },
          ],
          rows: shown.balances.map((balance) => [
            ...balanceCells(balance),
            grouped(shown.waiting.find(({ currency }) => currency === balance.currency)?.amount ?? '0.00'),
          ]),
        },
        ...merchantForms(request, shown),
        ...sweepForms(request, shown),
        ...keysOf(request, shown),
        ...limitsOf(shown),
      ],
    }
  },
}

function limitsOf({ pairs, deposits }: MerchantDocument): Block[] {
  return [
    { kind: 'heading', text: 'Limits', note: 'changed with ventanilla apply' },
    {
      kind: 'table',
      label: 'Limits',
      empty: 'No currency is enabled.',
      columns: [
        { label: 'Country' },
        { label: 'From', isRight: true },
        { label: 'To', isRight: true },
        { label: 'In steps of', isRight: true },
        { label: 'Directions' },
      ],
      rows: pairs.map((pair) => [
        pair.country,
        money(pair.min, pair.currency),
        money(pair.max, pair.currency),
        pair.cashIncrement,
        pair.directions.map((it) => it.toLowerCase().replace('_', '-')).join(', '),
      ]),
    },
    { kind: 'heading', text: 'Deposits' },
    {
      kind: 'table',
      label: 'Deposits',
      empty: 'None yet.',
      columns: [
        { label: 'Reference' },
        { label: 'Amount', isRight: true },
        { label: 'Bank' },
        { label: 'Booked' },
        { label: 'Reversed' },
      ],
      rows: deposits.map((deposit) => [
        code(deposit.reference),
        money(deposit.amount, deposit.currency),
        deposit.bank ?? '',
        time(deposit.at),
        time(deposit.reversed),
      ]),
    },
  ]
}

export const providerPage: Page = {
  path: /^\/providers\/(?<name>.+)$/s,
  least: 'viewer',
  room: 'Parties',
  async render(request) {
    const shown: ProviderDocument = await request.ask(providerShow, {
      name: partyNameIn(request.params.name),
    })
    return {
      title: shown.name,
      crumb: { href: '/parties', text: 'Merchants and providers' },
      blocks: [
        ...frozenNotice(shown),
        {
          kind: 'facts',
          items: [
            ...partyFacts(shown),
            ['Orders', { text: 'its orders', href: `/orders?provider=${encodeURIComponent(shown.name)}` }],
            ['Terms', { text: 'networks, commissions, settlement, exposure', href: termsPath(shown) }],
            ['Networks', shown.networks.join(', ')],
            ['Owed to it', owed(shown)],
          ],
        },
        ...freezeForms(request, shown),
        ...keysOf(request, shown),
        { kind: 'heading', text: 'Orders it holds', note: 'the longest held first' },
        {
          kind: 'table',
          label: 'Orders it holds',
          empty: 'None at the moment.',
          columns: [{ label: 'Order' }, { label: 'Since' }],
          rows: shown.held.map((line) => [orderLink(line.order), time(line.since)]),
        },
      ],
    }
  },
}

function frozenNotice({ frozen }: PartyDocument): Block[] {
  if (frozen === null) return []
  return [{ kind: 'notice', tone: 'bad', title: `Frozen since ${frozen.at}`, lines: [frozen.reason] }]
}

function partyFacts(party: PartyDocument): [string, Cell][] {
  return [
    ['State', frozenState(party)],
    ['Contact', party.contact],
    [
      'Requests a minute',
      party.requestsPerMinute === null ? 'as all others' : String(party.requestsPerMinute),
    ],
    ['Since', time(party.created)],
  ]
}
