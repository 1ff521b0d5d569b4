/** Claims: those that wait first, and the form that opens one. */
import type { ClaimSummary } from '../../../actors/claims/documents.ts'
import { claimList, claimOpen } from '../../../actors/claims/operations.ts'
import type { Block, Cell } from '../blocks.ts'
import { linkTo, money, orderLink, partyLink, state, time } from '../cells.ts'
import { filled, operationAction, operationForm } from '../forms.ts'
import type { Action, Page, PageRequest } from '../page.ts'
import { named } from '../readable.ts'

export const claimsPage: Page = {
  path: /^\/claims$/,
  least: 'viewer',
  room: 'Reconciliation',
  async render(request) {
    const { ask, query } = request
    const isAll = query.get('state') === 'all'
    const [order, cursor] = [query.get('order') ?? '', query.get('cursor') ?? '']
    const { claims, next } = await ask(claimList, {
      limit: 50,
      ...filled({ cursor, order }),
      ...(isAll || order !== '' ? {} : { state: 'undecided' as const }),
    })
    return {
      title: (texts) => texts.claims.claims,
      crumb: { href: '/reconciliation', text: (texts) => texts.common.reconciliation },
      blocks: [
        {
          kind: 'links',
          items: [
            isAll
              ? { text: (texts) => texts.claims.waiting, href: '/claims' }
              : { text: (texts) => texts.claims.all, href: '/claims?state=all' },
          ],
        },
        {
          kind: 'table',
          label: (texts) => texts.claims.claims,
          empty: isAll ? (texts) => texts.claims.none : (texts) => texts.claims.noneWait,
          columns: [
            { label: (texts) => texts.claims.claim },
            { label: (texts) => texts.common.kind },
            { label: (texts) => texts.common.state },
            { label: (texts) => texts.claims.due },
            { label: (texts) => texts.common.order },
            { label: (texts) => texts.common.amount, isRight: true },
            { label: (texts) => texts.claims.against },
            { label: (texts) => texts.common.opened },
          ],
          rows: claims.map((claim): Cell[] => [
            { text: `${claim.number}`, href: `/claims/${claim.number}` },
            named(claim.kind),
            state(claim.state),
            dueCell(claim),
            orderLink(claim.order),
            money(claim.amount ?? claim.price, claim.currency),
            against(claim),
            time(claim.opened),
          ]),
        },
        { kind: 'next', href: next === null ? null : linkTo('/claims', query, { cursor: next }) },
        ...openForm(request, order),
      ],
    }
  },
}

export function dueCell({ dueOn, isOverdue }: ClaimSummary): Cell {
  return isOverdue ? { text: dueOn, tone: 'bad', note: (texts) => texts.claims.overdue } : dueOn
}

export function against({ respondent, merchant, provider }: ClaimSummary): Cell {
  return respondent === 'merchant' ? partyLink('merchant', merchant) : partyLink('provider', provider)
}

function openForm(request: PageRequest, order: string): Block[] {
  const exception = request.query.get('exception') ?? ''
  return operationForm(request, claimOpen, {
    title: (texts) => texts.claims.open,
    lead: (texts) => texts.claims.nothingMoves,
    button: (texts) => texts.claims.openIt,
    fields: ['order', 'kind', 'amount', 'provider', 'exception', 'text', 'reason'],
    adjusted: {
      order: { label: (texts) => texts.common.order, value: order, maxLength: 64 },
      exception: { value: exception },
    },
  })
}

export const claimsActions: readonly Action[] = [
  operationAction(claimOpen, ({ number }) => ({ kind: 'go', to: `/claims/${number}` })),
]
