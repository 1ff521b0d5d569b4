/** One approval: what was asked for, what it would do, the buttons, and what it was told. */
import type { ApprovalDocument, ShownApproval } from '../../../actors/approvals/documents.ts'
import {
  approvalApprove,
  approvalRefuse,
  approvalShow,
  approvalWithdraw,
} from '../../../actors/approvals/operations.ts'
import { operationsOf } from '../../../actors/operations/index.ts'
import type { Block, Cell } from '../blocks.ts'
import { state, time } from '../cells.ts'
import { operationForm } from '../forms.ts'
import type { Page, PageRequest } from '../page.ts'
import { capitalized, named } from '../readable.ts'
import { told, wording } from '../wording.ts'
import { asker, moved, operationCell } from './approvals.ts'
import { postingsBlock } from './posted.ts'
import { whatItWasTold } from './what-told.ts'

export const approvalPage: Page = {
  path: /^\/approvals\/(?<number>[1-9]\d{0,8})$/,
  least: 'operator',
  room: 'Approvals',
  async render(request) {
    const approval = await request.ask(approvalShow, { number: Number(request.params.number) })
    const { number, preview } = approval
    return {
      title: (texts) => texts.approvals.approvalOf(`${number}`),
      crumb: { href: '/approvals', text: (texts) => texts.approvals.approvals },
      blocks: [
        facts(approval),
        { kind: 'heading', text: (texts) => texts.approvals.whatItDoes },
        ...(preview.changes.length === 0
          ? []
          : [{ kind: 'list', items: preview.changes.map(wording) } as const]),
        ...(preview.postings.length === 0 && preview.changes.length > 0
          ? []
          : [postingsBlock(preview.postings, (texts) => texts.approvals.wouldPost)]),
        ...asked(approval),
        ...decisions(request, approval),
        ...timeLine(approval),
      ],
    }
  },
}

/** Whoever approves reads all of it: of a threshold or a person nothing else says what would be. */
function asked({ operation, input }: ApprovalDocument): Block[] {
  const members = typeof input === 'object' && input !== null ? Object.entries(input) : []
  const plain = members.filter(([, value]) => typeof value !== 'object')
  const nested = members.filter(([, value]) => typeof value === 'object')
  const fields = operationsOf('sandbox').find(({ name }) => name === operation)?.fields ?? {}
  return [
    { kind: 'heading', text: (texts) => texts.approvals.input },
    {
      kind: 'facts',
      items: plain.map(([name, value]) => {
        const label = fields[name]?.form?.label
        return [
          label === undefined ? capitalized(named(name)) : wording(label),
          { text: String(value), isLong: true },
        ] as const
      }),
    },
    ...nested.map(
      ([name, value]): Block => ({
        kind: 'source',
        label: named(name),
        text: JSON.stringify(value, null, 2),
      }),
    ),
  ]
}

function facts(approval: ApprovalDocument): Block {
  return {
    kind: 'facts',
    items: [
      [(texts) => texts.common.state, state(approval.state)],
      [(texts) => texts.approvals.operation, operationCell(approval.operation)],
      [(texts) => texts.common.amount, moved(approval)],
      [(texts) => texts.approvals.why, told(approval.preview.because)],
      [(texts) => texts.approvals.askedBy, asker(approval)],
      [(texts) => texts.approvals.asked, time(approval.asked)],
      [(texts) => texts.approvals.expires, time(approval.expires)],
      [(texts) => texts.approvals.decidedBy, approval.decidedBy],
      [(texts) => texts.common.because, approval.reason === null ? null : told(approval.reason)],
    ],
  }
}

function decisions(request: PageRequest, approval: ShownApproval): Block[] {
  const { number, revision, askedBy, isPerson, carriedBy, hindrance } = approval
  const isMine = askedBy === request.operator.name
  const hidden = { number: `${number}`, revision: `${revision}` }
  if (approval.state !== 'asked' && approval.state !== 'approved') return []
  const refuse = operationForm(request, approvalRefuse, {
    title: (texts) => texts.approvals.refuse,
    button: (texts) => texts.approvals.refuse,
    isDanger: true,
    fields: ['reason'],
    hidden,
  })
  const withdraw = isPerson
    ? operationForm(request, approvalWithdraw, {
        title: (texts) => texts.approvals.withdraw,
        button: (texts) => texts.approvals.withdraw,
        fields: ['reason'],
        hidden: { number: `${number}` },
      })
    : refuse
  if (approval.state === 'approved') {
    const again: Block = { kind: 'text', text: (texts) => texts.approvals.askAgain(askedBy) }
    return [...(carriedBy === 'asker' ? [again] : []), ...(isMine ? withdraw : refuse)]
  }
  if (isMine) return [{ kind: 'text', text: (texts) => texts.approvals.yours }, ...withdraw]
  if (hindrance !== null) return [notForYou(hindrance), ...refuse]
  return [
    ...operationForm(request, approvalApprove, {
      title: (texts) => texts.approvals.approve,
      lead: (texts) =>
        carriedBy === 'node' ? texts.approvals.approveLead : texts.approvals.approveLeadAsker(askedBy),
      button: (texts) => texts.approvals.approve,
      isMain: true,
      fields: [],
      hidden,
    }),
    ...refuse,
  ]
}

/** In the place of the button: what it would be answered. */
function notForYou({ why, hint }: NonNullable<ShownApproval['hindrance']>): Block {
  const lines = hint === null ? [told(why)] : [told(why), told(hint)]
  return { kind: 'notice', tone: 'plain', title: (texts) => texts.approvals.notForYou, lines }
}

function timeLine({ events }: ApprovalDocument): Block[] {
  return whatItWasTold(
    events.map(({ at, by, event, state: to, reason }): Cell[] => [
      time(at),
      by,
      named(event.replace('approval.', '')),
      state(to),
      reason === null ? null : told(reason),
    ]),
  )
}
