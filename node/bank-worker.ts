/** The thread that reads a bank's statement. */
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { readBank } from '../actors/reconciliation/read-bank.ts'
import type { BankMessage, BankTask } from './bank-reader.ts'

const { path, ...rules }: BankTask = workerData

async function run(): Promise<void> {
  const tell = (message: BankMessage) => parentPort?.postMessage(message)
  for await (const batch of readBank(createReadStream(path), rules)) {
    tell({ batch })
    if (parentPort !== null) await once(parentPort, 'message')
  }
  tell({ batch: null })
}

// A rejection ends the thread with the error, as its starter expects.
void run()
