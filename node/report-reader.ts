/** Reads networks' files in a thread of its own, which is asked for the next lines once those before are done with. */
import { once } from 'node:events'
import type { ReportBatch } from '../actors/reconciliation/report-lines.ts'
import type { ReadReport } from '../actors/reconciliation/report-runs.ts'
import type { ReportMapping } from '../actors/terms/report-mapping.ts'
import { startThread } from './packed.ts'

export interface ReadTask {
  path: string
  mapping: ReportMapping
  currency: string
}

/** `null` at the end. */
export type ReadMessage = { batch: ReportBatch | null }

export const readInThread: ReadReport = async function* (path, { mapping, currency }) {
  const thread = startThread('report-worker', { path, mapping, currency } satisfies ReadTask)
  try {
    for (;;) {
      // Rejects with what the thread threw.
      const [message]: ReadMessage[] = await once(thread, 'message')
      if (message === undefined || message.batch === null) return
      yield message.batch
      thread.postMessage('next')
    }
  } finally {
    await thread.terminate()
  }
}
