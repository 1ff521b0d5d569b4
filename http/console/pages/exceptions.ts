/** Exceptions: what needs attention, with its evidence, and how it may be resolved. */
import { claimOpen } from '../../../actors/claims/operations.ts'
import type { ReportedDifference } from '../../../actors/exceptions/report-reasons.ts'
import { chosenOutcomes } from '../../../actors/reconciliation/day-operations.ts'
import {
  type ExceptionDocument,
  exceptionList,
  exceptionResolve,
  exceptionShow,
} from '../../../actors/resolutions/operations.ts'
import type { Block, Cell } from '../blocks.ts'
import {
  code,
  isOldestFirst,
  linkTo,
  money,
  orderLink,
  shortId,
  shortLink,
  sortedBy,
  state,
  time,
} from '../cells.ts'
import { bookingForm, filled, operationAction } from '../forms.ts'
import { isolated } from '../isolated.ts'
import type { Action, Page, PageRequest } from '../page.ts'
import { capitalized, joined, named, word } from '../readable.ts'
import { whyCell } from '../reasons.ts'
import type { Texts } from '../texts/index.ts'
import type { Said, Words } from '../view.ts'
import { wording } from '../wording.ts'
import { identifyForms } from './bank.ts'
import { conversionForms } from './conversions.ts'
import { evidenceBlock } from './evidence.ts'
import { orderHistory } from './order.ts'
import { preview } from './posted.ts'
import { dayPath } from './reconciliation.ts'
import { outcomes } from './reconciliation-day.ts'
import { refundForms } from './refund.ts'

