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

/** Of a rate as it was looked at: nothing happens where an operator has changed it since. */
type LookedAt = RateKey & { sourceJson: string; before: Instant }

/** What was read from these sources is the rate. */
export const acceptRead = statement<
  LookedAt & { rate: string; at: Instant; readingJson: string; base: string; baseAt: Instant }
>()('rate.acceptRead', ({ db }, arg) =>
  db
    .updateTable('rates')
    .set({
      rate: arg('rate'),
      updated_at: arg('at'),
      reading_json: arg('readingJson'),
      problem: null,
      jump_base: arg('base'),
      jump_base_at: arg('baseAt'),
      doubt_json: null,
    })
    .where('blockchain', '=', arg('blockchain'))
    .where('send_currency', '=', arg('send'))
    .where('country', '=', arg('country'))
    .where('target_currency', '=', arg('target'))
    .where('source_json', '=', arg('sourceJson'))
    .where('updated_at', '=', arg('before'))
    .returning('rate'),
)

/** What was read from these sources is no rate, or one in doubt: the last one stays, and is not used. */
export const refuseRead = statement<LookedAt & { problem: string; doubtJson: string | null }>()(
  'rate.refuseRead',
  ({ db }, arg) =>
    db
      .updateTable('rates')
      .set({ problem: arg('problem'), doubt_json: arg('doubtJson') })
      .where('blockchain', '=', arg('blockchain'))
      .where('send_currency', '=', arg('send'))
      .where('country', '=', arg('country'))
      .where('target_currency', '=', arg('target'))
      .where('source_json', '=', arg('sourceJson'))
      .where('updated_at', '=', arg('before'))
      .returning('rate'),
)

/** In doubt, the oldest keys first. */
export const ratesInDoubt = statement<{ limit: number }>()('rate.inDoubt', ({ db }, arg) =>
  db
    .selectFrom('rates')
    .selectAll()
    .where('doubt_json', 'is not', null)
    .orderBy('blockchain')
    .orderBy('send_currency')
    .orderBy('country')
    .orderBy('target_currency')
    .limit(arg('limit')),
)
