/** `ventanilla reconcile FILE` and `ventanilla reconciliation …`: what networks report, held against what is booked. */
import type { Command } from 'commander'
import { optional } from '../../actors/foundation/fields.ts'
import { reconciliationBank, reconciliationBankProgress } from '../../actors/reconciliation/bank-operation.ts'
import type { BankFileDocument } from '../../actors/reconciliation/bank-runs.ts'
import { reconciliationDay, reconciliationDays } from '../../actors/reconciliation/day-operations.ts'
import type { DayDocument, NetworkDays } from '../../actors/reconciliation/days.ts'
import {
  reconciliationApply,
  reconciliationProgress,
  reconciliationRead,
} from '../../actors/reconciliation/operations.ts'
import type { RunDocument } from '../../actors/reconciliation/run-document.ts'
import { CommandError, exitCodes } from '../../node/exit-codes.ts'
import {
  addCommand,
  addGroup,
  addOperationCommand,
  addOptions,
  answer,
  type CommonOptions,
  more,
  withOperations,
  writtenInput,
} from '../command.ts'
import type { Operations } from '../connect.ts'
import { readInputBytes } from '../input-file.ts'
import { fields, section, table } from '../table.ts'
import type { Terminal } from '../terminal.ts'

export function addReconciliationCommands(terminal: Terminal, program: Command): void {
  addReconcileCommand(terminal, program)
  const group = addGroup(program, 'reconciliation', 'Look at the days of networks.')
  addOperationCommand(terminal, group, {
    operation: reconciliationDays,
    show: ({ networks }) => daysText(networks),
  })
  addOperationCommand(terminal, group, { operation: reconciliationDay, show: dayText })
}

function addReconcileCommand(terminal: Terminal, program: Command): void {
  addReportCommand(terminal, program, {
    name: 'reconcile <file>',
    summary:
      'Hold a network’s report of a day, or a bank’s statement, against what is booked; - reads standard input.',
    examples: [
      'reconcile report.csv --provider "Demo Network" --day 2026-12-01 --dry-run',
      'reconcile report.csv --provider "Demo Network" --day 2026-12-01',
      'reconcile statement.xml --bank main --dry-run',
    ],
    takesBank: true,
  })
}

/** A report of a day, looked at and applied; under one name a bank's statement, too. */
export function addReportCommand(
  terminal: Terminal,
  parent: Command,
  about: { name: string; summary: string; examples: string[]; takesBank?: boolean },
): void {
  const command = addCommand(parent, about.name, about)
  const { network, file: _, ...required } = reconciliationRead.fields
  // Each of the two asks for its own.
  const said = Object.entries(required).map(([name, field]) => [name, optional(field)] as const)
  addOptions(command, { ...Object.fromEntries(said), ...(network === undefined ? {} : { network }) })
  if (about.takesBank === true)
    command.option('--bank <name>', 'a bank’s statement (camt.053) of this bank account')
  command.option('--dry-run', 'show what it comes to, and change nothing')
  command.action(async () => {
    const options = command.opts<CommonOptions & Said>()
    const [file = ''] = command.args
    assertOneOf(options, about.takesBank === true)
    const bytes = await readInputBytes(terminal, file)
    const { bank, dryRun = false } = options
    if (bank !== undefined) return reconcileBank(terminal, options, { bytes, bank, dryRun })
    const document = await withOperations(terminal, options, async (operations) => {
      const input = { ...writtenInput(reconciliationRead, command), file: await operations.send(bytes) }
      const looked = await settled(terminal, operations, await operations.perform(reconciliationRead, input))
      if (options.dryRun === true || looked.state !== 'ready') return looked
      return settled(terminal, operations, await operations.perform(reconciliationApply, { run: looked.run }))
    })
    answer(terminal, options, document, runText(document))
    if (document.state === 'refused' || document.state === 'failed') throw unfinished(file, document)
  })
}

interface Said {
  provider?: string
  day?: string
  bank?: string
  dryRun?: boolean
}

function assertOneOf({ provider, day, bank }: Said, takesBank: boolean): void {
  const isReport = provider !== undefined && day !== undefined
  if (bank === undefined ? isReport : provider === undefined && day === undefined) return
  const report = '--provider NAME and --day D of a network’s report'
  throw new CommandError(
    exitCodes.usage,
    `Say whose file it is: ${report}${takesBank ? ', or --bank NAME of a bank’s statement' : ''}.`,
  )
}

async function reconcileBank(
  terminal: Terminal,
  options: CommonOptions,
  { bytes, bank, dryRun }: { bytes: Uint8Array; bank: string; dryRun: boolean },
): Promise<void> {
  const document = await withOperations(terminal, options, async (operations) => {
    const file = await operations.send(bytes)
    let shown = await operations.perform(reconciliationBank, { file, bank, dryRun })
    while (shown.state === 'reading' || shown.state === 'booking') {
      shown = await operations.perform(reconciliationBankProgress, { run: shown.run, wait: 'yes' })
      if (terminal.isTerminal) terminal.err(`${shown.judged} of ${shown.read} entries.\n`)
    }
    return shown
  })
  answer(terminal, options, document, bankText(document))
  if (document.state === 'failed') throw new CommandError(exitCodes.failure, document.problem ?? 'It failed.')
}

