/** Everything, found by what people have in hand. One that is found alone is shown at once. */
import type { FoundBy, Hit, HitKind } from '../../../actors/search/looking.ts'
import { type Found, recordFind } from '../../../actors/search/operations.ts'
import type { Block, Cell, Text } from '../blocks.ts'
import { money, partyLink, partyPath, shortId, state, time } from '../cells.ts'
import type { Action, Page, PageView } from '../page.ts'
import { words } from '../readable.ts'
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
 * The same, asked for in a way that puts nothing into an address: codes are worth cash, and e-mails are a person's, and
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

const soughtTexts: Readonly<Record<FoundBy, string>> = {
  id: 'ids of orders, webhooks, exceptions and payments, by their first digits or, but for webhooks, their last 6 to 12',
  code: 'codes of orders',
  merchantOrderId: 'merchants’ own ids of orders',
  email: 'e-mail addresses of consumers',
  transaction: 'transactions on blockchains',
  reference: 'references of networks, payments, lines of banks, deposits and corrections',
  statement: 'numbers of statements',
  name: 'names of merchants and providers, and parts of them',
}

const nothingAsked: PageView = {
  title: 'Search',
  blocks: [
    {
      kind: 'text',
      text: 'Write what you have in hand into the box above. The key / brings you there from any page. It is looked for among:',
    },
    { kind: 'list', items: Object.values(soughtTexts) },
  ],
}

function foundView(text: string, { hits, soughtAs, more }: Found): PageView {
  const title = 'Search'
  if (hits.length === 0) {
    return {
      title,
      heading: 'Nothing was found',
      sought: text,
      blocks: [
        { kind: 'text', text: `“${text}” was looked for among:` },
        { kind: 'list', items: soughtAs.map((by) => soughtTexts[by]) },
        { kind: 'text', text: 'It may help to try:' },
        {
          kind: 'list',
          items: [
            'the last six to twelve digits of an id, which are what lists show, such as bbad6185',
            'the whole of a merchant’s id or of a reference: parts of these are not looked for',
            'an order from the list, narrowed by merchant, provider, status and days',
          ],
        },
        {
          kind: 'links',
          items: [
            { text: 'Orders', href: '/orders' },
            { text: 'Merchants and providers', href: '/parties' },
          ],
        },
      ],
    }
  }
  const byKind = Map.groupBy(hits, ({ kind }) => kind)
  return {
    title,
    heading: `Found for “${text}”`,
    sought: text,
    blocks: [
      ...[...byKind].flatMap(([kind, those]): Block[] => [
        { kind: 'heading', text: kinds[kind].title },
        hitsTable(kind, those),
      ]),
      ...(more ? [{ kind: 'text', text: 'There are more: write more of it.' } as const] : []),
    ],
  }
}

const kinds: Readonly<Record<HitKind, { title: string; note: string }>> = {
  order: { title: 'Orders', note: 'Merchant’s id' },
  archivedOrder: { title: 'Archived orders', note: 'In the file' },
  webhook: { title: 'Webhooks', note: 'Order’s status' },
  exception: { title: 'Exceptions', note: 'Kind' },
  payment: { title: 'Payments', note: 'Direction' },
  bankLine: { title: 'Lines of banks', note: 'Bank' },
  deposit: { title: 'Deposits', note: 'Note' },
  correction: { title: 'Corrections', note: 'Note' },
  statement: { title: 'Statements', note: 'Number' },
  merchant: { title: 'Merchants', note: 'Note' },
  provider: { title: 'Providers', note: 'Note' },
}

/** Columns that say nothing of any of these are left out. */
function hitsTable(kind: HitKind, hits: readonly Hit[]): Block {
  const columns = [
    { label: 'Found', cell: titleOf },
    { label: 'State', cell: (hit: Hit) => (hit.state === null ? null : state(hit.state)) },
    {
      label: 'Amount',
      isRight: true,
      cell: ({ amount, currency }: Hit) => (amount === null ? null : money(amount, currency ?? '')),
    },
    { label: 'Party', cell: ({ party }: Hit) => party && partyLink(party.kind, party.name) },
    { label: 'At', cell: (hit: Hit) => time(hit.at) },
    { label: kinds[kind].note, cell: ({ note }: Hit): Cell => note && words(note) },
  ].filter(({ cell, label }) =>
    hits.some((hit) => cell(hit) !== null && !(isParty(kind) && label === 'Party')),
  )
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

/** Where it is shown; `null` for what is in the archive. */
function pathOf({ kind, id, party, currency, note, about, state: its }: Hit): string | null {
  switch (kind) {
    case 'order':
      return `/orders/${id}`
    case 'archivedOrder':
      return null
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