export const exceptionsPage: Page = {
  path: /^\/exceptions$/,
  least: 'viewer',
  room: 'Exceptions',
  async render({ ask, query, lines }) {
    const chosen = query.get('state') === 'resolved' ? 'resolved' : 'open'
    const { exceptions, next } = await ask(exceptionList, {
      state: chosen,
      limit: lines ?? 50,
      ...(isOldestFirst(query) ? { oldestFirst: true } : {}),
      ...filled({ cursor: query.get('cursor') ?? '' }),
    })
    return {
      title: (texts) => texts.common.exceptions,
      heading:
        chosen === 'open'
          ? (texts) => texts.exceptions.openExceptions
          : (texts) => texts.exceptions.resolvedExceptions,
      ...(query.has('cursor') ? {} : { liveSeconds: 5 }),
      blocks: [
        {
          kind: 'links',
          items: [
            chosen === 'open'
              ? { text: (texts) => texts.exceptions.showResolvedOnes, href: '/exceptions?state=resolved' }
              : { text: (texts) => texts.exceptions.showOpenOnes, href: '/exceptions' },
          ],
        },
        {
          kind: 'table',
          label: (texts) => texts.common.exceptions,
          list: 'exceptions',
          empty:
            chosen === 'open'
              ? (texts) => texts.exceptions.noOpenExceptions
              : (texts) => texts.exceptions.noneResolvedYet,
          isList: true,
          columns: [
            { label: (texts) => texts.common.exception },
            { label: (texts) => texts.common.kind, key: 'kind' },
            { label: (texts) => texts.common.opened, key: 'opened', sorted: sortedBy('/exceptions', query) },
            { label: (texts) => texts.common.order, key: 'order' },
            { label: (texts) => texts.common.amount, key: 'amount', isRight: true },
            { label: (texts) => texts.common.why, key: 'why', isCut: true },
          ],
          rows: exceptions.map((line) => [
            shortLink(`/exceptions/${line.id}`, line.id),
            named(line.kind),
            time(line.openedAt),
            orderLink(line.order),
            amountOf(line),
            whyCell(line),
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
    const { orderDetails, resolutions, report } = shown
    const forms = resolutions.flatMap(({ as, does, books }) =>
      bookingForm(request, exceptionResolve, books, {
        title: (texts) => texts.exceptions.resolve(word(texts, as)),
        lead: wording(does),
        button: (texts) => texts.exceptions.resolveAs(word(texts, as)),
        fields: as === 'accept' ? ['reason', 'evidence', 'order'] : ['reason', 'evidence'],
        hidden: { id: shown.id, as, revision: String(shown.revision) },
        // Nothing moves by it, and there is nothing to choose: nobody has to open it first.
        ...(shown.kind === 'report_difference' && resolutions.length === 1 ? { isMain: true } : {}),
      }),
    )
    return {
      title: (texts) => texts.exceptions.exception(shortId(shown.id)),
      heading: headingOf(shown),
      crumb:
        report === null
          ? { href: '/exceptions', text: (texts) => texts.common.exceptions }
          : {
              href: dayPath(report.network, report.day),
              text: (_, view) => `${isolated(report.network)}, ${view.day(report.day)}`,
            },
      liveSeconds: 5,
      blocks: [
        { kind: 'text', text: whyCell(shown) },
        {
          kind: 'facts',
          items: known([
            [(texts: Texts) => texts.common.state, state(shown.state)],
            [(texts: Texts) => texts.common.exception, { text: shown.id, isCode: true, copy: true }],
            [(texts: Texts) => texts.common.order, orderLink(shown.order)],
            ...(report === null
              ? [[(texts: Texts) => texts.common.amount, amountOf(shown)] as const]
              : reportFacts(shown, report)),
            [(texts: Texts) => texts.common.chain, shown.chain],
            ...shown.transactionIds.map(
              (id) => [(texts: Texts) => texts.common.transaction, code(id)] as const,
            ),
            [(texts: Texts) => texts.exceptions.sender, code(shown.sender)],
            [(texts: Texts) => texts.common.opened, time(shown.openedAt)],
            [(texts: Texts) => texts.exceptions.resolved, time(shown.resolvedAt)],
            [
              (texts: Texts) => texts.exceptions.resolvedAs,
              shown.resolution === null ? null : named(shown.resolution),
            ],
            [(texts: Texts) => texts.common.by, shown.resolvedBy],
            [(texts: Texts) => texts.common.because, becauseOf(shown)],
            [(texts: Texts) => texts.exceptions.with, shown.resolutionEvidence],
          ]),
        },
        ...claimLink(request, shown),
        ...(forms.length > 0
          ? [
              { kind: 'heading', text: (texts: Texts) => texts.exceptions.resolve2 } as const,
              ...waysOf(shown),
              ...refundForms(request, shown),
              ...(await identifyForms(request, shown)),
              ...conversionForms(request, shown),
              ...forms,
            ]
          : []),
        { kind: 'heading', text: (texts) => texts.common.evidence },
        evidenceBlock(withoutReport(shown.evidence), shown.parties),
        ...(orderDetails === null ? [] : orderHistory(orderDetails)),
      ],
    }
  },
}

/** What each resolution says, before anything is opened. */
function waysOf({ resolutions }: ExceptionDocument): Block[] {
  if (resolutions.length < 2) return []
  const items = resolutions.map(({ as, does }) => ({
    name: capitalized(named(as)),
    value: wording(does),
    lines: [],
  }))
  return [{ kind: 'explained', items }]
}

/** Of a difference, which one it is. */
function headingOf({ kind, report }: ExceptionDocument): Said {
  const outcome = chosenOutcomes.find((one) => one === report?.outcome)
  return capitalized(outcome === undefined ? named(kind) : joined([named(kind), outcomes[outcome]], ': '))
}

/** What both sides say. */
function reportFacts(
  { asset, evidence }: ExceptionDocument,
  { network, day, line, theirs, ours, reference, named: name }: ReportedDifference,
): (readonly [Words, Cell])[] {
  const amount = (text: string | null | undefined) => (text == null ? null : money(text, asset ?? ''))
  const { claim }: { claim?: unknown } = Object(evidence)
  return [
    [(texts) => texts.reconciliationDay.itNames, reference ?? name ?? null],
    [
      (texts) => texts.exceptions.day,
      { text: (_, view) => `${isolated(network)}, ${view.day(day)}`, href: dayPath(network, day) },
    ],
    [(texts) => texts.common.line, line === undefined ? null : `${line}`],
    [(texts) => texts.reconciliationDay.theNetworkSays2, amount(theirs)],
    [(texts) => texts.common.here, amount(ours)],
    [
      (texts) => texts.exceptions.itsClaim,
      typeof claim === 'number' ? { text: `${claim}`, href: `/claims/${claim}` } : null,
    ],
  ]
}

/** What the facts tell already. */
function withoutReport(evidence: unknown): unknown {
  if (typeof evidence !== 'object' || evidence === null || Array.isArray(evidence)) return evidence
  return Object.fromEntries(Object.entries(evidence).filter(([name]) => name !== 'report'))
}

function becauseOf({ resolution, resolutionReason, report }: ExceptionDocument): Cell {
  if (resolution === 'corrected' && report !== null)
    return (texts, view) => texts.exceptions.corrected(view.day(report.day))
  return resolutionReason === null ? null : wording(resolutionReason)
}

/** What is over with a claim about the same cash. */
function claimLink(request: PageRequest, { id, kind, order, state: now }: ExceptionDocument): Block[] {
  const isAboutCash = claimedKinds.includes(kind) && now === 'open' && order !== null
  if (!isAboutCash || !request.may(claimOpen)) return []
  return [
    {
      kind: 'links',
      items: [
        { text: (texts: Texts) => texts.claims.open, href: `/claims/open?exception=${id}`, isAct: true },
      ],
    },
  ]
}

const claimedKinds: readonly string[] = [
  'report_difference',
  'expired_while_locked',
  'cancelled_while_locked',
  'confirmed_after_return',
]

/** Most of it is about blockchains, or about how it was resolved. */
function known(facts: readonly (readonly [Words, Cell])[]): (readonly [Words, Cell])[] {
  return facts.filter(([, value]) => value !== null)
}

function amountOf({ amount, asset }: { amount: string | null; asset: string | null }): Cell {
  return amount === null ? null : money(amount, asset ?? '')
}

export const exceptionActions: readonly Action[] = [
  // Whoever settles the differences of a day goes on with the next of them.
  operationAction(exceptionResolve, ({ id, report, resolutions }, { dryRun, as = '' }) => {
    if (dryRun === 'yes')
      return preview(
        resolutions.find((one) => one.as === as)?.books ?? [],
        { href: `/exceptions/${id}`, text: (texts) => texts.exceptions.exception(shortId(id)) },
        { doIt: (texts) => texts.exceptions.resolveAs(word(texts, as)) },
      )
    return report === null ? { kind: 'go' } : { kind: 'go', to: dayPath(report.network, report.day) }
  }),
]
