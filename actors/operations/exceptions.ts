/** What an operator may ask about exceptions: everything that needs a person. */
import { formatInstant } from '../../machines/time.ts'
import { exceptionById, exceptionsPage } from '../../persistence/queries/operations.ts'
import type { Row } from '../../persistence/store.ts'
import { type Operation, OperationError } from './operation.ts'
import { type PageInput, pageSchema, readPage } from './paging.ts'

export interface ExceptionSummary {
  id: string
  kind: string
  order: string | null
  chain: string | null
  transactionId: string | null
  amount: string | null
  asset: string | null
  sender: string | null
  reason: string
  openedAt: string
  state: string
}

export function exceptionSummary(exception: Row<'exceptions'>): ExceptionSummary {
  return {
    id: exception.id,
    kind: exception.kind,
    order: exception.order_id,
    chain: exception.chain,
    transactionId: exception.transaction_id,
    amount: exception.amount,
    asset: exception.asset,
    sender: exception.sender,
    reason: exception.reason,
    openedAt: formatInstant(exception.opened_at),
    state: exception.state,
  }
}

export const exceptionStates = ['open', 'resolved'] as const

export const exceptionList: Operation<
  PageInput & { state?: (typeof exceptionStates)[number]; order?: string },
  { exceptions: ExceptionSummary[]; next: string | null }
> = {
  name: 'exception.list',
  summary: 'List exceptions, the newest first.',
  input: {
    type: 'object',
    properties: {
      state: { enum: exceptionStates },
      order: { type: 'string', description: "An order's id." },
      ...pageSchema,
    },
    additionalProperties: false,
  },
  isRead: true,
  async run({ store }, { state, order, ...page }) {
    const filters =
      order === undefined && state === undefined
        ? exceptionStates.map((each) => ({ state: each }))
        : [{ state, orderId: order?.toLowerCase() }]
    const { items, next } = await readPage<Row<'exceptions'>>(
      page,
      (exception) => ({ at: exception.opened_at, id: exception.id }),
      filters.map((filter) => (request) => store.query(exceptionsPage(filter, request), {})),
    )
    return { exceptions: items.map(exceptionSummary), next }
  },
}

export interface ExceptionDocument extends ExceptionSummary {
  evidence: unknown
  resolvedAt: string | null
  resolution: string | null
  /** Say it when resolving: another operator may have been faster. */
  revision: number
}

export const exceptionShow: Operation<{ id: string }, ExceptionDocument> = {
  name: 'exception.show',
  summary: 'Show an exception with its evidence.',
  input: {
    type: 'object',
    properties: { id: { type: 'string' } },
    required: ['id'],
    additionalProperties: false,
  },
  isRead: true,
  async run({ store }, { id }) {
    const [exception] = await store.query(exceptionById, { id: id.toLowerCase() })
    if (exception === undefined) {
      throw new OperationError('not_found', `There is no exception ${id}.`, {
        hint: 'exception list shows their ids.',
      })
    }
    return {
      ...exceptionSummary(exception),
      evidence: JSON.parse(exception.evidence_json),
      resolvedAt: exception.resolved_at === null ? null : formatInstant(exception.resolved_at),
      resolution: exception.resolution,
      revision: exception.revision,
    }
  },
}
