/** Approvals: those that wait for a second person first, and above which amounts one is needed. */
import type { ApprovalSummary } from '../../../actors/approvals/documents.ts'
import { approvalList } from '../../../actors/approvals/operations.ts'
import {
  approvalRemoveThreshold,
  approvalSetThreshold,
  approvalThresholds,
  type ThresholdDocument,
} from '../../../actors/approvals/thresholds.ts'
import { approvalRules, isJudged } from '../../../actors/operations/approval-rules.ts'
import { operationsOf } from '../../../actors/operations/index.ts'
import type { Block, Cell, Field } from '../blocks.ts'
import { linkTo, money, state, time } from '../cells.ts'
import { filled, operationForm } from '../forms.ts'
import type { Page, PageRequest } from '../page.ts'
import type { Texts } from '../texts/index.ts'
import type { Words } from '../view.ts'

export const approvalsPage: Page = {
  path: /^\/approvals$/,
  least: 'viewer',
  room: 'Approvals',
  async render(request) {
    const { ask, query, lines } = request
    const isAll = query.get('state') === 'all'
    const { approvals, next } = await ask(approvalList, {
      limit: lines ?? 50,
      ...filled({ cursor: query.get('cursor') ?? '' }),
      ...(isAll ? {} : { state: 'open' as const }),
    })
    return {
      title: (texts) => texts.approvals.approvals,
      blocks: [
        {
          kind: 'links',
          items: [
            isAll
              ? { text: (texts) => texts.approvals.waiting, href: '/approvals' }
              : { text: (texts) => texts.approvals.all, href: '/approvals?state=all' },
          ],
        },
        {
          kind: 'table',
          label: (texts) => texts.approvals.approvals,
          empty: isAll ? (texts) => texts.approvals.none : (texts) => texts.approvals.noneWait,
          columns: [
            { label: (texts) => texts.approvals.approval },
            { label: (texts) => texts.approvals.operation },
            { label: (texts) => texts.common.amount, isRight: true },
            { label: (texts) => texts.common.state },
            { label: (texts) => texts.approvals.askedBy },
            { label: (texts) => texts.approvals.asked },
            { label: (texts) => texts.approvals.expires },
          ],
          rows: approvals.map((approval): Cell[] => [
            { text: `${approval.number}`, href: `/approvals/${approval.number}` },
            operationCell(approval.operation),
            moved(approval),
            state(approval.state),
            asker(approval),
            time(approval.asked),
            time(approval.expires),
          ]),
        },
        { kind: 'next', href: next === null ? null : linkTo('/approvals', query, { cursor: next }) },
        ...thresholdBlocks(request, (await ask(approvalThresholds, {})).thresholds),
      ],
    }
  },
}

/** In words, where it is one that may take two people; the name that commands have for it is told beside the pointer. */
export function operationCell(name: string): Cell {
  const operation = { name }
  return { text: ({ judged }) => (isJudged(operation) ? judged[operation.name] : name), title: name }
}

export function moved({ moves }: Pick<ApprovalSummary, 'moves'>): Cell {
  const [first, ...others] = moves
  if (first === undefined) return null
  const shown = money(first.amount, first.currency)
  return others.length === 0
    ? shown
    : { ...shown, note: others.map((one) => `${one.amount} ${one.currency}`).join(', ') }
}

export function asker({ askedBy, isPerson }: ApprovalSummary): Cell {
  return isPerson ? askedBy : { text: askedBy, note: (texts) => texts.approvals.notSignedIn }
}

/** Those that amounts are judged of. */
const byAmount: Partial<Field> = {
  type: 'select',
  hint: '',
  isOptional: false,
  options: [
    ['', ({ approvals }) => approvals.everyOperation],
    ...operationsOf('production').flatMap((operation): [string, Words][] => {
      if (!isJudged(operation) || approvalRules[operation.name][0] !== 'amount') return []
      const { name } = operation
      return [[name, ({ judged }) => judged[name]]]
    }),
  ],
}

function thresholdBlocks(request: PageRequest, thresholds: readonly ThresholdDocument[]): Block[] {
  return [
    { kind: 'heading', text: (texts) => texts.approvals.thresholds },
    { kind: 'text', text: (texts) => texts.approvals.thresholdsLead },
    {
      kind: 'table',
      label: (texts) => texts.approvals.thresholds,
      empty: (texts) => texts.approvals.noThresholds,
      columns: [
        { label: (texts) => texts.approvals.operation },
        { label: (texts) => texts.approvals.above, isRight: true },
        { label: (texts) => texts.approvals.set },
        { label: (texts) => texts.common.by },
      ],
      rows: thresholds.map((one): Cell[] => [
        one.operation === '*'
          ? (texts: Texts) => texts.approvals.everyOperation
          : operationCell(one.operation),
        money(one.amount, one.currency),
        time(one.set),
        one.setBy,
      ]),
    },
    ...operationForm(request, approvalSetThreshold, {
      title: (texts) => texts.approvals.setThreshold,
      button: (texts) => texts.approvals.setIt,
      fields: ['currency', 'amount', 'operation', 'reason'],
      adjusted: { operation: byAmount },
    }),
    ...(thresholds.length === 0
      ? []
      : operationForm(request, approvalRemoveThreshold, {
          title: (texts) => texts.approvals.removeThreshold,
          button: (texts) => texts.approvals.removeIt,
          isDanger: true,
          fields: ['currency', 'operation', 'reason'],
          adjusted: { operation: byAmount },
        })),
  ]
}
