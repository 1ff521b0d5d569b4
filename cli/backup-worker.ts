/** The thread of a scheduled backup: it reads on a connection of its own, so that the node goes on serving. */
import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { type Backup, type BackupTask, makeBackup } from './backup/make.ts'

// Whoever is served comes first. On Linux a priority is a thread's own; elsewhere it would be the whole node's.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW)

const task: BackupTask = workerData

// A rejection ends the thread with the error, as its starter expects.
void makeBackup(task).then((backup: Backup) => parentPort?.postMessage(backup))
