/** Reads a bank's statement in a thread of its own, which is asked for the next lines once those before are done with. */
import { once } from 'node:events'
import type { ReadBankFile } from '../actors/reconciliation/bank-runs.ts'
import type { BankFileRules } from '../actors/reconciliation/read-bank.ts'
import type { BankBatch } from '../actors/reconciliation/read-camt.ts'
import { startThread } from './packed.ts'

export interface BankTask extends BankFileRules {
  path: string
}

/** `null` at the end. */
export type BankMessage = { batch: BankBatch | null }

export const readBankInThread: ReadBankFile = async function* (path, rules) {
  const thread = startThread('bank-worker', { path, ...rules } satisfies BankTask)
  try {
    for (;;) {
      // Rejects with what the thread threw.
      const [message]: BankMessage[] = await once(thread, 'message')
      if (message === undefined || message.batch === null) return
      yield message.batch
      thread.postMessage('next')
    }
  } finally {
    await thread.terminate()
  }
}
