/** A configuration for production: what can be made is made, and what is missing is listed. */
import { join } from 'node:path'
import { generateMasterKey } from '../../actors/keys/vault.ts'
import { CommandError, exitCodes } from '../../node/exit-codes.ts'
import { commandHere } from '../../node/own-name.ts'
import { createFile, makeFolder } from '../../persistence/durable-files.ts'

export interface InitTask {
  /** Where the settings and the master key are put. */
  folder: string
  /** Where the database is to be. */
  stateFolder: string
  /** How the world reaches the node. */
  publicUrl: string
}

export interface Initialized {
  made: string[]
  /** What only a person can do, in order. */
  missing: string[]
}

/** @throws CommandError when one of the files is there: nothing is overwritten, and a key least of all. */
export function initialize({ folder, stateFolder, publicUrl }: InitTask): Initialized {
  const config = join(folder, 'ventanilla.json')
  const masterKey = join(folder, 'master.key')
  const settings = {
    mode: 'production',
    http: { host: '127.0.0.1', port: 8080, publicUrl, trustedProxies: ['127.0.0.1', '::1'] },
    operator: { host: '127.0.0.1', port: 8081 },
    database: `sqlite:${join(stateFolder, 'ventanilla.db')}`,
    keys: { file: masterKey },
    backups: { folder: join(stateFolder, 'backups') },
  }
  makeFolder(folder)
  make(masterKey, generateMasterKey())
  make(config, `${JSON.stringify(settings, null, 2)}\n`)
  return {
    made: [masterKey, config],
    missing: [
      `Copy ${masterKey} to a place that is not this host. Without it no backup can be read, and it cannot be made again.`,
      `Put a proxy with a certificate for ${publicUrl} in front, which passes paths on as they came; on another host, name it in http.trustedProxies.`,
      `Name the operators: ${commandHere('operator add NAME --role administrator')}`,
      `Write merchants, providers and rates into a file, and apply it: ${commandHere('apply FILE')}`,
      `For foreign orders set chains.<NAME>.treasury and the endpoints, and look: ${commandHere('chain check')}`,
      'Have backups.folder on another disk, or copy it to another host each day.',
      'Have /metrics of the operator’s listener watched, by Prometheus for example.',
      `Look at it all: ${commandHere('doctor')}`,
    ],
  }
}

function make(file: string, text: string): void {
  try {
    createFile(file, text)
  } catch (error) {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    const why = isThere ? 'it is there, and nothing is overwritten' : String(error)
    throw new CommandError(exitCodes.usage, `${file}: ${why}.`, 'Name another folder.', { cause: error })
  }
}
