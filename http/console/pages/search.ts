/** Everything, found by what people have in hand. One that is found alone is shown at once. */
import type { FoundBy, Hit, HitKind } from '../../../actors/search/hits.ts'
import { type Found, recordFind } from '../../../actors/search/operations.ts'
import type { Block, Cell, Column, Text } from '../blocks.ts'
import { money, partyLink, partyPath, shortId, state, time } from '../cells.ts'
import type { Action, Page, PageView } from '../page.ts'
import { named } from '../readable.ts'
import type { Texts } from '../texts/index.ts'
import type { Said } from '../view.ts'
import { statementPath } from './statement.ts'

export const searchPage: Page = {
  path: /^\/search$/,
  least: 'viewer',
  room: '',
  async render({ ask, query }) {
    const text = query.get('q')?.trim() ?? ''
    if (text === '') return nothingAsked
    const found = await ask(recordFind, { text: text.slice(0, maxLength) })
    const to = onlyOne(found)
    return { ...foundView(text, found), ...(to === null ? {} : { goTo: to }) }
  },
}

/** As long as the operation takes. */
const maxLength = 500

/**
 * The same, asked for in a way that puts nothing into an address: codes are worth cash, e-mails and telephone numbers are a person's, and
 * addresses are kept by browsers and by what stands in between. Where scripts run, the box sends these here.
 */
export const searchActions: readonly Action[] = [
  {
    path: '/search',
    name: recordFind.name,
    async run({ ask }, { q = '' }) {
      if (q === '') return { kind: 'show', view: nothingAsked }
      const found = await ask(recordFind, { text: q.slice(0, maxLength) })
      const to = onlyOne(found)
      return to === null ? { kind: 'show', view: foundView(q, found) } : { kind: 'go', to, isUntold: true }
    },
  },
]

function onlyOne({ hits, more }: Found): string | null {
  const [only, ...others] = hits
  return only === undefined || others.length > 0 || more ? null : pathOf(only)
}

const soughtTexts: Readonly<Record<FoundBy, Said>> = {
  id: (texts: Texts) => texts.search.idsOfOrdersWebhooksExceptions,
  code: (texts: Texts) => texts.search.codesOfOrders,
  merchantOrderId: (texts: Texts) => texts.search.merchantsOwnIdsOfOrders,
  email: (texts: Texts) => texts.search.eMailAddressesOfConsumers,
  phone: (texts: Texts) => texts.search.telephoneNumbersOfConsumers,
  transaction: (texts: Texts) => texts.search.transactionsOnBlockchains,
  reference: (texts: Texts) => texts.search.referencesOfNetworksPaymentsLines,
  statement: (texts: Texts) => texts.search.numbersOfStatements,
  amount: (texts: Texts) => texts.search.amountsOfOrders,
  name: (texts: Texts) => texts.search.namesOfMerchantsAndProviders,
}

const nothingAsked: PageView = {
  title: (texts) => texts.search.search,
  blocks: [
    {
      kind: 'text',
      text: (texts) => texts.search.writeWhatYouHaveIn,
    },
    { kind: 'list', items: Object.values(soughtTexts) },
  ],
}

function foundView(text: string, { hits, soughtAs, more }: Found): PageView {
  const title = (texts: Texts) => texts.search.search
  if (hits.length === 0) {
    return {
      title,
      heading: (texts) => texts.search.nothingWasFound,
      sought: text,
      blocks: [
        { kind: 'text', text: (texts) => texts.search.wasLookedForAmong(text) },
        { kind: 'list', items: soughtAs.map((by) => soughtTexts[by]) },
        { kind: 'text', text: (texts) => texts.search.itMayHelpToTry },
        {
          kind: 'list',
          items: [
            (texts) => texts.search.theLastSixToTwelve,
            (texts) => texts.search.theWholeOfAMerchants,
            (texts) => texts.search.anOrderFromTheList,
          ],
        },
        {
          kind: 'links',
          items: [
            { text: (texts) => texts.common.orders, href: '/orders' },
            { text: (texts) => texts.rooms.Parties, href: '/parties' },
          ],
        },
      ],
    }
  }
  const byKind = Map.groupBy(hits, ({ kind }) => kind)
  return {
    title,
    heading: (texts) => texts.search.foundFor(text),
    sought: text,
    blocks: [
      ...[...byKind].flatMap(([kind, those]): Block[] => [
        { kind: 'heading', text: kinds[kind].title },
        hitsTable(kind, those),
      ]),
      ...(more
        ? [{ kind: 'text', text: (texts: Texts) => texts.search.thereAreMoreWriteMore } as const]
        : []),
    ],
  }
}

