/** Balances and sealed statements, as the parties themselves ask for them: protocol 4.2 and 15.10. */
import { balancesOf } from '../../actors/parties/merchants.ts'
import type { PartyKind } from '../../actors/parties/party-limits.ts'
import { ownMovements } from '../../actors/settlement/own-movements.ts'
import { ownStatement, ownStatements, readStatementNumber } from '../../actors/settlement/own-statements.ts'
import { fieldError } from '../foundation/errors.ts'
import { type Endpoint, jsonAnswer, type Route, refuse } from './route.ts'
import { maxLinesListed } from './schemas.ts'
import { readMovementList, readStatementLines, readStatementList } from './settlement-requests.ts'
import {
  viewOfBalance,
  viewOfMerchantLine,
  viewOfMovement,
  viewOfProviderLine,
  viewOfStatement,
  viewOfSum,
} from './settlement-views.ts'
import { tableAnswer, tableColumns } from './statement-table.ts'

export interface SettlementRoutesOptions {
  store: Parameters<typeof ownStatement>[0]
}

export function settlementRoutes(options: SettlementRoutesOptions): Route[] {
  return [
    {
      path: '/merchants/balances/',
      party: 'merchant',
      methods: {
        GET: {
          id: 'getBalances',
          summary: 'Look at the balances',
          description:
            'As they are now, by currency. What statements tell is the sum of them, `debt` deducted.',
          request: [],
          answer: { status: 200, schema: 'balances' },
          repetition: 'freely',
          refusals: [],
          problems: [],
          endpoint: balances(options),
        },
      },
    },
    {
      path: '/merchants/movements/',
      party: 'merchant',
      takesQuery: true,
      methods: {
        GET: {
          id: 'listMovements',
          summary: 'List what moved the account',
          description:
            'In one currency, the oldest first: the lines of sealed statements, and behind them what no statement ' +
            'tells of yet, without a balance. `next` is the cursor of the following page, and null on the last one; ' +
            'a program keeps `resume` and asks with it later for what has come since. Nothing is told twice or left out, ' +
            'whatever is written meanwhile.',
          request: ['movementList'],
          answer: { status: 200, schema: 'movementPage' },
          repetition: 'freely',
          refusals: [],
          problems: ['cursor_unknown'],
          endpoint: movements(options),
        },
      },
    },
    ...statementRoutes(options, 'merchant'),
    ...statementRoutes(options, 'provider'),
  ]
}

const names = {
  merchant: { id: 'Merchant', statement: 'merchantStatement' },
  provider: { id: 'Provider', statement: 'providerStatement' },
} as const satisfies Record<PartyKind, object>

function statementRoutes(options: SettlementRoutesOptions, party: PartyKind): Route[] {
  const { id, statement } = names[party]
  const about = { repetition: 'freely', refusals: [], problems: ['cursor_unknown'] } as const
  return [
    {
      path: `/${party}s/statements/`,
      party,
      takesQuery: true,
      methods: {
        GET: {
          id: `list${id}Statements`,
          summary: `List statements of the ${party}`,
          description: 'Sealed ones, the latest closed first. `next` is the cursor of the following page.',
          request: ['statementList'],
          answer: { status: 200, schema: 'statementPage' },
          ...about,
          endpoint: list(options),
        },
      },
    },
    {
      path: `/${party}s/statements/:number/`,
      party,
      takesQuery: true,
      givesTable: true,
      methods: {
        GET: {
          id: `get${id}Statement`,
          summary: `Look at a statement of the ${party}`,
          description:
            'With its lines, a page at a time. One of another party, or one that is not sealed, is as unknown as ' +
            'one that does not exist. With `format=csv` it is a table of all its lines. What is sealed never changes, but for `open` and a `due_on` that is put off.',
          request: ['statementLines'],
          answer: { status: 200, schema: statement },
          hasTable: true,
          ...about,
          endpoint: show(
            options,
            party === 'merchant' ? viewOfMerchantLine : viewOfProviderLine,
            tableColumns[party],
          ),
        },
      },
    },
  ]
}

function balances({ store }: SettlementRoutesOptions): Endpoint {
  return async ({ identity }) => {
    const found = await balancesOf(store, identity.partyId)
    return jsonAnswer(200, { results: found.map(viewOfBalance) })
  }
}

function movements({ store }: SettlementRoutesOptions): Endpoint {
  return async ({ identity: { partyId }, query }) => {
    const read = readMovementList(query)
    if (!read.ok) return refuse(read.refusal)
    const { currency, ...asked } = read.value
    const found = await ownMovements(store, { partyId, currency }, asked)
    if (found === null) return cursorUnknown()
    const { movements: told, next, resume } = found
    return jsonAnswer(200, { results: told.map(viewOfMovement), next, resume })
  }
}

function list({ store }: SettlementRoutesOptions): Endpoint {
  return async ({ identity: { partyId }, query }) => {
    const read = readStatementList(query)
    if (!read.ok) return refuse(read.refusal)
    const { currency, ...page } = read.value
    const found = await ownStatements(store, { partyId, currency }, page)
    if (found === null) return cursorUnknown()
    return jsonAnswer(200, { results: found.statements.map(viewOfStatement), next: found.next })
  }
}

function show(
  { store }: SettlementRoutesOptions,
  viewOfLine: typeof viewOfMerchantLine | typeof viewOfProviderLine,
  columns: readonly string[],
): Endpoint {
  return async ({ identity: { partyId, name: party }, params, query, wantsTable, note }) => {
    const number = readStatementNumber(params.number ?? '')
    if (number === null) return refuse({ name: 'not_found' })
    const read = readStatementLines(query)
    if (!read.ok) return refuse(read.refusal)
    const { currency, isTable, ...asked } = read.value
    const isWhole = isTable || wantsTable
    const page = isWhole ? { limit: maxLinesListed, cursor: null } : asked
    const named = { party, partyId, currency, number }
    const found = await ownStatement(store, named, page)
    if (found === 'unknown') return refuse({ name: 'not_found' })
    if (found === 'cursor_unknown') return cursorUnknown()
    note({ statement: `${currency} ${number}` })
    if (isWhole) {
      return tableAnswer(found, columns, viewOfLine, async (cursor) => {
        const more = await ownStatement(store, named, { ...page, cursor })
        if (typeof more === 'string')
          throw new Error(`Statement ${number} of ${party} is gone while it is sent.`)
        return more
      })
    }
    return jsonAnswer(200, {
      ...viewOfStatement(found.statement),
      ...(found.sums === null ? {} : { sums: found.sums.map(viewOfSum) }),
      lines: found.lines.map((line) => viewOfLine(line)),
      next: found.next,
    })
  }
}

function cursorUnknown() {
  return refuse({ name: 'fields', errors: [fieldError('cursor', 'cursor_unknown')] })
}
