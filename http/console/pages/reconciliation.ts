/** What networks report, day by day: which days agree, and where a report is sent. */
import { reconciliationDays } from '../../../actors/reconciliation/day-operations.ts'
import type { DayState } from '../../../actors/reconciliation/day-states.ts'
import { type NetworkDay, type NetworkDays, today } from '../../../actors/reconciliation/days.ts'
import { reconciliationRead } from '../../../actors/reconciliation/operations.ts'
import { addDays } from '../../../actors/terms/days.ts'
import type { Block, Field, Tone } from '../blocks.ts'
import { count } from '../cells.ts'
import { filled, operationAction, operationForm, partiesShown } from '../forms.ts'
import { isolated } from '../isolated.ts'
import type { Action, Page, PageRequest } from '../page.ts'
import { named } from '../readable.ts'
import type { Texts } from '../texts/index.ts'
import type { Said } from '../view.ts'
import { termsPath } from './terms.ts'

export const dayTones: Readonly<Record<DayState, Tone>> = {
  open: 'plain',
  imported: 'waiting',
  differences: 'bad',
  reconciled: 'good',
}

export const reconciliationPage: Page = {
  path: /^\/reconciliation$/,
  least: 'viewer',
  room: 'Reconciliation',
  async render(request) {
    const { ask, query } = request
    const asked = filled({ from: query.get('from') ?? '', to: query.get('to') ?? '' })
    const { from, to, networks } = await ask(reconciliationDays, asked)
    return {
      title: (texts) => texts.common.reconciliation,
      blocks: [
        {
          kind: 'links',
          items: [
            { text: (texts: Texts) => texts.claims.claims, href: '/claims' },
            { text: (texts: Texts) => texts.bank.bankStatement, href: '/bank#statement' },
          ],
        },
        ...tiles(networks),
        ...readForm(request, null, networks),
        filters(from, to),
        ...networks.flatMap(calendar),
        ...(networks.length === 0
          ? [{ kind: 'text', text: (texts: Texts) => texts.reconciliation.thereIsNoNetworkYet } as const]
          : []),
      ],
    }
  },
}

/** @param known the network and the day, where the page is about one */
export function readForm(
  request: PageRequest,
  known: { network: string; day: string } | null,
  networks: readonly Pick<NetworkDays, 'network' | 'name' | 'provider' | 'currency'>[],
  form: { title?: Said; isMain?: boolean } = {},
): Block[] {
  const file: Partial<Field> = {
    type: 'file',
    label: (texts) => texts.common.file,
    hint: (texts) => texts.reconciliation.csvAtMost32Mb,
  }
  // Without a currency nothing can be compared.
  const compared = networks.filter(({ currency }) => currency !== null)
  if (known === null && compared.length === 0) return []
  return operationForm(request, reconciliationRead, {
    title: (texts) => texts.reconciliation.lookAtANetworksReport,
    lead: (texts) => texts.reconciliation.nothingIsChangedBeforeYou,
    button: (texts) => texts.reconciliation.lookAtIt,
    fields: known === null ? ['network', 'day', 'file'] : ['file'],
    adjusted: {
      network: {
        isOptional: false,
        label: (texts) => texts.reconciliation.network,
        ...(compared.length > partiesShown
          ? {}
          : { type: 'select', options: compared.map((one) => [one.network, nameOf(one)] as const) }),
      },
      day: { type: 'date', hint: '', value: addDays(today(request.now), -1) },
      file,
    },
    hidden: known ?? {},
    ...form,
  })
}

function nameOf({ network, name, provider }: Pick<NetworkDays, 'network' | 'name' | 'provider'>): string {
  return `${withId(network, name)}, ${isolated(provider)}`
}

function withId(network: string, name: string | null): string {
  return name === null ? isolated(network) : `${isolated(name)} (${isolated(network)})`
}

