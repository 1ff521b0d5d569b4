/** `ventanilla archive …`: reads the archive's files beside the database, whether a node runs or not. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { type ArchiveCheck, checkArchive } from '../../actors/archive/check.ts'
import { type ArchivedOrder, readArchivedOrder } from '../../actors/archive/show.ts'
import { readJournalKey } from '../../actors/keys/node-secrets.ts'
import { createVault, parseMasterKey } from '../../actors/keys/vault.ts'
import { archiveFolderOf, listArchiveFiles } from '../../node/archive-files.ts'
import { AlreadyTold, CommandError, exitCodes } from '../../node/exit-codes.ts'
import type { Settings } from '../../node/settings/config.ts'
import type { Reader } from '../../persistence/store.ts'
import { addCommand, addGroup, answer, type CommonOptions, settingsOf } from '../command.ts'
import { withReader } from '../reading.ts'
import { fields, section, shortTime, table } from '../table.ts'
import type { Terminal } from '../terminal.ts'

interface ArchiveOptions extends CommonOptions {
  folder?: string
}

export function addArchiveCommands(terminal: Terminal, program: Command): void {
  const archive = addGroup(program, 'archive', 'Read archived orders, and verify the archive.')
  const folderOption = (command: Command) =>
    command.option(
      '--folder <path>',
      "the archive's files, if they were moved or collected from several hosts",
    )

  const show = folderOption(
    addCommand(archive, 'show <id>', {
      summary: 'Show an archived order by id or code, with all its records.',
      examples: ['archive show 01912d5a-0000-7000-8000-000000000000', 'archive show 123456789012345 --json'],
    }),
  )
  show.action(async () => {
    const options = show.opts<ArchiveOptions>()
    const [id = ''] = show.args
    const found = await withArchive(terminal, options, (reader, journalKey, folder) =>
      readArchivedOrder({ reader, journalKey }, listArchiveFiles(folder), id),
    )
    if (found === null) throw new CommandError(exitCodes.failure, `No order ${id} was archived.`)
    answer(terminal, options, found, archivedText(found))
  })

  const verify = folderOption(
    addCommand(archive, 'verify', {
      summary: 'Check that every archived order is in its file and unchanged, with a valid journal.',
      examples: ['archive verify', 'archive verify --folder /mnt/archive --json'],
    }),
  )
  verify.action(async () => {
    const options = verify.opts<ArchiveOptions>()
    const check = await withArchive(terminal, options, (reader, journalKey, folder) =>
      checkArchive({ reader, journalKey }, listArchiveFiles(folder)),
    )
    answer(terminal, options, check, checkText(check))
    if (!check.ok) throw new AlreadyTold()
  })
}

/** Runs on a connection that cannot write, with the key that seals the archive. */
async function withArchive<Result>(
  terminal: Terminal,
  options: ArchiveOptions,
  run: (reader: Reader, journalKey: string, folder: string) => Promise<Result>,
): Promise<Result> {
  const settings = settingsOf(terminal, options)
  const folder =
    options.folder === undefined ? archiveFolderOf(settings) : resolve(terminal.cwd, options.folder)
  return withReader(settings, async (reader) => run(reader, await journalKeyOf(settings, reader), folder))
}

async function journalKeyOf({ keys }: Settings, reader: Reader): Promise<string> {
  try {
    return await readJournalKey(reader, createVault(parseMasterKey(readFileSync(keys.file))))
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    throw new CommandError(exitCodes.key, `${keys.file}: ${cause}`, null, { cause: error })
  }
}

function archivedText({ order, consumer, journal, ...archived }: ArchivedOrder): string {
  const erased =
    archived.erased === null ? null : `personal data were erased at ${shortTime(archived.erased)}`
  return [
    fields([
      ['id', order.id],
      ['code', order.code],
      ['status', order.status],
      ['price', `${order.price} ${order.currency}`],
      ['merchant', order.merchantOrderId],
      ['description', order.description],
      ['created', shortTime(order.created)],
      ['archived', `${shortTime(archived.archived)} in ${archived.file}`],
      ['consumer', consumer === null ? erased : `${consumer.email} ${consumer.phone_number}`.trim()],
    ]),
    section(
      'Journal',
      table(journal, [
        { title: 'AT', value: (entry) => shortTime(entry.at) },
        { title: 'WHO', value: (entry) => entry.actor },
        { title: 'EVENT', value: (entry) => entry.event },
        { title: 'STATUS', value: ({ from, to }) => (from === null ? to : `${from} → ${to}`) },
        { title: 'OUTCOME', value: (entry) => entry.outcome },
      ]),
    ),
    '\n--json prints every row it had.\n',
  ].join('')
}

function checkText({ ok, orders, entries, spare, problems }: ArchiveCheck): string {
  const lines = [
    `${orders} archived orders with ${entries} entries of the journal ${ok ? 'are whole' : 'were looked at'}.`,
    ...(spare === 0
      ? []
      : [`${spare} lines belong to no archived order: cut off by a crash, or from before a restore.`]),
    ...problems.map((problem) => `WRONG: ${problem}`),
  ]
  return `${lines.join('\n')}\n`
}
