/** What was closed and ordered is outside the database now. Killed before this, it is anchored a second time, which says the same. */
import { type Row, rows, type Store, type Write } from '../../persistence/store.ts'

type Closed = Pick<Row<'statements'>, 'party_id' | 'currency' | 'number'>

export async function markAnchored(
  store: Store,
  closed: readonly Closed[],
  ordered: readonly Pick<Row<'payments'>, 'id'>[],
): Promise<void> {
  if (closed.length + ordered.length === 0) return
  await store.step({
    rows: {
      statements: rows(
        'statements',
        closed.map(({ party_id, currency, number }) => ({ party_id, currency, number })),
      ),
      payments: rows(
        'payments',
        ordered.map(({ id }) => ({ id })),
      ),
    },
    decide: ({ statements, payments }, at) => ({
      answer: null,
      writes: [
        ...statements.flatMap((one): Write[] => {
          if (one === null || one.anchored_at !== null) return []
          const { party_id, currency, number } = one
          return [{ update: 'statements', key: { party_id, currency, number }, set: { anchored_at: at } }]
        }),
        ...payments.flatMap((one): Write[] =>
          one === null || one.anchored_at !== null
            ? []
            : [{ update: 'payments', key: { id: one.id }, set: { anchored_at: at } }],
        ),
      ],
    }),
  })
}
