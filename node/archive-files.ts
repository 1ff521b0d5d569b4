/** Where the archive is: a folder with a file a month. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ArchiveFiles } from '../actors/archive/archiving.ts'
import type { ArchiveFile } from '../actors/archive/check.ts'
import { makeFolder } from '../persistence/durable-files.ts'
import { LineLog, readLines } from '../persistence/line-log.ts'
import type { Settings } from './settings/config.ts'

/** Beside a SQLite database; of a server's each node keeps its own, beside its master key. */
export function archiveFolderOf({ database, keys, retention }: Settings): string {
  return retention.archiveFolder ?? `${database.engine === 'sqlite' ? database.file : keys.file}.archive`
}

/**
 * @param writer names who writes, where several may: no two of them ever write to one file, because one that stood
 *   still for a while would go on where it left off, over what another has written since
 */
export function openArchiveFiles(folder: string, writer: string | null): ArchiveFiles {
  let open: { name: string; log: LineLog } | null = null
  const close = async () => {
    await open?.log.close()
    open = null
  }
  return {
    nameOf: (month) => (writer === null ? `${month}.jsonl` : `${month}.${writer}.jsonl`),
    async append(name, line) {
      if (open?.name !== name) {
        await close()
        makeFolder(folder)
        open = { name, log: new LineLog(join(folder, name)) }
      }
      await open.log.append(line)
    },
    close,
  }
}

/** Its files, the oldest month first; none where nothing was archived yet. */
export function listArchiveFiles(folder: string): ArchiveFile[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .map((name) => ({ name, lines: readLines(join(folder, name)) }))
}
