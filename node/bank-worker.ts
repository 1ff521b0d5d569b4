/** The thread that reads a bank's statement. */
import { createReadStream } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { readCamt } from '../actors/reconciliation/read-camt.ts'
import type { BankTask } from './bank-reader.ts'

const { path, currency }: BankTask = workerData

// A rejection ends the thread with the error, as its starter expects.
void readCamt(createReadStream(path), currency).then((file) => parentPort?.postMessage(file))