const kinds: Readonly<Record<HitKind, { title: Said; note: Said }>> = {
  order: { title: (texts: Texts) => texts.common.orders, note: (texts: Texts) => texts.common.merchantsId },
  archivedOrder: {
    title: (texts: Texts) => texts.search.archivedOrders,
    note: (texts: Texts) => texts.search.inTheFile,
  },
  webhook: {
    title: (texts: Texts) => texts.common.webhooks,
    note: (texts: Texts) => texts.search.ordersStatus,
  },
  exception: { title: (texts: Texts) => texts.common.exceptions, note: (texts: Texts) => texts.common.kind },
  payment: { title: (texts: Texts) => texts.common.payments, note: (texts: Texts) => texts.search.direction },
  bankLine: { title: (texts: Texts) => texts.search.linesOfBanks, note: (texts: Texts) => texts.common.bank },
  deposit: { title: (texts: Texts) => texts.common.deposits, note: (texts: Texts) => texts.common.note },
  correction: {
    title: (texts: Texts) => texts.common.corrections,
    note: (texts: Texts) => texts.common.note,
  },
  statement: {
    title: (texts: Texts) => texts.common.statements,
    note: (texts: Texts) => texts.common.number,
  },
  merchant: { title: (texts: Texts) => texts.common.merchants, note: (texts: Texts) => texts.common.note },
  provider: { title: (texts: Texts) => texts.common.providers, note: (texts: Texts) => texts.common.note },
}

/** What these note are words of the program's own; what others do, such as a merchant's id, is written as it came. */
const ownWords: ReadonlySet<HitKind> = new Set(['webhook', 'exception', 'payment'])

/** Columns that say nothing of any of these are left out. */
function hitsTable(kind: HitKind, hits: readonly Hit[]): Block {
  const columns: (Column & { cell(hit: Hit): Cell })[] = [
    { label: (texts: Texts) => texts.search.found, cell: titleOf },
    {
      label: (texts: Texts) => texts.common.state,
      cell: (hit: Hit) => (hit.state === null ? null : state(hit.state)),
    },
    {
      label: (texts: Texts) => texts.common.amount,
      isRight: true,
      cell: ({ amount, currency }: Hit) => (amount === null ? null : money(amount, currency ?? '')),
    },
    {
      label: (texts: Texts) => texts.common.party,
      cell: ({ party }: Hit) => (isParty(kind) ? null : party && partyLink(party.kind, party.name)),
    },
    { label: (texts: Texts) => texts.common.at, cell: (hit: Hit) => time(hit.at) },
    {
      label: kinds[kind].note,
      cell: ({ note }: Hit): Cell => note && (ownWords.has(kind) ? named(note) : note),
    },
  ].filter(({ cell }) => hits.some((hit) => cell(hit) !== null))
  return {
    kind: 'table',
    label: kinds[kind].title,
    empty: '',
    columns: columns.map(({ label, isRight }) => ({ label, ...(isRight ? { isRight } : {}) })),
    rows: hits.map((hit) => columns.map(({ cell }) => cell(hit))),
  }
}

const isParty = (kind: HitKind) => kind === 'merchant' || kind === 'provider'

function titleOf(hit: Hit): Text {
  const isId = !['bankLine', 'deposit', 'correction', 'statement', 'merchant', 'provider'].includes(hit.kind)
  const text = isId ? shortId(hit.id) : hit.id
  const href = pathOf(hit)
  return { text, ...(isId ? { isCode: true, title: hit.id } : {}), ...(href === null ? {} : { href }) }
}

/** Where it is shown. */
function pathOf({ kind, id, party, currency, note, about, state: its }: Hit): string | null {
  switch (kind) {
    case 'order':
      return `/orders/${id}`
    case 'archivedOrder':
      return `/archive/${id}`
    case 'webhook':
      return `/webhooks/${id}`
    case 'exception':
      return `/exceptions/${id}`
    case 'payment':
      return `/payments/${id}`
    case 'bankLine':
      if (about === null || its === 'conversion') return its === 'conversion' ? '/conversions' : '/bank'
      return its === 'payment' || its === 'bounce' ? `/payments/${about}` : `/exceptions/${about}`
    case 'correction':
      return '/adjustments'
    case 'statement':
      return (
        party &&
        statementPath({ kind: party.kind, party: party.name, currency: currency ?? '', number: Number(note) })
      )
    case 'deposit':
    case 'merchant':
    case 'provider':
      return party && partyPath(party.kind, party.name)
  }
}
