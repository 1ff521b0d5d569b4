/** Statements and payments as the command line tells them, in its commands and in the demo. */
import type { ShownPosting } from '../actors/orders/postings-shown.ts'
import type { DueDocument } from '../actors/settlement/runs.ts'
import type { ClosingDocument, StatementDocument } from '../actors/settlement/statement-operations.ts'
import { fields, section, shortTime, table } from './table.ts'

export function statementText({ entries, next, sums, settled, ...statement }: StatementDocument): string {
  return [
    fields([
      ['statement', `${statement.number} of ${statement.party} in ${statement.currency}, ${statement.state}`],
      ['days', `${statement.from} to ${statement.to}, ${statement.timeZone}`],
      ['opening', statement.opening],
      ['closing', statement.closing],
      ['due', statement.due],
      ['due on', statement.postponedTo ?? statement.dueOn],
      ['open', statement.open],
      ['digest', statement.digest],
    ]),
    section(
      'What it adds up',
      table(sums, [
        { title: 'WHAT', value: ({ kind, direction }) => `${kind} ${direction ?? ''}`.trim() },
        { title: 'LINES', value: ({ lines }) => lines, right: true },
        { title: 'AMOUNT', value: ({ amount }) => amount, right: true },
        { title: 'FEE', value: ({ fee }) => fee, right: true },
        { title: 'TAX', value: ({ tax }) => tax, right: true },
      ]),
    ),
    section(
      'What settled it',
      settled.length === 0
        ? ''
        : table(settled, [
            { title: 'AT', value: ({ at }) => shortTime(at) },
            { title: 'BY', value: ({ source, of }) => `${source} ${of}` },
            { title: 'AMOUNT', value: ({ amount }) => amount, right: true },
          ]),
    ),
    section(
      'Lines',
      table(entries, [
        { title: 'LINE', value: ({ line }) => line, right: true },
        { title: 'DAY', value: ({ day }) => day },
        { title: 'WHAT', value: ({ kind, direction }) => `${kind} ${direction ?? ''}`.trim() },
        { title: 'REFERENCE', value: ({ reference, order }) => reference ?? order },
        { title: 'AMOUNT', value: ({ amount }) => amount, right: true },
        { title: 'FEE', value: ({ fee }) => fee, right: true },
        { title: 'TAX', value: ({ tax }) => tax, right: true },
        { title: 'BALANCE', value: ({ balance }) => balance, right: true },
      ]),
    ),
    next === null ? '' : `\nThere are more: --after ${next}\n`,
  ].join('')
}

export function closingText({ party, day, dryRun, statement, currency }: ClosingDocument): string {
  if (statement === null)
    return `${party} has no line in ${currency} since its last statement: none up to ${day}.\n`
  const facts = fields([
    [
      dryRun ? 'it would be' : 'closed',
      `statement ${statement.number}, ${statement.from} to ${statement.to}`,
    ],
    ['lines', statement.lines],
    ['opening', statement.opening],
    ['closing', statement.closing],
    ['due', `${statement.due} ${currency}`],
    ['due on', statement.dueOn],
  ])
  return facts + section('Would be booked', dryRun ? postingsText(statement.postings) : '')
}

export function dueText({ day, due, run, ordered, problems, unfinished, dryRun }: DueDocument): string {
  const list =
    due.length === 0
      ? `Nothing is due up to ${day}.\n`
      : table(due, [
          { title: 'PARTY', value: (it) => it.party },
          { title: 'PAY', value: (it) => it.pay, right: true },
          { title: 'COLLECT', value: (it) => it.collect, right: true },
          { title: 'CURRENCY', value: (it) => it.currency },
          { title: 'STATEMENTS', value: (it) => it.statements.map(({ number }) => number).join(', ') },
          { title: 'ACCOUNT', value: (it) => it.account },
          { title: 'PROBLEM', value: (it) => it.problem },
        ])
  return (
    list +
    (run === null ? '' : `\n${orderedText(run, ordered.length, dryRun)}`) +
    section('Would be booked', dryRun ? postingsText(ordered.flatMap(({ postings }) => postings)) : '') +
    section('Not ordered', problems.map(({ party, problem }) => `${party}: ${problem}\n`).join('')) +
    section('Cut off', unfinished.map(({ id }) => `run ${id}: payment due --order --run ${id}\n`).join(''))
  )
}

/** A run that goes on may have ordered all of it before. */
function orderedText(run: NonNullable<DueDocument['run']>, count: number, dryRun: boolean): string {
  const payments = count === 0 ? 'nothing' : `${count} payment${count === 1 ? '' : 's'}`
  if (dryRun) return `Would order ${payments}.\n`
  return `Run ${run.id}: ordered ${payments}.\nIts file for the bank: payment export ${run.id} --field file\n`
}

/** Also of lines of banks. */
export function postingsText(postings: readonly ShownPosting[]): string {
  if (postings.length === 0) return ''
  return table(postings, [
    { title: 'KIND', value: (it) => it.kind },
    { title: 'DEBIT', value: (it) => it.debit },
    { title: 'CREDIT', value: (it) => it.credit },
    { title: 'AMOUNT', value: (it) => it.amount, right: true },
    { title: 'CURRENCY', value: (it) => it.currency },
  ])
}
