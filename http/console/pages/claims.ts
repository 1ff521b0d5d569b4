/** Claims: those that wait first, and the form that opens one. */
import type { ClaimSummary } from '../../../actors/claims/documents.ts'
import { claimList, claimOpen } from '../../../actors/claims/operations.ts'
import type { Cell, Text } from '../blocks.ts'
import { linkTo, money, orderLink, partyLink, state, time } from '../cells.ts'
import { filled } from '../forms.ts'
import type { Page } from '../page.ts'
import { named } from '../readable.ts'
import type { Texts } from '../texts/index.ts'
import type { Said } from '../view.ts'

export const claimsPage: Page = {
  path: /^\/claims$/,
  least: 'viewer',
  room: 'Reconciliation',
  async render(request) {
    const { ask, query, lines } = request
    const isAll = query.get('state') === 'all'
    const [order, cursor] = [query.get('order') ?? '', query.get('cursor') ?? '']
    const { claims, next } = await ask(claimList, {
      limit: lines ?? 50,
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
            ...(request.may(claimOpen)
              ? [
                  {
                    text: (texts: Texts) => texts.claims.open,
                    isAct: true as const,
                    href: order === '' ? '/claims/open' : `/claims/open?order=${encodeURIComponent(order)}`,
                  },
                ]
              : []),
            isAll
              ? { text: (texts) => texts.claims.waiting, href: '/claims' }
              : { text: (texts) => texts.claims.all, href: '/claims?state=all' },
          ],
        },
        {
          kind: 'table',
          label: (texts) => texts.claims.claims,
          empty:
            order !== ''
              ? (texts) => texts.claims.noneOfOrder
              : isAll
                ? (texts) => texts.claims.none
                : (texts) => texts.claims.noneWait,
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
            claimState(claim.state),
            dueCell(claim),
            orderLink(claim.order),
            money(claim.amount ?? claim.price, claim.currency),
            against(claim),
            time(claim.opened),
          ]),
        },
        { kind: 'next', href: next === null ? null : linkTo('/claims', query, { cursor: next }) },
      ],
    }
  },
}

/** What is accepted of a claim has another form in some languages than of a deposit. */
export function claimState(name: ClaimSummary['state']): Text {
  const text = state(name)
  return name === 'accepted' ? { ...text, text: named('claim_accepted') } : text
}

export function dueCell({ dueOn, isOverdue }: ClaimSummary): Cell {
  const text: Said = (_, view) => view.day(dueOn)
  return isOverdue ? { text, tone: 'bad', note: (texts) => texts.claims.overdue } : text
}

export function against({ respondent, merchant, provider }: ClaimSummary): Cell {
  return respondent === 'merchant' ? partyLink('merchant', merchant) : partyLink('provider', provider)
}
