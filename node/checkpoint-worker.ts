/** The thread that moves SQLite's log into the database, on a connection of its own, so that nobody waits for it. */
import { parentPort, workerData } from 'node:worker_threads'
import { moveLog } from '../persistence/sqlite/checkpoints.ts'
import { openDatabase } from '../persistence/sqlite/database.ts'
import type { CheckpointMessage, CheckpointRequest, CheckpointTask } from './checkpointer.ts'

const { file }: CheckpointTask = workerData
const database = openDatabase(file)
const answer = (message: CheckpointMessage) => parentPort?.postMessage(message)

parentPort?.on('message', (asked: CheckpointRequest) => {
  if (asked === 'close') {
    database.close()
    parentPort?.close()
    return
  }
  try {
    answer({ isAllMoved: moveLog(database) })
  } catch (error) {
    answer({ problem: error instanceof Error ? error.message : String(error) })
  }
})
