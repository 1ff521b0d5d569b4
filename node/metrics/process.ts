/** What prom-client measures of the process by itself: once, however many nodes begin and end in it. */
import { collectDefaultMetrics, Registry } from 'prom-client'

let shared: Registry | undefined

/** Its observers are the process's, and cannot be ended; what they held of a node would stay for ever. */
export function processMetrics(): Registry {
  if (shared === undefined) {
    shared = new Registry()
    collectDefaultMetrics({ register: shared, eventLoopMonitoringPrecision: 20 })
  }
  return shared
}
