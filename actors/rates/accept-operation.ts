/** What a source told and nobody has agreed to yet: an operator does. */

import { parseDecimal } from '../../machines/rate.ts'
import { readDoubt } from '../../machines/rate-doubt.ts'
import type { RateKey } from '../../persistence/queries/rates.ts'
import { type Decision, row } from '../../persistence/store.ts'
import { auditReason, text } from '../foundation/fields.ts'
import { defineOperation, OperationError } from '../foundation/operation.ts'
import { rateKeyFields } from './operations.ts'

export interface AcceptedRate extends RateKey {
  rate: string
  /** The one accepted before; `null` where there was none. */
  before: string | null
}

/** The rate is named, so that what a source has told since is not accepted with it. */
export const rateAccept = defineOperation({
  name: 'rate.accept',
  summary: 'Accept a rate in doubt, so that quotes use it.',
  done: 'The rate is accepted.',
  fields: {
    ...rateKeyFields,
    rate: text({
      description: 'The rate that is in doubt.',
      minLength: 1,
      maxLength: 60,
      option: ['--rate <rate>', 'the rate in doubt, as `rate show` prints it'],
    }),
    reason: auditReason,
  },
  arguments: ['blockchain', 'send', 'country', 'target'],
  isRead: false,
  concluded: ({ rate, before }: AcceptedRate) => `${rate} accepted, after ${before ?? 'none'}`,
  async run({ store }, { blockchain, send, country, target, rate: named }): Promise<AcceptedRate> {
    const key = { blockchain, send_currency: send, country, target_currency: target }
    const what = `rate of ${send} to ${country} ${target} on ${blockchain}`
    const result = await store.step({
      rows: { rate: row('rates', key) },
      decide: ({ rate }, now): Decision<AcceptedRate> => {
        if (rate === null) {
          const hint = '`rate list` lists the rates there are.'
          throw new OperationError('not_found', `There is no ${what}.`, { hint })
        }
        if (rate.doubt_json === null) {
          throw new OperationError('conflict', `The ${what} is not in doubt.`, {
            hint: 'Another rate is set with apply.',
          })
        }
        const doubt = readDoubt(rate.doubt_json)
        if (parseDecimal(named)?.eq(doubt.rate) !== true) {
          throw new OperationError('conflict', `The rate in doubt is ${doubt.rate}, not ${named}.`, {
            hint: 'Check `rate show`, and give the rate in doubt.',
          })
        }
        const set = {
          rate: doubt.rate,
          updated_at: doubt.at,
          reading_json: doubt.readingJson,
          problem: null,
          jump_base: doubt.rate,
          jump_base_at: now,
          doubt_json: null,
        }
        return {
          answer: { blockchain, send, country, target, rate: doubt.rate, before: rate.rate },
          writes: [{ update: 'rates', key, set }],
          wake: ['provisioning'],
        }
      },
    })
    if (result.outcome === 'violated') throw new Error(`Accepting a rate violated ${result.constraint}.`)
    return result.answer
  },
})
