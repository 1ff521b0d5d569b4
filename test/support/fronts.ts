/** The threads of the public listeners that this process has started. */
import type { Worker } from 'node:worker_threads'

const fronts: Worker[] = []
process.on('worker', (worker) => {
  if (worker.threadName === 'front-worker') fronts.push(worker)
})

/** For `startTestNode`: with a front of its own. */
export const withFront = { VENTANILLA_HTTP_THREADS: '1' }

/** The one that was started last. */
export function latestFront(): Worker {
  const front = fronts.at(-1)
  if (front === undefined) throw new Error('No front was started.')
  return front
}

export const frontsStarted = (): number => fronts.length
