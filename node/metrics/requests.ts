/** Counts requests at the price of two additions each; what they add up to is made when somebody asks. */
import { Counter, Histogram, type Registry } from 'prom-client'

/** Upper ends in seconds. What waits for a disk is answered within a few hundredths; the rest is trouble. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

export interface RequestTallies {
  /** @param route the pattern, never the path: an order's code is as good as money */
  observe(route: string, status: number, ms: number): void
}

export function createRequestTallies(registry: Registry): RequestTallies {
  const tallies = new Map<string, { route: string; status: number; requests: number; seconds: number }>()
  const shared = { labelNames: ['route', 'status'], registers: [registry] }
  new Counter({
    name: 'ventanilla_http_requests_total',
    help: 'Requests answered on the public listener, by route and status.',
    ...shared,
    collect() {
      this.reset()
      for (const { route, status, requests } of tallies.values()) this.inc({ route, status }, requests)
    },
  })
  new Counter({
    name: 'ventanilla_http_request_seconds_total',
    help: 'Time from request to answer, in seconds, by route and status.',
    ...shared,
    collect() {
      this.reset()
      for (const { route, status, seconds } of tallies.values()) this.inc({ route, status }, seconds)
    },
  })
  const durations = new Histogram({
    name: 'ventanilla_http_request_duration_seconds',
    help: 'Time from request to answer, in seconds; what changes something includes its commit.',
    buckets,
    registers: [registry],
  })
  return {
    observe(route, status, ms) {
      const seconds = ms / 1000
      durations.observe(seconds)
      const key = `${status} ${route}`
      const tally = tallies.get(key)
      if (tally === undefined) tallies.set(key, { route, status, requests: 1, seconds })
      else {
        tally.requests += 1
        tally.seconds += seconds
      }
    },
  }
}
