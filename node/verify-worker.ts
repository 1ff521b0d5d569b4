/** The thread of `verify`: it reads on a connection of its own, so that the node goes on serving. */
import { constants, setPriority } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { pacedReader } from '../actors/verification/paced-reader.ts'
import { verify } from '../actors/verification/verify.ts'
import { openReader } from '../persistence/index.ts'
import { readLines } from '../persistence/line-log.ts'
import { readLoad } from './load-gauge.ts'
import type { VerifyMessage, VerifyTask } from './verifier.ts'

const { database, journalKey, anchorsFile, load }: VerifyTask = workerData

// Whoever is served comes first. On Linux a priority is a thread's own; elsewhere it would be the whole node's.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW)

const tell = (message: VerifyMessage) => parentPort?.postMessage(message)

async function run(): Promise<void> {
  const reader = pacedReader(await openReader(database), {
    load: () => readLoad(load),
    now: () => performance.now(),
    sleep: (milliseconds) => setTimeout(milliseconds),
  })
  try {
    const verification = await verify({
      reader,
      journalKey,
      anchors: readLines(anchorsFile),
      onProgress: (done, total) => tell({ done, total }),
    })
    tell({ verification })
  } finally {
    await reader.close()
  }
}

// A rejection ends the thread with the error, as its starter expects.
void run()
