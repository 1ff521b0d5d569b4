/** The statements there are. */

import type { StatementSummary } from '../../../actors/settlement/statement-documents.ts'
import { listedStates, statementList } from '../../../actors/settlement/statement-operations.ts'
import type { Block, Field } from '../blocks.ts'
import { linkTo, money, partyLink, state } from '../cells.ts'
import { filled } from '../forms.ts'
import type { Page } from '../page.ts'
import { statementPath } from './statement.ts'

export const statementsPage: Page = {
  path: /^\/statements$/,
  least: 'viewer',
  room: 'Settlement',
  async render({ ask, query }) {
    const given = (name: string) => query.get(name)?.trim() ?? ''
    const chosen = listedStates.find((one) => one === given('state'))
    const kind = (['merchant', 'provider'] as const).find((one) => one === given('kind'))
    const [party, currency, from, to] = [
      given('party'),
      given('currency').toUpperCase(),
      given('from'),
      given('to'),
    ]
    const { statements, lost, next } = await ask(statementList, {
      limit: 50,
      ...filled({ party, currency, from, to, cursor: given('cursor') }),
      ...(kind === undefined ? {} : { kind }),
      ...(chosen === undefined ? {} : { state: chosen }),
    })
    return {
      title: 'Statements',
      crumb: { href: '/settlement', text: 'Settlement' },
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
                title: 'Numbers that a restore has lost',
                lines: [
                  `${lost.map((one) => `${one.number} in ${one.currency}`).join(', ')}: they were given, and are never given again.`,
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
  const field = (
    name: keyof typeof values,
    label: string,
    type: Field['type'],
    maxLength: number,
  ): Field => ({
    name,
    label,
    type,
    isOptional: true,
    value: values[name],
    maxLength,
  })
  const select = (name: keyof typeof values, label: string, options: readonly string[]): Field => ({
    name,
    label,
    type: 'select',
    value: values[name],
    options: [['', 'any'], ...options.map((one): [string, string] => [one, one])],
  })
  return {
    kind: 'filters',
    action: '/statements',
    button: 'Show',
    fields: [
      field('party', 'Party', 'search', 100),
      select('kind', 'Kind', ['merchant', 'provider']),
      field('currency', 'Currency', 'search', 3),
      select('state', 'State', listedStates),
      field('from', 'Last day from', 'date', 10),
      field('to', 'Last day to', 'date', 10),
    ],
  }
}

function table(statements: readonly StatementSummary[]): Block {
  return {
    kind: 'table',
    label: 'Statements',
    empty: 'No matching statements.',
    columns: [
      { label: 'Statement' },
      { label: 'Party' },
      { label: 'Days' },
      { label: 'Lines', isRight: true },
      { label: 'Closing', isRight: true },
      { label: 'Due', isRight: true },
      { label: 'Left of it', isRight: true },
      { label: 'Due on' },
      { label: 'State' },
    ],
    rows: statements.map((one) => [
      { text: `${one.number} ${one.currency}`, href: statementPath(one), isWhole: true },
      partyLink(one.kind, one.party),
      { text: one.from === one.to ? one.to : `${one.from} to ${one.to}` },
      String(one.lines),
      money(one.closing, one.currency),
      money(one.due, one.currency),
      money(one.open, one.currency),
      one.postponedTo === null ? one.dueOn : { text: one.postponedTo, note: `was ${one.dueOn}` },
      state(one.state),
    ]),
  }
}
