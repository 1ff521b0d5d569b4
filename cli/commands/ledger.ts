/** `ventanilla ledger export`: the whole ledger as a journal for other programs, whether a node runs or not. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { type Exported, exportLedger } from '../../actors/ledger/export.ts'
import { isDay } from '../../actors/terms/days.ts'
import { CommandError, exitCodes } from '../../node/exit-codes.ts'
import { createFileInPieces } from '../../persistence/durable-files.ts'
import { addCommand, addGroup, answer, type CommonOptions, settingsOf } from '../command.ts'
import { withReader } from '../reading.ts'
import type { Terminal } from '../terminal.ts'

interface ExportOptions extends CommonOptions {
  format: 'hledger'
  from?: string
  to?: string
  output?: string
  overwrite?: boolean
}

export function addLedgerCommands(terminal: Terminal, program: Command): void {
  const ledger = addGroup(program, 'ledger', 'Take the ledger to other programs.')
  const command = addCommand(ledger, 'export', {
    summary: 'Write the ledger as a journal that hledger reads, with the balances for it to check.',
    examples: [
      'ledger export --output ledger.journal',
      'ledger export --from 2026-12-01 --to 2026-12-31 --output december.journal',
      'ledger export | hledger -f - balance',
    ],
  })
    .addOption(new Option('--format <format>', 'what reads it').choices(['hledger']).default('hledger'))
    .option(
      '--from <day>',
      'tell postings from this day on (UTC); what lies before is in the opening balances',
    )
    .option('--to <day>', 'tell postings up to this day (UTC)')
    .option('--output <file>', 'write to this file, which gets its name once all of it is written')
    .option('--overwrite', 'replace the file if there is one')
  command.action(async () => {
    const options = command.opts<ExportOptions>()
    const from = dayOf('--from', options.from)
    const to = dayOf('--to', options.to)
    if (from !== null && to !== null && to < from) throw usage('--to: it is before --from.')
    const write = (take: (text: string) => void) =>
      withReader(settingsOf(terminal, options), (reader) =>
        inLargePieces(take, (each) =>
          exportLedger({ reader, from, to, write: each, now: terminal.clock.now() }),
        ),
      )
    if (options.output === undefined) {
      if (options.json || options.field !== undefined)
        throw usage('--json: it needs --output, since the journal itself is printed.')
      await write((text) => terminal.out(text))
      return
    }
    const exported = await toFile(resolve(terminal.cwd, options.output), options.overwrite === true, write)
    const document = { file: options.output, ...exported }
    const { accounts, transactions, postings } = exported
    const text = `${options.output}: ${postings} postings in ${transactions} transactions, ${accounts} accounts.\n`
    answer(terminal, options, document, text)
  })
}

/** @throws CommandError where the file is there and may not be replaced, before anything is read */
async function toFile(
  file: string,
  mayReplace: boolean,
  write: (take: (text: string) => void) => Promise<Exported>,
): Promise<Exported> {
  const isThere = () => usage(`--output: ${file} is there already. Choose another name, or add --overwrite.`)
  if (!mayReplace && existsSync(file)) throw isThere()
  try {
    return await createFileInPieces(file, mayReplace, write)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && 'syscall' in error)) throw error
    if (error.code === 'EEXIST') throw isThere()
    throw new CommandError(exitCodes.failure, `--output: ${file} cannot be written: ${error.message}`, null, {
      cause: error,
    })
  }
}

const pieceLength = 65_536

/** Postings are short, and writes are not free. */
async function inLargePieces<Result>(
  take: (text: string) => void,
  make: (write: (text: string) => void) => Promise<Result>,
): Promise<Result> {
  let gathered = ''
  const result = await make((text) => {
    gathered += text
    if (gathered.length < pieceLength) return
    take(gathered)
    gathered = ''
  })
  take(gathered)
  return result
}

function dayOf(option: string, text: string | undefined): string | null {
  if (text === undefined) return null
  if (isDay(text)) return text
  throw usage(`${option}: ${text} is not a day such as 2026-12-31.`)
}

function usage(message: string): CommandError {
  return new CommandError(exitCodes.usage, message)
}
