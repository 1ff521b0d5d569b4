/** Exceptions: what needs attention, with its evidence, and how it may be resolved. */
import { exceptionList, exceptionResolve, exceptionShow } from '../../../actors/resolutions/operations.ts'
import type { Cell } from '../blocks.ts'
import { code, linkTo, money, orderLink, shortId, shortLink, state, time } from '../cells.ts'
import { filled, operationForm } from '../forms.ts'
import type { Page } from '../page.ts'
import { capital, words } from '../readable.ts'
import { identifyForms } from './bank.ts'
import { evidenceBlock } from './evidence.ts'
import { orderHistory } from './order.ts'
import { refundForms } from './refund.ts'

export const exceptionsPage: Page = {
  path: /^\/exceptions$/,
  least: 'viewer',
  room: 'Exceptions',
  async render({ ask, query }) {
    const chosen = query.get('state') === 'resolved' ? 'resolved' : 'open'
    const { exceptions, next } = await ask(exceptionList, {
      state: chosen,
      limit: 50,
      ...filled({ cursor: query.get('cursor') ?? '' }),
    })
    return {
      title: 'Exceptions',
      heading: chosen === 'open' ? 'Open exceptions' : 'Resolved exceptions',
      ...(query.has('cursor') ? {} : { liveSeconds: 5 }),
      blocks: [
        {
          kind: 'links',
          items: [
            chosen === 'open'
              ? { text: 'Show resolved ones', href: '/exceptions?state=resolved' }
              : { text: 'Show open ones', href: '/exceptions' },
          ],
        },
        {
          kind: 'table',
          label: 'Exceptions',
          empty: chosen === 'open' ? 'No open exceptions.' : 'None resolved yet.',
          isList: true,
          columns: [
            { label: 'Exception' },
            { label: 'Kind' },
            { label: 'Opened' },
            { label: 'Order' },
            { label: 'Amount', isRight: true },
            { label: 'Why', isCut: true },
          ],
          rows: exceptions.map((line) => [
            shortLink(`/exceptions/${line.id}`, line.id),
            words(line.kind),
            time(line.openedAt),
            orderLink(line.order),
            amountOf(line),
            line.reason,
          ]),
        },
        { kind: 'next', href: next === null ? null : linkTo('/exceptions', query, { cursor: next }) },
      ],
    }
  },
}

export const exceptionPage: Page = {
  path: /^\/exceptions\/(?<id>[\w-]{1,64})$/,
  least: 'viewer',
  room: 'Exceptions',
  async render(request) {
    const { ask, params } = request
    const shown = await ask(exceptionShow, { id: params.id ?? '' })
    const { orderDetails, resolutions } = shown
    const forms = resolutions.flatMap(({ as, does }) =>
      operationForm(request, exceptionResolve, {
        title: `Resolve: ${as}`,
        lead: does,
        button: `Resolve as ${as}`,
        fields: as === 'accept' ? ['reason', 'evidence', 'order'] : ['reason', 'evidence'],
        hidden: { id: shown.id, as, revision: String(shown.revision) },
      }),
    )
    return {
      title: `Exception ${shortId(shown.id)}`,
      heading: capital(words(shown.kind)),
      crumb: { href: '/exceptions', text: 'Exceptions' },
      liveSeconds: 5,
      blocks: [
        { kind: 'text', text: shown.reason },
        {
          kind: 'facts',
          items: known([
            ['State', state(shown.state)],
            ['Exception', { text: shown.id, isCode: true, copy: true }],
            ['Order', orderLink(shown.order)],
            ['Amount', amountOf(shown)],
            ['Chain', shown.chain],
            ...shown.transactionIds.map((id) => ['Transaction', code(id)] as const),
            ['Sender', code(shown.sender)],
            ['Opened', time(shown.openedAt)],
            ['Resolved', time(shown.resolvedAt)],
            ['Resolved as', shown.resolution],
            ['By', shown.resolvedBy],
            ['Because', shown.resolutionReason],
            ['With', shown.resolutionEvidence],
          ]),
        },
        ...(forms.length > 0
          ? [
              { kind: 'heading', text: 'Resolve' } as const,
              ...refundForms(request, shown),
              ...identifyForms(request, shown),
              ...forms,
            ]
          : []),
        { kind: 'heading', text: 'Evidence' },
        evidenceBlock(shown.evidence, shown.parties),
        ...(orderDetails === null ? [] : orderHistory(orderDetails)),
      ],
    }
  },
}

/** Most of it is about blockchains, or about how it was resolved. */
function known(facts: readonly (readonly [string, Cell])[]): (readonly [string, Cell])[] {
  return facts.filter(([, value]) => value !== null)
}

function amountOf({ amount, asset }: { amount: string | null; asset: string | null }): Cell {
  return amount === null ? null : money(amount, asset ?? '')
}
