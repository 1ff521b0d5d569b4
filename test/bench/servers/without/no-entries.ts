/** Writes no event down and seals nothing: the row that the store is given is left out by `no-journal-rows.ts`. */
import type * as journal from '../../../../actors/orders/journal.ts'

export * from '../../../../actors/orders/journal.ts'

export const appendEntry: typeof journal.appendEntry = (_key, head, { event, from, to }) => {
  const sequence = head.journal_count + 1
  const values = {
    order_id: head.id,
    sequence,
    entry_at: event.at,
    actor: '',
    event_json: '',
    from_status: from,
    to_status: to,
    outcome: '',
    hash: '',
  }
  return { write: { insert: 'journal', values }, journal_count: sequence, journal_head: '' }
}
