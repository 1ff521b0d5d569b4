/** Whom the operator owes, or who owes it, by a day. */
import type { DueDocument } from '../../../actors/settlement/runs.ts'
import type { Block } from '../blocks.ts'
import { day, money, partyLink } from '../cells.ts'
import type { Said } from '../view.ts'
import { told } from '../wording.ts'

export function dueTable(due: DueDocument['due']): Block {
  return {
    kind: 'table',
    label: (texts) => texts.common.due,
    empty: (texts) => texts.due.nothingIsDue,
    columns: [
      { label: (texts) => texts.common.party },
      { label: (texts) => texts.due.pay, isRight: true },
      { label: (texts) => texts.due.collect, isRight: true },
      { label: (texts) => texts.common.since },
      { label: (texts) => texts.common.statements },
      { label: (texts) => texts.common.account },
      { label: (texts) => texts.common.problem },
    ],
    rows: due.map((line) => [
      partyLink(line.kind, line.party),
      isNothing(line.pay) ? null : money(line.pay, line.currency),
      isNothing(line.collect) ? null : money(line.collect, line.currency),
      sinceOf(line.statements),
      { text: numbersOf(line.statements), href: openStatementsOf(line) },
      line.account === null ? null : { text: line.account, isWhole: true },
      line.problem === null ? null : { ...told(line.problem), tone: 'waiting' },
    ]),
  }
}

type Due = DueDocument['due'][number]

function isNothing(amount: string): boolean {
  return /^[0.]*$/.test(amount)
}

function sinceOf(statements: Due['statements']): Said | null {
  const days = statements.flatMap(({ due }) => (due === null ? [] : [due]))
  return day(days.toSorted()[0] ?? null)
}

function numbersOf(statements: Due['statements']): string {
  const [first, ...others] = statements.map(({ number }) => number)
  if (first === undefined) return ''
  return others.length <= 3 ? [first, ...others].join(', ') : `${first} … ${others.at(-1)}`
}

function openStatementsOf({ kind, party, currency }: Due): string {
  return `/statements?${new URLSearchParams({ kind, party, currency, state: 'open' })}`
}
