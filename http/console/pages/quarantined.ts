/** Orders that are quarantined since a backup was restored, until somebody knows that they were not paid. */
import { orderClear, orderQuarantined } from '../../../actors/orders/quarantine-operations.ts'
import { providerList } from '../../../actors/parties/providers.ts'
import { counted, orderReport } from '../../../actors/reports/operations.ts'
import type { Block } from '../blocks.ts'
import { groupedCode, linkTo, orderLink, shortId, state, time } from '../cells.ts'
import { filled, oneOf, operationAction, operationForm } from '../forms.ts'
import type { Action, Page, PageRequest } from '../page.ts'

const pageLength = 50
const maxPasted = 262_144

export const quarantinedPage: Page = {
  path: /^\/quarantined$/,
  least: 'viewer',
  room: 'Orders',
  async render(request) {
    const { ask, query } = request
    const cursor = query.get('cursor') ?? ''
    const { orders, next } = await ask(orderQuarantined, { limit: pageLength, ...filled({ cursor }) })
    return {
      title: 'Quarantined orders',
      crumb: { href: '/orders', text: 'Orders' },
      blocks: [
        {
          kind: 'text',
          text:
            'They were open in a backup that was restored. A provider may have paid them since, so they cannot be ' +
            'started until the providers have said that they were not paid.',
        },
        {
          kind: 'table',
          label: 'Quarantined orders',
          empty: 'No quarantined orders.',
          columns: [
            { label: 'Order' },
            { label: 'Status' },
            { label: 'Code' },
            { label: 'Quarantined since' },
          ],
          rows: orders.map((order) => [
            orderLink(order.id),
            state(order.status),
            order.code === '' ? null : groupedCode(order.code),
            time(order.quarantinedSince),
          ]),
        },
        { kind: 'next', href: next === null ? null : linkTo('/quarantined', query, { cursor: next }) },
        ...(orders.length === 0 ? [] : [...(await reportForm(request)), ...clearForms(request, orders)]),
      ],
    }
  },
}

/** Pasted: a spreadsheet's file is opened with an editor, or the command takes it as it is. */
async function reportForm(request: PageRequest): Promise<Block[]> {
  if (!request.may(orderReport)) return []
  const { providers } = await request.ask(providerList, {})
  return operationForm(request, orderReport, {
    title: 'Book a provider’s report',
    lead:
      'All of it or nothing. CSV with a header row: order,outcome,amount,paid_at,reference and, where the provider ' +
      'has several, network. The outcome is paid or not_paid.',
    button: 'Book it',
    fields: ['provider', 'text', 'dryRun'],
    adjusted: { provider: oneOf(providers.map(({ name }) => name)), text: { maxLength: maxPasted } },
  })
}

function clearForms(request: PageRequest, orders: readonly { id: string; code: string }[]): Block[] {
  const options = orders.map(
    ({ id, code }) => [id, `${groupedCode(code).text}, order ${shortId(id)}`] as const,
  )
  return [
    ...operationForm(request, orderClear, {
      title: 'Clear one',
      lead: 'Providers can start it again.',
      button: 'Clear it',
      fields: ['ids', 'reason'],
      adjusted: { ids: { type: 'select', options, isOptional: false } },
    }),
    ...operationForm(request, orderClear, {
      title: 'Clear all',
      lead: 'Every quarantined order, including those on other pages. Any that was paid since the backup could be paid twice.',
      button: 'Clear all',
      isDanger: true,
      fields: ['reason'],
      hidden: { all: 'yes' },
    }),
  ]
}

/** On the page of an order that is quarantined. */
export function quarantineBlocks(
  request: PageRequest,
  { id, quarantinedSince }: { id: string; quarantinedSince: string | null },
): Block[] {
  if (quarantinedSince === null) return []
  const lines = [
    'It was open in a backup that was restored and may have been paid since, so it cannot be started.',
  ]
  const notice: Block = { kind: 'notice', tone: 'waiting', title: 'Quarantined', lines }
  return [
    notice,
    ...operationForm(request, orderClear, {
      title: 'Clear it',
      lead: 'The providers say that it was not paid. It can be started again.',
      button: 'Clear it',
      fields: ['reason'],
      hidden: { ids: id },
    }),
  ]
}

/** At the top of the first page. */
export async function quarantineNotice({ ask }: PageRequest): Promise<Block[]> {
  const { orders } = await ask(orderQuarantined, { limit: 1 })
  if (orders.length === 0) return []
  const title = 'Orders are quarantined after a restore'
  return [
    { kind: 'notice', tone: 'waiting', title, lines: [] },
    { kind: 'links', items: [{ text: 'See which, and clear them', href: '/quarantined' }] },
  ]
}

export const quarantinedActions: readonly Action[] = [
  {
    // A form's encoding makes three bytes of one.
    maxBytes: 4 * maxPasted,
    ...operationAction(orderReport, (booked, { provider }) => {
      const { lines, unmentioned } = booked
      return {
        kind: 'show',
        view: {
          title: booked.dryRun ? 'What the report would do' : 'The report is booked',
          crumb: { href: '/quarantined', text: 'Quarantined orders' },
          blocks: [
            { kind: 'text', text: `${provider}: ${counted(lines)}.` },
            {
              kind: 'table',
              label: 'Report lines',
              empty: 'The report is empty.',
              columns: [{ label: 'Line' }, { label: 'Order' }, { label: 'Result' }, { label: 'Waits for' }],
              rows: lines.map(({ line, order, result, waitsFor }) => [
                String(line),
                orderLink(order),
                result,
                waitsFor.length === 0 ? null : waitsFor.join(', '),
              ]),
            },
            { kind: 'heading', text: 'Not in the report: still quarantined' },
            {
              kind: 'table',
              label: 'Not in the report',
              empty: 'None.',
              columns: [{ label: 'Order' }, { label: 'Status' }],
              rows: unmentioned.map(({ id, status }) => [orderLink(id), state(status)]),
            },
          ],
        },
      }
    }),
  },
]
