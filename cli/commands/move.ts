/** `ventanilla move`: from one engine to the other, with everything that is in the database. */
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, renameSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { anchoredFact, keptAs } from '../../actors/anchors/anchoring.ts'
import { readJournalKey } from '../../actors/keys/node-secrets.ts'
import { createVault, parseMasterKey } from '../../actors/keys/vault.ts'
import { verify } from '../../actors/verification/verify.ts'
import type { Instant } from '../../machines/time.ts'
import { anchorsFileOfNode } from '../../node/anchors-file.ts'
import { CommandError, exitCodes } from '../../node/exit-codes.ts'
import type { Settings } from '../../node/settings/config.ts'
import { type DatabaseSetting, databaseUrl, readDatabase } from '../../node/settings/database-url.ts'
import { DatabaseUnusable } from '../../persistence/database-errors.ts'
import { createFile } from '../../persistence/durable-files.ts'
import { openReader, openTransferSource, openTransferTarget } from '../../persistence/index.ts'
import { readLines } from '../../persistence/line-log.ts'
import {
  alreadyMoved,
  finish,
  type TransferProgress,
  TransferRefused,
  transfer,
} from '../../persistence/transfer.ts'
import { addCommand, answer, type CommonOptions, settingsOf } from '../command.ts'
import { table } from '../table.ts'
import type { Terminal } from '../terminal.ts'

interface MoveOptions extends CommonOptions {
  to: string
}

interface Moved {
  from: string
  to: string
  tables: { name: string; rows: number }[]
  checks: { name: string; ok: boolean; detail: string }[]
}

export function addMoveCommand(terminal: Terminal, program: Command): void {
  const command = addCommand(program, 'move', {
    summary: 'Copy the database of a stopped node to SQLite or PostgreSQL, and verify it there.',
    examples: [
      'move --to postgres://ventanilla:PASSWORD@db.example/ventanilla',
      'move --to sqlite:data/back-on-one-host.db',
    ],
  }).requiredOption('--to <database>', 'the new database, written as in the setting `database`')
  command.action(async () => {
    const options = command.opts<MoveOptions>()
    const settings = settingsOf(terminal, options)
    const moved = await move(terminal, settings, targetOf(options.to, terminal.cwd))
    const text = table(moved.tables, [
      { title: 'TABLE', value: (it) => it.name },
      { title: 'ROWS', value: (it) => it.rows.toLocaleString('en') },
    ])
    answer(terminal, options, moved, `${text}\n${whatNext(moved, settings)}`)
  })
}

function targetOf(text: string, cwd: string): DatabaseSetting {
  const read = readDatabase(text)
  if (!('database' in read)) {
    const why = read.problem === null ? '' : `; ${read.problem}`
    throw new CommandError(
      exitCodes.usage,
      `--to: it must be sqlite:FILE or postgres://USER:PASSWORD@HOST/NAME${why}.`,
    )
  }
  const target = read.database
  return target.engine === 'sqlite' ? { engine: 'sqlite', file: resolve(cwd, target.file) } : target
}

function whatNext({ from, to }: Moved, { keys }: Settings): string {
  return (
    `Everything in ${from} is in ${to}, and verified there. No node starts on ${from} any more.\n` +
    `Set database to the new one and keys.file to ${keys.file}, on every node, then start.\n`
  )
}

/**
 * Target prepared, copied and verified, anchors brought, source marked, target set free: killed between any two of these, the source
 * is in use until it is marked, no node starts on the target before it is free, and the same command goes on.
 */
async function move(terminal: Terminal, settings: Settings, target: DatabaseSetting): Promise<Moved> {
  const [from, to] = [databaseUrl(settings.database), databaseUrl(target)]
  if (from === to) throw new CommandError(exitCodes.usage, '--to: that database exists already.')
  const { clock } = terminal
  try {
    const source = await openTransferSource(from, { clock })
    try {
      const { moved } = source
      // Nothing is made where nothing was begun.
      if (moved !== null && target.engine === 'sqlite' && !existsSync(target.file)) {
        throw alreadyMoved(source.place, moved.to)
      }
      const destination = await openTransferTarget(to, { clock })
      try {
        const places = { from: source.place, to: destination.place }
        if (moved !== null) {
          if (moved.id === null || destination.prepared?.id !== moved.id)
            throw alreadyMoved(source.place, moved.to)
          await finish(destination)
          return { ...places, tables: [], checks: [] }
        }
        const begun = { id: randomUUID(), from: source.place }
        const forgotten = existsSync(anchorsFileOfNode(settings)) ? [] : [anchoredFact]
        const counts = await transfer(source, destination, { move: begun, forgotten }, progressOn(terminal))
        const { ok, checks } = await verifyAt(to, settings)
        if (!ok) {
          const wrong = checks.filter((check) => !check.ok).map(({ name, detail }) => `${name}: ${detail}`)
          throw new TransferRefused(`${places.to}: what was copied does not verify. ${wrong.join(' ')}`)
        }
        keepAnchors(settings, target, clock.now())
        await source.markMoved(places.to, begun.id)
        await finish(destination)
        return {
          ...places,
          tables: Object.entries(counts).map(([name, rows]) => ({ name, rows })),
          checks: checks.map(({ name, ok: isOk, detail }) => ({ name, ok: isOk, detail })),
        }
      } finally {
        await destination.close()
      }
    } finally {
      await source.close()
    }
  } catch (error) {
    if (!(error instanceof DatabaseUnusable || error instanceof TransferRefused)) throw error
    const hint = 'The source was not changed.'
    throw new CommandError(exitCodes.database, error.message, hint, { cause: error })
  }
}

/** The sums and the chains of the journal, as the key that this node has tells. */
async function verifyAt(url: string, settings: Settings) {
  const reader = await openReader(url)
  try {
    const vault = createVault(parseMasterKey(readFileSync(settings.keys.file)))
    const journalKey = await readJournalKey(reader, vault)
    return await verify({ reader, journalKey, anchors: readLines(anchorsFileOfNode(settings)) })
  } finally {
    await reader.close()
  }
}

/** The journal is the same, and so is what was said of it. What lies there is of another time, and kept. */
function keepAnchors({ database, keys }: Settings, target: DatabaseSetting, now: Instant): void {
  const [old, next] = [anchorsFileOfNode({ database, keys }), anchorsFileOfNode({ database: target, keys })]
  if (old === next || !existsSync(old)) return
  const bytes = readFileSync(old)
  if (existsSync(next)) {
    if (readFileSync(next).equals(bytes)) return
    renameSync(next, keptAs(next, now))
  }
  createFile(next, bytes)
}

function progressOn(terminal: Terminal): (progress: TransferProgress) => void {
  if (!terminal.isTerminal) return () => {}
  return ({ done, total, table: name }) =>
    terminal.err(
      done === total
        ? '\r\x1b[K'
        : `\r\x1b[Kmoved ${done.toLocaleString('en')} of ${total.toLocaleString('en')} rows (${name}) `,
    )
}
