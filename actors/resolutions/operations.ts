/** What an operator may ask about exceptions, everything that needs a person, and how one is resolved. */

import { formatInstant } from '../../machines/time.ts'
import { exceptionById, exceptionsPage } from '../../persistence/queries/operations.ts'
import { orderById } from '../../persistence/queries/orders.ts'
import { partyById } from '../../persistence/queries/parties.ts'
import type { PartyKind } from '../../persistence/schema.ts'
import type { Row, Store } from '../../persistence/store.ts'
import { type ExceptionSummary, exceptionSummary } from '../exceptions/documents.ts'
import type { OrderSort } from '../exceptions/kinds.ts'
import {
  exceptionKinds,
  isExceptionKind,
  type Resolution,
  resolutionNames,
  resolutionsOf,
} from '../exceptions/kinds.ts'
import { choice, dryRun, optional, text, wholeNumber } from '../foundation/fields.ts'
import { defineOperation, OperationError } from '../foundation/operation.ts'
import { bothWays, pageFields, readPage } from '../foundation/paging.ts'
import { forViewers, type OrderDocument, orderDocument } from '../orders/documents.ts'
import type { OrderContext } from '../orders/operations.ts'
import type { ShownPosting } from '../orders/postings-shown.ts'
import { UnreadableOrder } from '../orders/unreadable-order.ts'
import { wouldBook } from '../orders/would-book.ts'
import { type Resolving, resolveException } from './resolve.ts'

const exceptionStates = ['open', 'resolved'] as const

