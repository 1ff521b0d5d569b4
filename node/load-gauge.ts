/** How busy a thread is, for another thread to see. */
import { performance } from 'node:perf_hooks'

export interface LoadGauge {
  readonly shared: SharedArrayBuffer
  stop(): void
}

const lookEveryMs = 250
const partsPerWhole = 1000

/** Watches the thread that calls it, until it is stopped. Until the first look nothing is known, so it counts as idle. */
export function createLoadGauge(): LoadGauge {
  const shared = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
  const cell = new Int32Array(shared)
  let before = performance.eventLoopUtilization()
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    Atomics.store(cell, 0, Math.round(utilization * partsPerWhole))
  }, lookEveryMs)
  timer.unref()
  return { shared, stop: () => clearInterval(timer) }
}

/** @returns 0 to 1 */
export function readLoad(shared: LoadGauge['shared']): number {
  return Atomics.load(new Int32Array(shared), 0) / partsPerWhole
}
