/** Verifies a database in a worker thread. */
import { once } from 'node:events'
import type { Verifier, VerifyProgress } from '../actors/verification/verifier.ts'
import type { Verification } from '../actors/verification/verify.ts'
import { createLoadGauge, type LoadGauge } from './load-gauge.ts'
import { startThread } from './packed.ts'

export interface VerifyTask {
  /** Its URL. */
  database: string
  journalKey: string
  anchorsFile: string
  /** How busy the thread is that started it. */
  load: LoadGauge['shared']
}

export type VerifyMessage = { done: number; total: number } | { verification: Verification }

const idle: VerifyProgress = { isRunning: false, done: 0, total: 0 }

/** @param file the database's, where it is one. */
export function createVerifier(file: string | null, task: Omit<VerifyTask, 'load'>): Verifier {
  let progress = idle
  let running: Promise<Verification> | null = null

  async function run(): Promise<Verification> {
    const gauge = createLoadGauge()
    const thread = startThread('verify-worker', { ...task, load: gauge.shared } satisfies VerifyTask)
    let verification: Verification | null = null
    thread.on('message', (message: VerifyMessage) => {
      if ('verification' in message) verification = message.verification
      else progress = { isRunning: true, ...message }
    })
    // Rejects with what the thread threw.
    try {
      await once(thread, 'exit')
    } finally {
      gauge.stop()
    }
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
