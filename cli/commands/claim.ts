/** `ventanilla claim …` */
import { basename } from 'node:path'
import type { Command } from 'commander'
import type { ClaimChange, ClaimDocument, ClaimSummary } from '../../actors/claims/documents.ts'
import {
  claimAccept,
  claimList,
  claimOpen,
  claimReject,
  claimShow,
  claimUphold,
} from '../../actors/claims/operations.ts'
import { claimAddEvidence, claimAnswer, claimWithdraw } from '../../actors/claims/telling-operations.ts'
import { CommandError, exitCodes } from '../../node/exit-codes.ts'
import {
  addCommand,
  addGroup,
  addOperationCommand,
  answer,
  type CommonOptions,
  given,
  more,
  withOperations,
} from '../command.ts'
import { readInputBytes } from '../input-file.ts'
import { postingsText } from '../settlement-text.ts'
import { fields, section, shortTime, table } from '../table.ts'
import type { Terminal } from '../terminal.ts'

export function addClaimCommands(terminal: Terminal, program: Command): void {
  const claim = addGroup(program, 'claim', 'Cash that was handled otherwise than it is booked.')
  addOperationCommand(terminal, claim, {
    operation: claimList,
    examples: ['claim list', 'claim list --state undecided', 'claim list --order 0197…'],
    show: ({ claims, next }) => listText(claims) + more(next),
  })
  addOperationCommand(terminal, claim, {
    operation: claimShow,
    examples: ['claim show 12'],
    show: claimText,
  })
  addOperationCommand(terminal, claim, {
    operation: claimOpen,
    examples: [
      'claim open 0197… --kind paid_not_credited --text "The receipt is of 14:02" --reason "a call of the shop"',
      'claim open 0197… --kind wrong_amount --amount 400.00 --exception 5f0c… --reason "the network\'s report"',
    ],
    show: claimText,
  })
  addOperationCommand(terminal, claim, {
    operation: claimAnswer,
    examples: ['claim answer 12 --as denies --text "The till was closed" --reason "their mail of today"'],
    show: claimText,
  })
  for (const [operation, example] of [
    [claimAccept, 'claim accept 12 --reason "the network agrees" --dry-run'],
    [claimUphold, 'claim uphold 12 --reason "the receipt was seen"'],
    [claimReject, 'claim reject 12 --reason "the receipt is of another day"'],
  ] as const)
    addOperationCommand(terminal, claim, { operation, examples: [example], show: changeText })
  addOperationCommand(terminal, claim, {
    operation: claimWithdraw,
    examples: ['claim withdraw 12 --reason "it was another order"'],
    show: claimText,
  })
  addEvidenceCommand(terminal, claim)
}

function addEvidenceCommand(terminal: Terminal, claim: Command): void {
  const command = addCommand(claim, 'evidence <add> <number>', {
    summary: claimAddEvidence.summary,
    examples: [
      'claim evidence add 12 --file receipt.pdf',
      'claim evidence add 12 --text "They called again"',
    ],
  })
  command.option('--file <path>', 'a PDF, PNG, JPEG, text or CSV, at most 5 MB; - reads standard input')
  command.option('--text <text>', 'a text; both parties read it')
  command.action(async () => {
    const options = command.opts<CommonOptions & { file?: string; text?: string }>()
    const { file, text } = options
    const [verb, written = ''] = command.args
    if (verb !== 'add')
      throw new CommandError(exitCodes.usage, 'Evidence is added: claim evidence add NUMBER.')
    const number = numberOf(written)
    const bytes = file === undefined ? null : await readInputBytes(terminal, file)
    const document = await withOperations(terminal, options, async (operations) => {
      const sent =
        bytes === null
          ? {}
          : { file: await operations.send(bytes), fileName: basename(file ?? '').slice(0, 300) }
      return operations.perform(claimAddEvidence, { number, ...given({ text }), ...sent })
    })
    answer(terminal, options, document, claimText(document))
  })
}

function numberOf(written: string): number {
  if (/^[1-9]\d{0,8}$/.test(written)) return Number(written)
  throw new CommandError(exitCodes.usage, `"${written}" is no number of a claim.`, 'claim list shows them.')
}

function listText(claims: readonly ClaimSummary[]): string {
  if (claims.length === 0) return 'No claims.\n'
  return table(claims, [
    { title: 'CLAIM', value: (it) => `${it.number}`, right: true },
    { title: 'KIND', value: (it) => it.kind },
    { title: 'STATE', value: (it) => (it.isOverdue ? `${it.state}, overdue` : it.state) },
    { title: 'ORDER', value: (it) => it.order },
    { title: 'PRICE', value: (it) => `${it.price} ${it.currency}`, right: true },
    { title: 'BY', value: (it) => it.opener },
    { title: 'AGAINST', value: against },
    { title: 'DUE', value: (it) => it.dueOn },
  ])
}

function against(claim: ClaimSummary): string {
  return claim.respondent === 'merchant' ? claim.merchant : claim.provider
}

function summaryText(claim: ClaimSummary): string {
  return fields([
    ['claim', `${claim.number}, ${claim.kind}`],
    ['state', claim.isOverdue ? `${claim.state}, overdue` : claim.state],
    ['order', claim.order],
    ['merchant', claim.merchant],
    ['provider', `${claim.provider}${claim.isHeld ? '' : ', which has never held it'}`],
    ['price', `${claim.price} ${claim.currency}`],
    ['amount', claim.amount === null ? null : `${claim.amount} ${claim.currency}`],
    ['opened', `${shortTime(claim.opened)} by ${claim.opener}`],
    ['against', against(claim)],
    ['due', claim.dueOn],
    ['exception', claim.exception],
    ['ended', claim.ended === null ? null : `${shortTime(claim.ended)} by ${claim.endedBy}`],
    ['why', claim.reason],
    ['revision', claim.revision],
  ])
}

function claimText({ evidence, events, ...claim }: ClaimDocument): string {
  const shown = table(evidence, [
    { title: 'NUMBER', value: (it) => `${it.number}`, right: true },
    { title: 'AT', value: (it) => shortTime(it.at) },
    { title: 'WHO', value: (it) => it.by },
    {
      title: 'WHAT',
      value: (it) => (it.isErased ? 'erased' : (it.text ?? `${it.file}, ${it.type}, ${it.bytes} bytes`)),
    },
  ])
  const told = table(events, [
    { title: 'AT', value: (it) => shortTime(it.at) },
    { title: 'WHO', value: (it) => it.by },
    {
      title: 'EVENT',
      value: (it) => (it.agrees === null ? it.event : `${it.event}: ${it.agrees ? 'agrees' : 'denies'}`),
    },
    { title: 'STATE', value: (it) => it.state },
    { title: 'WHY', value: (it) => it.reason },
  ])
  return summaryText(claim) + section('Evidence', evidence.length === 0 ? '' : shown) + section('Told', told)
}

function changeText({ dryRun, claim, postings, exception }: ClaimChange): string {
  return (
    summaryText(claim) +
    section(dryRun ? 'Would be booked' : 'Booked', postings.length === 0 ? '' : postingsText(postings)) +
    (exception === null ? '' : `${dryRun ? 'Would resolve' : 'Resolves'} the exception ${exception}.\n`)
  )
}
