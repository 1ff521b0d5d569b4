/** How busy the thread of a front is: where it has nothing left, it is the front that holds the node up. */
import { performance } from 'node:perf_hooks'
import { Gauge, type Registry } from 'prom-client'

export function addUtilization(registry: Registry): void {
  let before = performance.eventLoopUtilization()
  new Gauge({
    name: 'ventanilla_front_utilization',
    help: 'Share of its time in which the thread of the public listener was busy, since it was asked last.',
    registers: [registry],
    collect() {
      const now = performance.eventLoopUtilization()
      this.set(performance.eventLoopUtilization(now, before).utilization)
      before = now
    },
  })
}
