/** The command line as a whole: which commands there are, and how each ends. */
import { Command, CommanderError } from 'commander'
import { OperationError } from '../actors/foundation/operation.ts'
import { AlreadyTold, CommandError, type ExitCode, exitCodes } from '../node/exit-codes.ts'
import { SettingsError } from '../node/settings/config.ts'
import programPackage from '../package.json' with { type: 'json' }
import { DatabaseUnusable } from '../persistence/database-errors.ts'
import { addAdjustmentCommands } from './commands/adjustment.ts'
import { addAlarmCommands, addAuditCommands } from './commands/alarm.ts'
import { addApplyCommand } from './commands/apply.ts'
import { addApprovalCommands } from './commands/approval.ts'
import { addArchiveCommands } from './commands/archive.ts'
import { addBackupCommands } from './commands/backup.ts'
import { addBankCommands } from './commands/bank.ts'
import { addChainCommands } from './commands/chain.ts'
import { addClaimCommands } from './commands/claim.ts'
import { addClockCommands } from './commands/clock.ts'
import { addConversionCommands } from './commands/conversion.ts'
import { addDemoCommand } from './commands/demo.ts'
import { addDepositCommands } from './commands/deposit.ts'
import { addEraseCommand } from './commands/erase.ts'
import { addEvidenceCommands } from './commands/evidence.ts'
import { addExceptionCommands } from './commands/exception.ts'
import { addKeyCommands } from './commands/key.ts'
import { addLedgerCommands } from './commands/ledger.ts'
import { addMachineCommands } from './commands/machine.ts'
import { addMigrateCommand } from './commands/migrate.ts'
import { addMoveCommand } from './commands/move.ts'
import { addNodeCommands } from './commands/node.ts'
import { addNotificationCommands } from './commands/notification.ts'
import { addOperatorCommands } from './commands/operator.ts'
import { addOrderCommands } from './commands/order.ts'
import { addMerchantCommands, addPartyCommands, addProviderCommands } from './commands/party.ts'
import { addPaymentCommands } from './commands/payment.ts'
import { addRateCommands } from './commands/rate.ts'
import { addReconciliationCommands } from './commands/reconcile.ts'
import { addRecordCommands } from './commands/record.ts'
import { addRequestCommand } from './commands/request.ts'
import { addSandboxCommands } from './commands/sandbox.ts'
import { addServeCommand } from './commands/serve.ts'
import { addServiceCommands } from './commands/service.ts'
import { addSignatureCommands } from './commands/signature.ts'
import { addStatementCommands } from './commands/statement.ts'
import { addCalendarCommands, addTermsCommands } from './commands/terms.ts'
import { addVerifyCommands } from './commands/verify.ts'
import { addVersionCommand } from './commands/version.ts'
import { addWebhookCommands } from './commands/webhook.ts'
import { addWithdrawalCommands } from './commands/withdrawal.ts'
import { printable, printableJson } from './printable.ts'
import type { Terminal } from './terminal.ts'

