/** What an operator may ask about exceptions, everything that needs a person, and how one is resolved. */

import { formatInstant } from '../../machines/time.ts'
import { exceptionById, exceptionsPage } from '../../persistence/queries/operations.ts'
import { orderById } from '../../persistence/queries/orders.ts'
import type { Row } from '../../persistence/store.ts'
import { type ExceptionSummary, exceptionSummary } from '../exceptions/documents.ts'
import type { OrderSort, Resolution } from '../exceptions/kinds.ts'
import { exceptionKinds, isExceptionKind, resolutionNames, resolutionsOf } from '../exceptions/kinds.ts'
import { type Operation, OperationError } from '../foundation/operation.ts'
import { type PageInput, pageSchema, readPage } from '../foundation/paging.ts'
import { type OrderDocument, orderDocument, withHiddenCode } from '../orders/documents.ts'
import type { OrderContext } from '../orders/operations.ts'
import { resolveException } from './resolve.ts'

export const exceptionStates = ['open', 'resolved'] as const

export const exceptionList: Operation<
  PageInput & { state?: (typeof exceptionStates)[number]; order?: string },
  { exceptions: ExceptionSummary[]; next: string | null },
  OrderContext
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
  /** How it may be resolved, and what each of that does; none once it is. */
  resolutions: { as: string; does: string }[]
  resolvedAt: string | null
  resolution: string | null
  /** `null` where the node itself saw it settled. */
  resolvedBy: string | null
  resolutionReason: string | null
  resolutionEvidence: string | null
  /** The order it is about, with its lock, its journal and its money. */
  orderDetails: OrderDocument | null
}

export const exceptionShow: Operation<{ id: string }, ExceptionDocument, OrderContext> = {
  name: 'exception.show',
  summary: 'Show an exception with its evidence, its order, and how it may be resolved.',
  input: {
    type: 'object',
    properties: { id: { type: 'string' } },
    required: ['id'],
    additionalProperties: false,
  },
  isRead: true,
  forViewers: (document) => ({
    ...document,
    orderDetails: document.orderDetails && withHiddenCode(document.orderDetails),
  }),
  async run(context, { id }) {
    const [exception] = await context.store.query(exceptionById, { id: id.toLowerCase() })
    if (exception === undefined) throw unknownException(id)
    return exceptionDocument(context, exception)
  },
}

interface ResolveInput {
  id: string
  as: Resolution
  reason: string
  evidence?: string
  order?: string
  revision?: number
}

const note = { type: 'string', minLength: 1, maxLength: 1000, pattern: '\\S' } as const

/** What it does is the kind's own: `actors/resolutions/resolutions.ts`. */
export const exceptionResolve: Operation<ResolveInput, ExceptionDocument, OrderContext> = {
  name: 'exception.resolve',
  summary: 'Resolve an exception: say what became of it, and why you know.',
  input: {
    type: 'object',
    properties: {
      id: { type: 'string' },
      as: { enum: resolutionNames, description: 'One of the resolutions that `exception show` lists.' },
      reason: { ...note, description: 'Kept with the exception, and in the journal of its order.' },
      evidence: { ...note, description: "What you have in hand, for example a receipt's number." },
      order: {
        type: 'string',
        description: "For accept: the order's id, where it is not the proposed one.",
      },
      revision: {
        type: 'integer',
        minimum: 1,
        description: 'As `exception show` told it: nothing is done if the exception has changed since.',
      },
    },
    required: ['id', 'as', 'reason'],
    additionalProperties: false,
  },
  isRead: false,
  role: 'operator',
  async run(context, { id, as, reason, evidence, order, revision }) {
    const about = { store: context.store, ...context.orders.context }
    const resolved = await resolveException(about, {
      exceptionId: id.toLowerCase(),
      as,
      orderId: order?.toLowerCase(),
      reason,
      evidence: evidence ?? null,
      revision,
      operator: { kind: 'operator', name: context.operator },
    })
    switch (resolved.outcome) {
      case 'resolved':
        return exceptionDocument(context, resolved.exception)
      case 'unknown_exception':
        throw unknownException(id)
      case 'resolved_before':
        throw resolvedBefore(resolved.exception)
      case 'changed_since':
        throw changedSince(resolved.exception)
      case 'no_such_resolution':
        throw noSuchResolution(resolved.exception, as)
      case 'impossible':
        throw new OperationError('refused', resolved.problem, { hint: `Look at it: exception show ${id}` })
    }
  },
}

async function exceptionDocument(
  { store }: Pick<OrderContext, 'store'>,
  exception: Row<'exceptions'>,
): Promise<ExceptionDocument> {
  const { order_id, resolved_at } = exception
  const [order] = order_id === null ? [] : await store.query(orderById, { id: order_id })
  return {
    ...exceptionSummary(exception),
    evidence: JSON.parse(exception.evidence_json),
    resolutions: resolutionsOf(exception, sortOf(order)),
    resolvedAt: resolved_at === null ? null : formatInstant(resolved_at),
    resolution: exception.resolution,
    resolvedBy: exception.resolved_by,
    resolutionReason: exception.resolution_reason,
    resolutionEvidence: exception.resolution_evidence,
    orderDetails: order === undefined ? null : await orderDocument(store, order),
  }
}

function sortOf(order: Row<'orders'> | undefined): OrderSort {
  if (order === undefined) return 'PAY_OUT'
  return order.machine === 'payOutForeign' ? 'FOREIGN_PAY_OUT' : order.direction
}

function unknownException(id: string): OperationError {
  return new OperationError('not_found', `There is no exception ${id}.`, {
    hint: 'exception list shows their ids.',
  })
}

function resolvedBefore({ id, resolution, resolved_at, resolved_by }: Row<'exceptions'>): OperationError {
  const when = formatInstant(resolved_at ?? 0)
  const who = resolved_by ?? 'the node'
  return new OperationError(
    'conflict',
    `The exception was resolved already: ${resolution}, by ${who} at ${when}.`,
    {
      hint: `Look at it: exception show ${id}`,
    },
  )
}

function changedSince({ id, revision }: Row<'exceptions'>): OperationError {
  return new OperationError(
    'conflict',
    `The exception has changed since you looked (revision ${revision} now).`,
    {
      hint: `Look at its evidence again: exception show ${id}`,
    },
  )
}

function noSuchResolution({ id, kind }: Row<'exceptions'>, as: string): OperationError {
  const known = isExceptionKind(kind) ? Object.keys(exceptionKinds[kind].resolutions).join(' or ') : 'nothing'
  return new OperationError(
    'invalid',
    `An exception ${kind} cannot be resolved as ${as}, only as ${known}.`,
    {
      hint: `What each does: exception show ${id}`,
    },
  )
}