function bankText({ bank, dryRun, verdicts, outcomes, judged, currency }: BankFileDocument): string {
  const words = Object.entries(outcomes).map(([outcome, count]) => `${count} ${outcome.replaceAll('_', ' ')}`)
  return (
    fields([
      ['bank', bank],
      [dryRun ? 'would be' : 'entries', words.join(', ') || 'none'],
      ['so far', dryRun ? 'only looked at: without --dry-run it is booked' : null],
      ['shown', verdicts.length < judged ? `${verdicts.length} of ${judged}, those to look at first` : null],
    ]) +
    (verdicts.length === 0
      ? ''
      : section(
          'Entries',
          table(verdicts, [
            { title: 'LINE', value: (it) => `${it.line}`, right: true },
            { title: 'REFERENCE', value: (it) => it.reference },
            { title: 'WAY', value: (it) => it.direction },
            { title: 'AMOUNT', value: (it) => `${it.amount} ${currency}`, right: true },
            { title: 'OUTCOME', value: (it) => it.outcome },
            { title: 'PAYMENT', value: (it) => it.payment },
            { title: 'EXCEPTION', value: (it) => it.exception },
            { title: 'NOTE', value: (it) => it.note },
          ]),
        ))
  )
}

/** Asks how far it is until it is at rest; whoever watches sees it. */
async function settled(terminal: Terminal, operations: Operations, begun: RunDocument): Promise<RunDocument> {
  let document = begun
  while (document.state === 'reading' || document.state === 'applying') {
    document = await operations.perform(reconciliationProgress, { run: begun.run, wait: 'yes' })
    const { state, read, stored } = document
    if (!terminal.isTerminal) continue
    if (state === 'reading') terminal.err(`${read} lines are read.\n`)
    if (state === 'applying') terminal.err(`${stored} of ${read} lines are stored.\n`)
  }
  return document
}

function unfinished(file: string, { state, faultCount, problem }: RunDocument): CommandError {
  if (state === 'failed') return new CommandError(exitCodes.failure, `${file}: ${problem}`)
  const lines = faultCount === 1 ? 'one line is' : `${faultCount} lines are`
  return new CommandError(
    exitCodes.failure,
    `${file}: it is refused as a whole: ${lines} wrong.`,
    'Ask the network for a corrected file, or correct the mapping of the network’s terms.',
  )
}

function runText(document: RunDocument): string {
  const { provider, network, day, currency, state, paid, outcomes, replaces, gone, appeared, quarantined } =
    document
  if (document.unchanged) return `The same file counts for ${day} already: nothing is changed.\n`
  const counts = Object.entries(outcomes).map(([outcome, count]) => `${count} ${outcome}`)
  return [
    fields([
      ['network', `${network} of ${provider}`],
      ['day', day],
      ['state', state === 'ready' ? 'only looked at' : state],
      ['payments', `${paid.count}, ${paid.amount} ${currency}`],
      ['lines', counts.join(', ') || 'none'],
      ['quarantined', quarantined === 0 ? null : `${quarantined} are booked`],
      [
        'takes the place',
        replaces && state !== 'refused'
          ? `of another report: ${gone} differences go, ${appeared} come`
          : null,
      ],
    ]),
    document.faults.length === 0
      ? ''
      : section(
          'Wrong lines',
          table(document.faults, [
            { title: 'LINE', value: (it) => `${it.line}`, right: true },
            { title: 'WHAT IS WRONG', value: (it) => it.problem },
          ]),
        ),
    document.differences.length === 0 || state === 'refused'
      ? ''
      : section(
          'Lines that differ',
          table(document.differences, [
            { title: 'LINE', value: (it) => `${it.line}`, right: true },
            { title: 'OUTCOME', value: (it) => it.outcome },
            { title: 'NAMES', value: (it) => it.reference ?? it.named },
            { title: 'THEIRS', value: (it) => it.theirs, right: true },
            { title: 'OURS', value: (it) => it.ours, right: true },
            { title: 'WHY', value: (it) => it.reason },
          ]),
        ),
  ].join('')
}

function daysText(networks: readonly NetworkDays[]): string {
  const rows = networks.flatMap(({ network, provider, days }) =>
    days.map((day) => ({ network, provider, ...day })),
  )
  if (rows.length === 0) return 'There is no network.\n'
  const reported = rows.filter(({ state }) => state !== 'open')
  if (reported.length === 0) return 'No network has reported any of these days.\n'
  return table(reported, [
    { title: 'DAY', value: (it) => it.day },
    { title: 'NETWORK', value: (it) => it.network },
    { title: 'PROVIDER', value: (it) => it.provider },
    { title: 'STATE', value: (it) => it.state },
    { title: 'TO LOOK AT', value: (it) => `${it.open}`, right: true },
    { title: 'WAITING', value: (it) => `${it.pending}`, right: true },
    { title: 'LINES', value: (it) => `${it.lines}`, right: true },
    { title: 'PAID', value: (it) => it.paid, right: true },
  ])
}

function dayText({ network, provider, currency, day, state, open, totals, rows, next }: DayDocument): string {
  return (
    fields([
      ['network', `${network} of ${provider}`],
      ['day', day],
      ['state', state],
      ['to look at', `${open}`],
      ['booked here', `${totals.here.count}, ${totals.here.amount} ${currency}`],
      ['it says', `${totals.network.count}, ${totals.network.amount} ${currency}`],
    ]) +
    (rows.length === 0
      ? ''
      : section(
          'Lines',
          table(rows, [
            { title: 'LINE', value: (it) => (it.line === null ? null : `${it.line}`), right: true },
            { title: 'OUTCOME', value: (it) => it.outcome },
            { title: 'NAMES', value: (it) => it.reference ?? it.named },
            { title: 'THEIRS', value: (it) => it.theirs, right: true },
            { title: 'OURS', value: (it) => it.ours, right: true },
            { title: 'EXCEPTION', value: (it) => (it.isOpen ? it.exception : null) },
            { title: 'WHY', value: (it) => it.reason },
          ]),
        )) +
    more(next)
  )
}
