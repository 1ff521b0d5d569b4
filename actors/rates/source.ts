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
  maxAgeSeconds: number
}

/** `rates.source_json`. */
export interface RateSources {
  /** What the operator expects, for the first reading to be held against; `null` when nothing was said. */
  expected: string | null
  sources: readonly RateSource[]
}

/** How old a rate from sources may be where nothing else is said. A fixed one never ages by itself. */
export const usualMaxAgeSeconds = 300

export function writeSources(sources: RateSources): string {
  return JSON.stringify(sources)
}

/** Reads what `writeSources` wrote. */
export function readSources(json: string): RateSources {
  return JSON.parse(json)
}

/** The same text for sources that are asked and read alike. */
export function sourceKey(source: RateSource): string {
  return JSON.stringify(source)
}

/** A source as evidence names it: without its query, where keys may be. */
export function sourceName({ url }: Pick<RateSource, 'url'>): string {
  const { host, pathname } = new URL(url)
  return host + pathname
}
