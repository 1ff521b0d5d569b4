/** Where a rate is read from, as it is kept beside the rate. */

/** One address that tells a rate, all that is said about it filled in. */
export interface RateSource {
  url: string
  /** Where the number stands in the answer's JSON (RFC 6901). */
  pointer: string
  /** The answer says what one unit of the target currency is worth in the asset. */
  inverse: boolean
  /** Hundredths of a percent by which the rate is lowered. */
  spreadBps: number
  refreshSeconds: number
  timeoutSeconds: number
  /** `null`: as long as any. */
  maxAgeSeconds: number | null
}

/** `rates.source_json`. */
export interface RateSources {
  /** What the operator expects, for the first reading to be held against; `null` when nothing was said. */
  expected: string | null
  sources: readonly RateSource[]
}

export function writeSources(sources: RateSources): string {
  return JSON.stringify(sources)
}

/** Reads what `writeSources` wrote. */
export function readSources(json: string): RateSources {
  return JSON.parse(json)
}
