/** `ventanilla approval …` */
import type { Command } from 'commander'
import type { ApprovalDocument, ApprovalSummary } from '../../actors/approvals/documents.ts'
import {
  approvalCarryOut,
  approvalList,
  approvalRefuse,
  approvalShow,
  approvalWithdraw,
} from '../../actors/approvals/operations.ts'
import {
  approvalRemoveThreshold,
  approvalSetThreshold,
  approvalThresholds,
  type ThresholdDocument,
} from '../../actors/approvals/thresholds.ts'
import { addGroup, addOperationCommand, more } from '../command.ts'
import { postingsText } from '../settlement-text.ts'
import { fields, section, shortTime, table } from '../table.ts'
import type { Terminal } from '../terminal.ts'

export function addApprovalCommands(terminal: Terminal, program: Command): void {
  const group = addGroup(program, 'approval', 'What needs a second person. Approved is in the console alone.')
  addOperationCommand(terminal, group, {
    operation: approvalList,
    show: ({ approvals, next }) => listText(approvals) + more(next),
  })
  addOperationCommand(terminal, group, {
    operation: approvalShow,
    examples: ['approval show 12'],
    show: approvalText,
  })
  addOperationCommand(terminal, group, { operation: approvalRefuse, show: approvalText })
  addOperationCommand(terminal, group, { operation: approvalWithdraw, show: approvalText })
  addOperationCommand(terminal, group, {
    operation: approvalCarryOut,
    examples: ['approval carry-out 12'],
    show: ({ output, approval }) => `${JSON.stringify(output, null, 2)}\n\n${approvalText(approval)}`,
  })
  addOperationCommand(terminal, group, {
    operation: approvalThresholds,
    examples: ['approval thresholds'],
    show: ({ thresholds }) => thresholdsText(thresholds),
  })
  addOperationCommand(terminal, group, {
    operation: approvalSetThreshold,
    show: (one) => thresholdsText([one]),
  })
  addOperationCommand(terminal, group, {
    operation: approvalRemoveThreshold,
    examples: ['approval remove-threshold --currency COP --reason "not used any more"'],
    show: ({ operation, currency }) => `Removed: ${operation} ${currency}\n`,
  })
}

function movesText(moves: ApprovalSummary['moves']): string {
  return moves.map(({ amount, currency }) => `${amount} ${currency}`).join(', ') || '–'
}

function listText(approvals: readonly ApprovalSummary[]): string {
  if (approvals.length === 0) return 'No approvals.\n'
  return table(approvals, [
    { title: 'APPROVAL', value: (it) => `${it.number}`, right: true },
    { title: 'OPERATION', value: (it) => it.operation },
    { title: 'MOVES', value: (it) => movesText(it.moves), right: true },
    { title: 'STATE', value: (it) => it.state.replaceAll('_', ' ') },
    { title: 'ASKED BY', value: askerText },
    { title: 'ASKED', value: (it) => shortTime(it.asked) },
    { title: 'EXPIRES', value: (it) => shortTime(it.expires) },
  ])
}

function askerText({ askedBy, isPerson }: ApprovalSummary): string {
  return isPerson ? askedBy : `${askedBy} (not signed in)`
}

function approvalText(approval: ApprovalDocument): string {
  const { preview, input, events } = approval
  return [
    fields([
      ['Approval', `${approval.number}`],
      ['Operation', approval.operation],
      ['State', approval.state.replaceAll('_', ' ')],
      ['Moves', movesText(approval.moves)],
      ['Why', preview.because],
      ['Asked by', askerText(approval)],
      ['Expires', approval.expires],
      ['Decided by', approval.decidedBy ?? '–'],
      ['Reason', approval.reason ?? '–'],
      ['Carried out by', approval.carriedBy === 'node' ? 'the node' : 'whoever asked'],
    ]),
    section('What was asked for', `${JSON.stringify(input, null, 2)}\n`),
    preview.changes.length === 0 ? '' : section('Would change', `${preview.changes.join('\n')}\n`),
    preview.postings.length === 0 ? '' : section('Would post', postingsText(preview.postings)),
    section(
      'What it was told',
      table(events, [
        { title: 'TIME', value: (it) => shortTime(it.at) },
        { title: 'BY', value: (it) => it.by },
        { title: 'EVENT', value: (it) => it.event },
        { title: 'STATE', value: (it) => it.state.replaceAll('_', ' ') },
        { title: 'REASON', value: (it) => it.reason ?? '' },
      ]),
    ),
  ].join('')
}

function thresholdsText(thresholds: readonly ThresholdDocument[]): string {
  if (thresholds.length === 0) return 'No thresholds: one person alone moves any amount.\n'
  return table(thresholds, [
    {
      title: 'OPERATION',
      value: (it) => (it.operation === '*' ? 'all without one of their own' : it.operation),
    },
    { title: 'ABOVE', value: (it) => it.amount, right: true },
    { title: 'CURRENCY', value: (it) => it.currency },
    { title: 'SET', value: (it) => shortTime(it.set) },
    { title: 'BY', value: (it) => it.setBy },
  ])
}
