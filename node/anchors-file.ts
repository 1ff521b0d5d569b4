/** What the journal was, kept outside the database it speaks of. */
import { existsSync } from 'node:fs'
import { type Anchoring, type AnchoringOptions, createAnchoring } from '../actors/anchors/anchoring.ts'
import { LineLog } from '../persistence/line-log.ts'
import { CommandError, exitCodes } from './exit-codes.ts'
import { fileHint, reasonOf } from './places.ts'
import type { Settings } from './settings/config.ts'

export function anchorsFileOf(databaseFile: string): string {
  return `${databaseFile}.anchors`
}

/**
 * Beside a SQLite database it is that database's. Of a server's each node keeps its own, beside its master key: so a
 * server that was put back, or lost what it had acknowledged, is told of by every node that saw more.
 */
export function anchorsFileOfNode({ database, keys }: Pick<Settings, 'database' | 'keys'>): string {
  return anchorsFileOf(database.engine === 'sqlite' ? database.file : keys.file)
}

/**
 * What the file says is believed or answered before a node serves anybody. One that is there and cannot be read stops the
 * start; one that cannot be made is told of, like any line that cannot be added.
 * @throws CommandError
 */
export async function holdAgainstAnchors(anchoring: Anchoring, file: string): Promise<void> {
  try {
    await anchoring.begin()
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    if (!existsSync(file)) return
    throw new CommandError(exitCodes.database, `${file}: ${reasonOf(error)}.`, fileHint(file), {
      cause: error,
    })
  }
}

/** Until nothing waits that is to be outside the database. */
export async function anchorAll(anchoring: Pick<Anchoring, 'pass'>): Promise<void> {
  while ((await anchoring.pass()).more);
}

/** For a command beside a node that is stopped. */
export async function anchorOnce(
  settings: Pick<Settings, 'database' | 'keys'>,
  parts: Omit<AnchoringOptions, 'anchors' | 'log'>,
): Promise<void> {
  const anchors = new LineLog(anchorsFileOfNode(settings))
  const anchoring = createAnchoring({ ...parts, anchors, log: { info() {} } })
  try {
    await anchorAll(anchoring)
  } finally {
    await anchoring.finish()
  }
}
