/** The thread that reads a bank's statement. */
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { readCamt } from '../actors/reconciliation/read-camt.ts'
import type { BankMessage, BankTask } from './bank-reader.ts'

const { path, currency }: BankTask = workerData

async function run(): Promise<void> {
  const tell = (message: BankMessage) => parentPort?.postMessage(message)
  for await (const batch of readCamt(createReadStream(path), currency)) {
    tell({ batch })
    if (parentPort !== null) await once(parentPort, 'message')
  }
  tell({ batch: null })
}

// A rejection ends the thread with the error, as its starter expects.
void run()
