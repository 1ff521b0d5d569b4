/** What a rate of a provisioning file sets. */
import type { Row } from '../../persistence/store.ts'
import { writeSources } from '../rates/source.ts'
import type { RateEntry } from './file.ts'

/** Fees stay when they are not given, and so does the age of a fixed rate: that of sources is theirs. */
export function rateValues(entry: RateEntry, before: Row<'rates'> | undefined) {
  return {
    source_json: entry.sources === undefined ? null : writeSources(entry.sources),
    fee_fixed: entry.feeFixed ?? before?.fee_fixed ?? '0',
    fee_bps: entry.feeBps ?? before?.fee_bps ?? 0,
    max_age_seconds:
      entry.maxAgeSeconds === undefined && entry.sources === undefined && before?.source_json === null
        ? before.max_age_seconds
        : (entry.maxAgeSeconds ?? null),
    max_jump_percent:
      entry.maxJumpPercent === undefined ? (before?.max_jump_percent ?? null) : entry.maxJumpPercent,
  }
}

/** Of a rate whose sources are others now. */
export const nothingRead = {
  reading_json: null,
  problem: null,
  jump_base: null,
  jump_base_at: null,
  doubt_json: null,
} as const
