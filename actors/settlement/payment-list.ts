/** Payments, as they are listed. */
import { paymentStates } from '../../machines/payment.ts'
import { paymentsPage } from '../../persistence/queries/payments.ts'
import type { Row } from '../../persistence/store.ts'
import { choice, optional, text } from '../foundation/fields.ts'
import { defineOperation } from '../foundation/operation.ts'
import { pageFields, readPage } from '../foundation/paging.ts'
import { findParty, partyKind } from '../parties/operations.ts'
import { type PaymentSummary, paymentSummary } from './payment-documents.ts'

export const paymentList = defineOperation({
  name: 'payment.list',
  summary: 'List payments, the newest first.',
  fields: {
    ...pageFields,
    state: optional(choice(paymentStates, { option: ['--state <state>', 'only those in this state'] })),
    party: optional(text({ option: ['--party <name>', 'only those of this party'] })),
    kind: partyKind,
    run: optional(text({ option: ['--run <id>', 'only those of this run'] })),
  },
  isRead: true,
  async run(
    { store },
    { state, party: name, kind, run, ...page },
  ): Promise<{ payments: PaymentSummary[]; next: string | null }> {
    const partyId = name === undefined ? undefined : (await findParty(store, name, kind)).id
    const filter = { state, partyId, runId: run }
    const { items, next } = await readPage<ListedPayment>(
      page,
      (payment) => ({ at: payment.ordered_at, id: payment.id }),
      [(request) => store.query(paymentsPage(filter, request), {})],
    )
    return {
      payments: items.map((one) => paymentSummary(one, { name: one.party_name, kind: one.party_kind })),
      next,
    }
  },
})

type ListedPayment = Row<'payments'> & { party_name: string; party_kind: Row<'parties'>['kind'] }