export const exceptionList = defineOperation({
  name: 'exception.list',
  summary: 'List exceptions, the newest first.',
  fields: {
    ...pageFields,
    ...bothWays,
    state: optional(choice(exceptionStates, { option: ['--state <state>', 'only those in this state'] })),
    order: optional(
      text({ description: "An order's id.", option: ['--order <id>', 'only those of this order'] }),
    ),
  },
  isRead: true,
  async run(
    { store }: OrderContext,
    { state, order, ...page },
  ): Promise<{ exceptions: ExceptionSummary[]; next: string | null }> {
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
})

export interface ExceptionDocument extends ExceptionSummary {
  evidence: unknown
  /** The merchants and providers whose ids are in the evidence. */
  parties: { id: string; kind: PartyKind; name: string }[]
  /** How it may be resolved, and what each of that does; none once it is. */
  resolutions: {
    as: string
    does: string
    /** What it would book now; `null` where that cannot be told before more is known. */
    books: ShownPosting[] | null
  }[]
  resolvedAt: string | null
  resolution: string | null
  /** `null` where the node itself saw it settled. */
  resolvedBy: string | null
  resolutionReason: string | null
  resolutionEvidence: string | null
  /** The order it is about, with its lock, its journal and its money. */
  orderDetails: OrderDocument | null
}

export const exceptionShow = defineOperation({
  name: 'exception.show',
  summary: 'Show an exception with its evidence, its order and its possible resolutions.',
  fields: { id: text() },
  arguments: ['id'],
  isRead: true,
  forViewers: (document: ExceptionDocument) => ({
    ...document,
    orderDetails: document.orderDetails && forViewers(document.orderDetails),
  }),
  async run(context: OrderContext, { id }): Promise<ExceptionDocument> {
    const [exception] = await context.store.query(exceptionById, { id: id.toLowerCase() })
    if (exception === undefined) throw unknownException(id)
    return exceptionDocument(context, exception)
  },
})

const noteRules = { minLength: 1, maxLength: 1000, pattern: '\\S' }

/** What it does is the kind's own: `actors/resolutions/resolutions.ts`. */
export const exceptionResolve = defineOperation({
  name: 'exception.resolve',
  summary: 'Resolve an exception, with a reason.',
  done: 'The exception is resolved.',
  fields: {
    id: text(),
    as: choice(resolutionNames, {
      description: 'One of the resolutions that `exception show` lists.',
      option: [
        '--as <resolution>',
        'the resolution; `exception show` lists those it has, and what each does',
      ],
    }),
    reason: text({
      ...noteRules,
      description: 'Kept with the exception, and in the journal of its order.',
      option: ['--reason <text>', 'how you know; kept with the exception, and in the journal of its order'],
      form: { label: 'How you know', control: 'area' },
    }),
    evidence: optional(
      text({
        ...noteRules,
        description: 'Your evidence, for example a receipt number.',
        option: ['--evidence <text>', 'your evidence; for a refund, the transaction'],
        form: { label: 'Evidence', hint: 'A receipt number, a mail.' },
      }),
    ),
    // Who sent the money for it may have written another order's reference.
    order: optional(
      text({
        description: "For accept: the order's id, if it is not the proposed one.",
        option: ['--order <id>', 'for accept: the order, if it is not the proposed one'],
        form: { label: 'Order', hint: 'Its id, if it is not the one above.', maxLength: 64 },
      }),
    ),
    revision: optional(
      wholeNumber({
        description: 'From `exception show`: nothing is done if the exception has changed since.',
        minimum: 1,
        option: ['--revision <number>', 'only if it is still at this revision'],
      }),
    ),
    dryRun,
  },
  arguments: ['id'],
  isRead: false,
  async run(
    context: OrderContext,
    { id, as, reason, evidence, order, revision, dryRun: isShown = false },
  ): Promise<ExceptionDocument> {
    const { store, orders, operator: name } = context
    const resolving: Resolving = {
      exceptionId: id.toLowerCase(),
      as,
      orderId: order?.toLowerCase(),
      reason,
      evidence: evidence ?? null,
      revision,
      operator: { kind: 'operator', name },
    }
    const looked = isShown ? await lookAt(context, resolving) : null
    if (looked !== null && 'postings' in looked) {
      const shown = await exceptionShow.run(context, { id })
      const chosen = shown.resolutions.filter((one) => one.as === as)
      return { ...shown, resolutions: chosen.map((one) => ({ ...one, books: looked.postings })) }
    }
    const resolved = looked?.instead ?? (await resolveException({ store, ...orders.context }, resolving))
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
})

async function exceptionDocument(
  context: OrderContext,
  exception: Row<'exceptions'>,
): Promise<ExceptionDocument> {
  const { order_id, resolved_at } = exception
  const [order] = order_id === null ? [] : await context.store.query(orderById, { id: order_id })
  return {
    ...exceptionSummary(exception),
    evidence: JSON.parse(exception.evidence_json),
    parties: await partiesIn(context.store, exception.evidence_json),
    resolutions: await Promise.all(
      resolutionsOf(exception, sortOf(order)).map(async ({ as, does }) => ({
        as,
        does,
        books: await bookedBy(context, exception, as),
      })),
    ),
    resolvedAt: resolved_at === null ? null : formatInstant(resolved_at),
    resolution: exception.resolution,
    resolvedBy: exception.resolved_by,
    resolutionReason: exception.resolution_reason,
    resolutionEvidence: exception.resolution_evidence,
    orderDetails: order === undefined ? null : await orderDocument(context, order),
  }
}

/** What a resolution would do. */
function lookAt({ store, orders }: OrderContext, resolving: Resolving) {
  return wouldBook(store, (looking) =>
    resolveException({ store: looking, ...orders.over(looking).context }, resolving),
  )
}

/** `null` where it cannot be done as things are, or not without what an operator has in hand. */
async function bookedBy(
  context: OrderContext,
  { id }: Row<'exceptions'>,
  as: Resolution,
): Promise<ShownPosting[] | null> {
  const operator = { kind: 'operator', name: context.operator } as const
  try {
    const looked = await lookAt(context, { exceptionId: id, as, reason: '–', evidence: null, operator })
    return 'postings' in looked ? looked.postings : null
  } catch (error) {
    // Whoever looks at an exception is told of it, whatever becomes of its order.
    if (error instanceof OperationError || error instanceof UnreadableOrder) return null
    throw error
  }
}

/** As many as an exception is about, and no more lookups than that. */
const mostParties = 20

async function partiesIn(store: Store, text: string): Promise<ExceptionDocument['parties']> {
  const ids = new Set(text.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g))
  const found = await Promise.all([...ids].slice(0, mostParties).map((id) => store.query(partyById, { id })))
  return found.flat().map(({ id, kind, name }) => ({ id, kind, name }))
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
