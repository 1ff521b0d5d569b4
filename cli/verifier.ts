/** Verifies a database in a worker thread. */
import { once } from 'node:events'
import type { Verifier, VerifyProgress } from '../actors/verification/verifier.ts'
import type { Verification } from '../actors/verification/verify.ts'
import { startThread } from './packed.ts'

export interface VerifyTask {
  /** Its URL. */
  database: string
  journalKey: string
  anchorsFile: string
}

export type VerifyMessage = { done: number; total: number } | { verification: Verification }

const idle: VerifyProgress = { isRunning: false, done: 0, total: 0 }

/** @param file the database's, where it is one. */
export function createVerifier(file: string | null, task: VerifyTask): Verifier {
  let progress = idle
  let running: Promise<Verification> | null = null

  async function run(): Promise<Verification> {
    const thread = startThread('verify-worker', task)
    let verification: Verification | null = null
    thread.on('message', (message: VerifyMessage) => {
      if ('verification' in message) verification = message.verification
      else progress = { isRunning: true, ...message }
    })
    // Rejects with what the thread threw.
    await once(thread, 'exit')
    if (verification === null) throw new Error('The verification ended without a result.')
    return verification
  }

  return {
    file,
    progress: () => progress,
    verify() {
      if (running !== null) return running
      progress = { isRunning: true, done: 0, total: 0 }
      running = run().finally(() => {
        running = null
        progress = idle
      })
      return running
    },
  }
}
