/** Reads and writes of rates. */
import type { Instant } from '../../machines/time.ts'
import { statement } from '../statement.ts'

export interface RateKey {
  blockchain: string
  send: string
  country: string
  target: string
}

export const rateByPair = statement<RateKey>()('rate.byPair', ({ db }, arg) =>
  db
    .selectFrom('rates')
    .selectAll()
    .where('blockchain', '=', arg('blockchain'))
    .where('send_currency', '=', arg('send'))
    .where('country', '=', arg('country'))
    .where('target_currency', '=', arg('target')),
)

export const allRates = statement<Record<never, never>>()('rate.all', ({ db }) =>
  db
    .selectFrom('rates')
    .selectAll()
    .orderBy('blockchain')
    .orderBy('send_currency')
    .orderBy('country')
    .orderBy('target_currency'),
)

/** What was read from these sources is the rate; nothing happens where an operator has named others since. */
export const acceptRead = statement<
  RateKey & { sourceJson: string; rate: string; at: Instant; readingJson: string }
>()('rate.acceptRead', ({ db }, arg) =>
  db
    .updateTable('rates')
    .set({ rate: arg('rate'), updated_at: arg('at'), reading_json: arg('readingJson'), problem: null })
    .where('blockchain', '=', arg('blockchain'))
    .where('send_currency', '=', arg('send'))
    .where('country', '=', arg('country'))
    .where('target_currency', '=', arg('target'))
    .where('source_json', '=', arg('sourceJson'))
    .returning('rate'),
)

/** What was read from these sources is no rate: the last one stays, and is not used. */
export const refuseRead = statement<RateKey & { sourceJson: string; problem: string }>()(
  'rate.refuseRead',
  ({ db }, arg) =>
    db
      .updateTable('rates')
      .set({ problem: arg('problem') })
      .where('blockchain', '=', arg('blockchain'))
      .where('send_currency', '=', arg('send'))
      .where('country', '=', arg('country'))
      .where('target_currency', '=', arg('target'))
      .where('source_json', '=', arg('sourceJson'))
      .returning('rate'),
)
