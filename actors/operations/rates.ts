/** What an operator may ask about exchange rates. */
import { formatInstant } from '../../machines/time.ts'
import { allRates } from '../../persistence/queries/provisioning.ts'
import type { Operation } from './operation.ts'

export interface RateDocument {
  blockchain: string
  send: string
  country: string
  target: string
  /** `null` while a source has not told one. */
  rate: string | null
  /** In the currency that is sent. */
  feeFixed: string
  feeBps: number
  maxAgeSeconds: number | null
  source: unknown
  updated: string
}

export const rateList: Operation<Record<string, never>, { rates: RateDocument[] }> = {
  name: 'rate.list',
  summary: 'List exchange rates with their fees.',
  input: { type: 'object', additionalProperties: false },
  isRead: true,
  async run({ store }) {
    const rates = await store.query(allRates, {})
    return {
      rates: rates.map((rate) => ({
        blockchain: rate.blockchain,
        send: rate.send_currency,
        country: rate.country,
        target: rate.target_currency,
        rate: rate.rate,
        feeFixed: rate.fee_fixed,
        feeBps: rate.fee_bps,
        maxAgeSeconds: rate.max_age_seconds,
        source: rate.source_json === null ? null : JSON.parse(rate.source_json),
        updated: formatInstant(rate.updated_at),
      })),
    }
  },
}
