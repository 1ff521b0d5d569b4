/** The thread of `verify`: it reads on a connection of its own, so that the node goes on serving. */
import { parentPort, workerData } from 'node:worker_threads'
import { verify } from '../actors/verification/verify.ts'
import { openReader } from '../persistence/index.ts'
import { readLines } from '../persistence/line-log.ts'
import type { VerifyMessage, VerifyTask } from './verifier.ts'

const { database, journalKey, anchorsFile }: VerifyTask = workerData
const tell = (message: VerifyMessage) => parentPort?.postMessage(message)

const reader = await openReader(database)
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
