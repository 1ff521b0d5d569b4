/** The thread that reads a network's file. */
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { readReportCsv } from '../actors/reconciliation/read-csv.ts'
import type { ReadMessage, ReadTask } from './report-reader.ts'

const { path, mapping, currency }: ReadTask = workerData

async function run(): Promise<void> {
  const tell = (message: ReadMessage) => parentPort?.postMessage(message)
  for await (const batch of readReportCsv(createReadStream(path), { mapping, currency })) {
    tell({ batch })
    if (parentPort !== null) await once(parentPort, 'message')
  }
  tell({ batch: null })
}

// A rejection ends the thread with the error, as its starter expects.
void run()
