/** What may be given back of pay-ins follows what claims have booked of them before. */
import type { Migration } from './migration.ts'

const corrected = `COALESCE((
        SELECT SUM(CASE claims.kind
          WHEN 'twice' THEN claims.price_minor
          WHEN 'wrong_amount' THEN claims.amount_minor - claims.price_minor
          ELSE - claims.amount_minor END)
        FROM claims
        WHERE claims.order_id = refundable.pay_in_id AND claims.state IN ('accepted', 'upheld')
          AND claims.kind IN ('twice', 'wrong_amount', 'false_note')), 0)`
const credited = `credited_minor + ${corrected}`
const given = 'claimed_minor + excess_minor'

export const claimedRefunds: Migration = {
  name: '0035-claimed-refunds',
  sqlite: `
    UPDATE refundable SET
      credited_minor = ${credited},
      claimed_minor = CASE WHEN ${given} < ${credited} THEN ${given} ELSE ${credited} END,
      excess_minor = CASE WHEN ${given} < ${credited} THEN 0 ELSE ${given} - (${credited}) END
    WHERE pay_in_id IN (SELECT order_id FROM claims WHERE state IN ('accepted', 'upheld'));
  `,
}
