/** The statements there are. */

import type { StatementSummary } from '../../../actors/settlement/statement-documents.ts'
import { listedStates, statementList } from '../../../actors/settlement/statement-operations.ts'
import type { Block, Cell, Field } from '../blocks.ts'
import { day, days, linkTo, money, partyLink, state } from '../cells.ts'
import { choice, filled } from '../forms.ts'
import type { Page } from '../page.ts'
import type { Texts } from '../texts/index.ts'
import type { Words } from '../view.ts'
import { statementPath } from './statement.ts'
import { byWholeNames } from './whole-names.ts'

export const statementsPage: Page = {
  path: /^\/statements$/,
  least: 'viewer',
  room: 'Settlement',
  async render(request) {
    const { ask, query, lines } = request
    const given = (name: string) => query.get(name)?.trim() ?? ''
    const chosen = listedStates.find((one) => one === given('state'))
    const kind = (['merchant', 'provider'] as const).find((one) => one === given('kind'))
    const [party, currency, from, to] = [
      given('party'),
      given('currency').toUpperCase(),
      given('from'),
      given('to'),
    ]
    const found = await byWholeNames(request, '/statements', { party: kind ?? null }, () =>
      ask(statementList, {
        limit: lines ?? 40,
        ...filled({ party, currency, from, to, cursor: given('cursor') }),
        ...(kind === undefined ? {} : { kind }),
        ...(chosen === undefined ? {} : { state: chosen }),
      }),
    )
    if ('goTo' in found) return found
    const { statements, lost, next } = found
    return {
      title: (texts) => texts.common.statements,
      crumb: { href: '/settlement', text: (texts) => texts.common.settlement },
      blocks: [
        filters({ party, kind: kind ?? '', currency, state: chosen ?? '', from, to }),
        table(statements),
        { kind: 'next', href: next === null ? null : linkTo('/statements', query, { cursor: next }) },
        ...(lost.length === 0
          ? []
          : [
              {
                kind: 'notice',
                tone: 'waiting',
                title: (texts: Texts) => texts.statements.numbersThatARestoreHas,
                lines: [
                  (texts: Texts) =>
                    texts.statements.theyWereGivenAndAre(
                      lost.map((one) => texts.statement.in(one.number, one.currency)).join(', '),
                    ),
                ],
              } as const,
            ]),
      ],
    }
  },
}

function filters(
  values: Readonly<Record<'party' | 'kind' | 'currency' | 'state' | 'from' | 'to', string>>,
): Block {
  const field = (name: keyof typeof values, label: Words, type: Field['type'], maxLength: number): Field => ({
    name,
    label,
    type,
    isOptional: true,
    value: values[name],
    maxLength,
  })
  const select = (name: keyof typeof values, label: Words, options: readonly string[]): Field => ({
    name,
    label,
    type: 'select',
    value: values[name],
    options: [['', ({ words }) => words.any], ...options.map(choice)],
  })
  return {
    kind: 'filters',
    action: '/statements',
    button: (texts) => texts.common.show,
    fields: [
      field('party', (texts: Texts) => texts.common.party, 'search', 100),
      select('kind', (texts: Texts) => texts.common.kind, ['merchant', 'provider']),
      field('currency', (texts: Texts) => texts.common.currency, 'search', 3),
      select('state', (texts: Texts) => texts.common.state, listedStates),
      field('from', (texts: Texts) => texts.statements.lastDayFrom, 'date', 10),
      field('to', (texts: Texts) => texts.statements.lastDayTo, 'date', 10),
    ],
  }
}

function table(statements: readonly StatementSummary[]): Block {
  return {
    kind: 'table',
    label: (texts) => texts.common.statements,
    list: 'statements',
    empty: (texts) => texts.statements.noMatchingStatements,
    columns: [
      { label: (texts) => texts.common.statement },
      { label: (texts) => texts.common.party, key: 'party' },
      { label: (texts) => texts.common.days, key: 'days' },
      { label: (texts) => texts.common.lines, key: 'lines', isRight: true },
      { label: (texts) => texts.common.closing, key: 'closing', isRight: true },
      { label: (texts) => texts.common.due, key: 'due', isRight: true },
      { label: (texts) => texts.common.leftOfIt, key: 'left-of-it', isRight: true },
      { label: (texts) => texts.common.dueOn, key: 'due-on' },
      { label: (texts) => texts.common.state, key: 'state' },
    ],
    rows: statements.map((one) => [
      { text: `${one.number} ${one.currency}`, href: statementPath(one), isWhole: true },
      partyLink(one.kind, one.party),
      days(one.from, one.to),
      String(one.lines),
      money(one.closing, one.currency),
      money(one.due, one.currency),
      money(one.open, one.currency),
      dueOf(one),
      state(one.state),
    ]),
  }
}

function dueOf({ dueOn, postponedTo }: StatementSummary): Cell {
  if (postponedTo === null || dueOn === null) return day(dueOn)
  return { text: day(postponedTo), note: ({ statements }, view) => statements.was(view.day(dueOn)) }
}