/** None where nothing can be compared: that no day differs would be said of it. */
function tiles(networks: readonly NetworkDays[]): Block[] {
  if (networks.every(({ currency }) => currency === null)) return []
  const days = networks.flatMap((network) => network.days)
  const countOf = (state: DayState) => days.filter((day) => day.state === state).length
  const open = days.reduce((sum, day) => sum + day.open, 0)
  const pending = days.reduce((sum, day) => sum + day.pending, 0)
  return [
    {
      kind: 'tiles',
      label: (texts) => texts.common.days,
      items: [
        {
          label: (texts) => texts.reconciliation.daysWithDifferences,
          value: count(countOf('differences')),
          tone: countOf('differences') > 0 ? 'bad' : 'plain',
        },
        {
          label: (texts) => texts.reconciliation.differencesToLookAt,
          value: count(open),
          tone: open > 0 ? 'bad' : 'plain',
        },
        { label: (texts) => texts.reconciliation.paymentsNotReportedYet, value: count(pending) },
        { label: (texts) => texts.reconciliation.daysReconciled, value: count(countOf('reconciled')) },
      ],
    },
  ]
}

function filters(from: string, to: string): Block {
  return {
    kind: 'filters',
    action: '/reconciliation',
    button: (texts) => texts.common.show,
    fields: [
      { name: 'from', label: (texts) => texts.common.from, type: 'date', value: from, isOptional: true },
      { name: 'to', label: (texts) => texts.common.to, type: 'date', value: to, isOptional: true },
    ],
  }
}

function calendar({ network, name, provider, currency, days }: NetworkDays): Block[] {
  const heading = {
    kind: 'heading',
    text: withId(network, name),
    note:
      currency === null
        ? (texts: Texts) => texts.reconciliation.withoutACurrencyNothingCan(provider)
        : `${isolated(provider)}, ${currency}`,
  } as const
  const oldestFirst = days.toReversed()
  const [first, last] = [oldestFirst[0]?.day, oldestFirst.at(-1)?.day]
  if (currency === null) {
    const text = (texts: Texts) => texts.parties.networksCommissionsSettlementExposure
    return [
      heading,
      { kind: 'links', items: [{ text, href: termsPath({ kind: 'provider', name: provider }) }] },
    ]
  }
  if (first === undefined || last === undefined) return [heading]
  const byDay = new Map(oldestFirst.map((day) => [day.day, day]))
  const blanks = (new Date(`${first}T00:00:00Z`).getUTCDay() + 6) % 7
  const shown: Extract<Block, { kind: 'month' }>['days'][number][] = Array.from(
    { length: blanks },
    () => nothing,
  )
  for (let day = first; day <= last; day = addDays(day, 1)) {
    const known = byDay.get(day)
    shown.push(known === undefined ? nothing : cellOf(network, known))
  }
  return [heading, { kind: 'month', label: (texts) => texts.reconciliation.daysOf(network), days: shown }]
}

const nothing = { day: '', tone: 'plain', text: '', short: '' } as const

function cellOf(network: string, day: NetworkDay): Extract<Block, { kind: 'month' }>['days'][number] {
  const short = { open: '–', imported: `${day.pending} …`, differences: `${day.open} !`, reconciled: '✓' }
  return {
    day: day.day,
    href: dayPath(network, day.day),
    tone: dayTones[day.state],
    text: dayText(day),
    short: short[day.state],
  }
}

function dayText({ state, open, pending, awaited }: NetworkDay): Said {
  switch (state) {
    case 'open':
      return named('open')
    case 'imported':
      return ({ reconciliation: said }, view) =>
        awaited.length === 0
          ? said.waiting(view.number(pending))
          : said.waitingFor(view.number(pending), awaited.map(view.day).join(', '))
    case 'differences':
      return (texts, view) => texts.reconciliation.toLookAt(view.number(open))
    case 'reconciled':
      return named('reconciled')
  }
}

export function dayPath(network: string, day: string): string {
  return `/reconciliation/days/${encodeURIComponent(network)}/${day}`
}

export const reconciliationActions: readonly Action[] = [
  {
    file: { name: 'file', isOptional: false },
    ...operationAction(reconciliationRead, ({ run }) => ({ kind: 'go', to: `/reconciliation/files/${run}` })),
  },
]
