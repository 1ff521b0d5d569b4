/** The thread of a backup: it reads on a connection of its own, so that the node goes on serving. */
import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import type { BackupMessage, BackupWork } from './backup/backups.ts'
import { drillBackup } from './backup/drill.ts'
import { makeBackup } from './backup/make.ts'

// Whoever is served comes first. On Linux a priority is a thread's own; elsewhere it would be the whole node's.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW)

const work: BackupWork = workerData

const tell = (message: BackupMessage) => parentPort?.postMessage(message)

// A rejection ends the thread with the error, as its starter expects.
if ('make' in work) void makeBackup(work.make, (told) => tell({ told })).then((backup) => tell({ backup }))
else void drillBackup(work.drill).then((drill) => tell({ drill }))