/** Runs one command and tells how it ended; a failure is told on the terminal. */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  const program = createProgram(terminal)
  try {
    await program.parseAsync(withDefault(args), { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0
    const failure = failureOf(error)
    if (!(error instanceof AlreadyTold)) tellFailure(terminal, args.includes('--json'), failure)
    return failure.exitCode
  }
}

/** Without a command's name it is `serve`. */
function withDefault(args: readonly string[]): readonly string[] {
  const [first = '--'] = args
  return first.startsWith('-') && !['-h', '--help', '-V', '--version'].includes(first) && first !== '--'
    ? ['serve', ...args]
    : args.length === 0
      ? ['serve']
      : args
}

function createProgram(terminal: Terminal): Command {
  const program = new Command('ventanilla')
    .description('A self-hosted node for cash pay-in and pay-out orders.')
    .version(programPackage.version)
    .exitOverride()
    // An option is of the command behind which it stands: `backup drill --json`.
    .enablePositionalOptions()
    .configureOutput({
      writeOut: (text) => terminal.out(text),
      writeErr: (text) => terminal.err(text),
      // Errors are told in one place, by what is thrown.
      outputError: () => {},
    })
    .addHelpText('after', '\nWithout a command, the node starts. `ventanilla COMMAND --help` shows examples.')
  addServeCommand(terminal, program)
  addDemoCommand(terminal, program)
  addApplyCommand(terminal, program)
  addRequestCommand(terminal, program)
  addSignatureCommands(terminal, program)
  addSandboxCommands(terminal, program)
  addRecordCommands(terminal, program)
  addOrderCommands(terminal, program)
  addNotificationCommands(terminal, program)
  addWebhookCommands(terminal, program)
  addEvidenceCommands(terminal, program)
  addExceptionCommands(terminal, program)
  addMerchantCommands(terminal, program)
  addProviderCommands(terminal, program)
  addPartyCommands(terminal, program)
  addRateCommands(terminal, program)
  addTermsCommands(terminal, program)
  addStatementCommands(terminal, program)
  addCalendarCommands(terminal, program)
  addDepositCommands(terminal, program)
  addPaymentCommands(terminal, program)
  addBankCommands(terminal, program)
  addWithdrawalCommands(terminal, program)
  addAdjustmentCommands(terminal, program)
  addConversionCommands(terminal, program)
  addReconciliationCommands(terminal, program)
  addClaimCommands(terminal, program)
  addApprovalCommands(terminal, program)
  addKeyCommands(terminal, program)
  addOperatorCommands(terminal, program)
  addLedgerCommands(terminal, program)
  addMachineCommands(terminal, program)
  addClockCommands(terminal, program)
  addNodeCommands(terminal, program)
  addAlarmCommands(terminal, program)
  addAuditCommands(terminal, program)
  addChainCommands(terminal, program)
  addVerifyCommands(terminal, program)
  addBackupCommands(terminal, program)
  addArchiveCommands(terminal, program)
  addEraseCommand(terminal, program)
  addMigrateCommand(terminal, program)
  addServiceCommands(terminal, program)
  addMoveCommand(terminal, program)
  addVersionCommand(terminal, program)
  return program
}

interface Failure {
  exitCode: ExitCode
  code: string
  message: string
  hint: string | null
  details: readonly string[]
}

const codeNames: Readonly<Record<ExitCode, string>> = {
  [exitCodes.failure]: 'failure',
  [exitCodes.usage]: 'usage',
  [exitCodes.database]: 'database',
  [exitCodes.key]: 'key',
  [exitCodes.port]: 'port',
}

function failureOf(error: unknown): Failure {
  if (error instanceof OperationError) {
    const { code, message, hint = null, details } = error
    return { exitCode: exitCodes.failure, code, message, hint, details }
  }
  if (error instanceof SettingsError) {
    const { exitCode, hint, lines } = error
    return {
      exitCode,
      code: codeNames[exitCode],
      message: 'The settings are invalid.',
      hint,
      details: lines,
    }
  }
  if (error instanceof DatabaseUnusable) {
    const { message } = error
    return {
      exitCode: exitCodes.database,
      code: codeNames[exitCodes.database],
      message,
      hint: null,
      details: [],
    }
  }
  if (error instanceof CommandError) {
    const { exitCode, message, hint } = error
    return { exitCode, code: codeNames[exitCode], message, hint, details: [] }
  }
  if (error instanceof CommanderError) {
    // A group without its command has shown its help already.
    const message =
      error.code === 'commander.help' ? 'No command given.' : error.message.replace(/^error: /, '')
    const hint = 'See --help for its arguments and options.'
    return { exitCode: exitCodes.usage, code: 'usage', message, hint, details: [] }
  }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { exitCode: exitCodes.failure, code: 'fault', message, hint: null, details: [] }
}

function tellFailure(terminal: Terminal, asJson: boolean, failure: Failure): void {
  const { code, message, hint, details } = failure
  if (asJson) terminal.out(`${printableJson({ error: { code, message, hint, details } }, 2)}\n`)
  const lines = [message, ...details.map((detail) => `  ${detail}`), ...(hint === null ? [] : [hint])]
  terminal.err(printable(`${lines.join('\n')}\n`))
}
