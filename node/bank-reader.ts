/** Reads a bank's statement in a thread of its own. */
import { once } from 'node:events'
import type { ReadBankFile } from '../actors/reconciliation/bank-operation.ts'
import type { BankFile } from '../actors/reconciliation/read-camt.ts'
import { startThread } from './packed.ts'

export interface BankTask {
  path: string
  currency: string
}

export const readBankInThread: ReadBankFile = async (path, currency) => {
  const thread = startThread('bank-worker', { path, currency } satisfies BankTask)
  try {
    // Rejects with what the thread threw.
    const [file]: BankFile[] = await once(thread, 'message')
    if (file === undefined) throw new Error('The statement was not read.')
    return file
  } finally {
    await thread.terminate()
  }
}
