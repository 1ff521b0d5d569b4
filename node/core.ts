/**
 * What the node and the commands share: the store, the keys and the orders, without listeners and workers.
 */

import { existsSync, rmSync } from 'node:fs'
import { createRestoreWatch, type RestoreWatch } from '../actors/anchors/restore-watch.ts'
import type { ArchiveFile } from '../actors/archive/check.ts'
import { ChainDepositBook } from '../actors/chains/chain-deposits.ts'
import type { Backups } from '../actors/condition/backups.ts'
import { type ClockWatch, createClockWatch, type NodeClock } from '../actors/condition/clock-watch.ts'
import { type Condition, createCondition } from '../actors/condition/condition.ts'
import { createDrainWatch, type DrainWatch } from '../actors/condition/drain-watch.ts'
import { signingKey } from '../actors/evidence/signing-key.ts'
import { worldClockOf } from '../actors/foundation/clock.ts'
import type { Surroundings } from '../actors/foundation/surroundings.ts'
import { type ChangingVault, createChangingVault } from '../actors/keys/changing-vault.ts'
import { type Credentials, createCredentials } from '../actors/keys/credentials.ts'
import type { MasterKeyFile } from '../actors/keys/master-key.ts'
import { isUnder, openNodeSecrets, WrongMasterKey } from '../actors/keys/node-secrets.ts'
import { createVault, type Vault } from '../actors/keys/vault.ts'
import type { MailSender } from '../actors/notifications/mail.ts'
import { createOrderRegistry, type OrderRegistry } from '../actors/orders/registry.ts'
import { interfaceAddresses, type TargetRules } from '../actors/outbound/target.ts'
import { createLiveTable, type RateBook } from '../actors/rates/live-table.ts'
import { type BankRuns, createBankRuns } from '../actors/reconciliation/bank-runs.ts'
import { maxReportBytes } from '../actors/reconciliation/report-lines.ts'
import { createReportRuns, type ReportRuns } from '../actors/reconciliation/report-runs.ts'
import { followKept } from '../actors/sandbox/advancing.ts'
import { clockOfMode, sandboxClock } from '../actors/sandbox/clock.ts'
import { readKeptClock } from '../actors/sandbox/kept-clock.ts'
import type { SandboxParts } from '../actors/sandbox/parts.ts'
import { simulationsOf } from '../actors/sandbox/scheduled.ts'
import type { Simulate } from '../actors/sandbox/simulating.ts'
import type { Verifier } from '../actors/verification/verifier.ts'
import type { Chains } from '../chain/chain.ts'
import { answerTo } from '../http/api/provider-answers.ts'
import { DatabaseLocked, DatabaseTooNew, DatabaseUnusable } from '../persistence/database-errors.ts'
import { openStore } from '../persistence/index.ts'
import { factByName } from '../persistence/queries/node.ts'
import type { CheckpointOptions } from '../persistence/sqlite/checkpoints.ts'
import { OutcomeUnknown, type Store, StoreUnavailable } from '../persistence/store.ts'
import { type Move, movedTo, movingFrom } from '../persistence/transfer.ts'
import { anchorOnce, anchorsFileOfNode } from './anchors-file.ts'
import { archiveFolderOf, listArchiveFiles } from './archive-files.ts'
import { createBackups } from './backup/backups.ts'
import { readBankInThread } from './bank-reader.ts'
import { createCheckpointer } from './checkpointer.ts'
import { CommandError, exitCodes } from './exit-codes.ts'
import { mailSenderOf } from './mailer.ts'
import { createMasterKeyPlace, readMasterKey } from './master-key-file.ts'
import { placeProblem, prepareDatabasePlace } from './places.ts'
import { readInThread } from './report-reader.ts'
import { consoleUrl, publicUrls, type Settings } from './settings/config.ts'
import { databaseUrl } from './settings/database-url.ts'
import { sandboxOf, simulatingOf } from './simulating.ts'
import { surroundingsOf } from './surroundings.ts'
import { createUploads, type OwnUploads } from './uploads.ts'
import { createVerifier } from './verifier.ts'
import { targetRules } from './webhook-rules.ts'

export interface Core {
  store: Store
  /** The node's: in a sandbox it may have been moved ahead. */
  clock: NodeClock
  vault: ChangingVault
  masterKey: MasterKeyFile
  /** Chains the journals. */
  journalKey: string
  condition: Condition
  clockWatch: ClockWatch
  drainWatch: DrainWatch
  restoreWatch: RestoreWatch
  verification: Verifier
  backups: Backups
  /** Writes what was ordered to the anchors. */
  anchorNow(): Promise<void>
  credentials: Credentials
  /** `null` in production. */
  simulate: Simulate | null
  /** `null` in production. */
  sandbox: SandboxParts | null
  orders: OrderRegistry
  deposits: ChainDepositBook
  chains: Chains
  rates: RateBook
  /** As the settings have them. */
  claims: Settings['claims']
  approvals: Settings['approvals']
  surroundings: Surroundings
  uploads: OwnUploads
  archiveFiles(): readonly ArchiveFile[]
  statements: BankRuns
  /** `null` where no server is set. */
  mail: MailSender | null
  /** Where the operator's own webhooks may go. */
  hookRules: TargetRules
  reports: ReportRuns
  patienceMs: number
  urls: { publicUrl: string; checkoutUrl: string }
  /** Where the console is reached, as far as the settings say it. */
  operatorUrl: string
}

export interface CoreOptions {
  clock: NodeClock
  /** The port the public listener has, where the settings leave it open. */
  publicPort?: number
  /** Those of a running node; a command that works on the database itself asks no chain. */
  chains?: Chains
  /** The store has failed for good: nothing more can be answered rightly. */
  onStoreFailure?: (error: Error) => void
  /** Kept beside a SQLite database, so that a full disk stops new orders only; none unless said otherwise. */
  ballastBytes?: number
  /** False: one commit for each step, so that a measurement can tell what group commit is worth. */
  groupCommit?: boolean
  /** SQLite's log is moved into the database when it has so many pages; 2000 unless said otherwise. */
  logPages?: number
  /** What went wrong with a network's file, beside what whoever sent it is told. */
  onReportError?: (error: unknown) => void
  /** How long an answer waits for a network's or a bank's file; two seconds unless said otherwise. */
  patienceMs?: number
  /** As in `SqliteStoreOptions`. */
  onCommit?: (isOfReference: boolean) => void
  /** Who moves it: a thread of its own unless said otherwise. */
  startCheckpointer?: CheckpointOptions['start']
}

/** @throws CommandError with the exit code of what is wrong. */
export async function openCore(settings: Settings, options: CoreOptions): Promise<Core> {
  const { database, keys } = settings
  const isOld = database.engine === 'postgres' || existsSync(database.file)
  const hadKey = existsSync(keys.file)
  try {
    return await open(settings, options)
  } catch (error) {
    // A key that was made just now opens nothing that was there before.
    const cause = error instanceof CommandError ? error.cause : null
    const isOthers = cause instanceof WrongMasterKey || cause instanceof DatabaseUnusable
    if (!isOld || hadKey || !isOthers) throw error
    rmSync(keys.file, { force: true })
    if (!(cause instanceof WrongMasterKey)) throw error
    const hint = 'Put that key back from its copy: it cannot be recreated.'
    const problem = `it is missing, and the database was made under master key ${cause.expected}.`
    throw new CommandError(exitCodes.key, `${keys.file}: ${problem}`, hint, { cause })
  }
}

async function open(settings: Settings, options: CoreOptions): Promise<Core> {
  const { chains = new Map() } = options
  const clock = clockOfMode(settings.mode, options.clock)
  if (settings.database.engine === 'sqlite') prepareDatabasePlace(settings.database.file)
  // The key first: nothing is made of a database that could not be read again.
  const key = readMasterKey(settings)
  const condition = createCondition()
  const store = await openDatabase(settings, condition, { ...options, clock })
  try {
    await refuseMoved(store)
    await followSandbox(store, clock)
    if (settings.database.engine === 'sqlite') tellOfPlace(condition, settings.database.file)
    const { vault, masterKey, secrets } = await openKeys(store, settings.keys.file, createVault(key))
    await signingKey(store, vault)
    const clockWatch = await createClockWatch({
      store,
      clock: sandboxClock(clock)?.machine ?? clock,
      condition,
    })
    const drainWatch = await createDrainWatch({ store, clock, condition })
    const restoreWatch = await createRestoreWatch({ store, clock, condition })
    const urls = publicUrls(settings.http, options.publicPort ?? settings.http.port)
    const orders = createOrderRegistry({
      store,
      clock,
      chains,
      answerTo,
      journalKey: secrets.journal,
      referenceKey: secrets.reference,
      checkoutUrl: urls.checkoutUrl,
      fundingWindowMs: settings.orders.fundingWindowSeconds * 1000,
      confirmGraceMs: settings.orders.confirmGraceSeconds * 1000,
      maxOutageMs: settings.chains.maxOutageSeconds * 1000,
      mayExpire: clockWatch.isTrusted,
      ...(settings.mode === 'sandbox' ? { writesBeside: simulationsOf } : {}),
    })
    const credentials = createCredentials(store, vault)
    const { journal: journalKey } = secrets
    const deposits = new ChainDepositBook({ store, ...orders.context })
    const verification = verifierOf(settings, journalKey)
    const uploads = createUploads(uploadLimits)
    const reports = createReportRuns({
      store,
      clock,
      orders,
      uploads,
      read: readInThread,
      onError: options.onReportError ?? (() => {}),
    })
    const statements = createBankRuns({
      store,
      uploads,
      readBankFile: readBankInThread,
      onError: options.onReportError ?? (() => {}),
    })
    return {
      store,
      clock,
      vault,
      masterKey,
      journalKey,
      condition,
      clockWatch,
      drainWatch,
      restoreWatch,
      verification,
      anchorNow: () => anchorOnce(settings, { store, clock, condition, journalKey, restoreWatch }),
      backups: createBackups(settings, { journalKey, condition, clock: worldClockOf(clock) }),
      credentials,
      orders,
      sandbox: sandboxOf(settings, { store, clock, credentials, journalKey, publicUrl: urls.publicUrl }),
      simulate: simulatingOf(settings, { store, clock, orders, book: deposits, chains, journalKey }),
      deposits,
      chains,
      rates: rateBookOf(settings),
      surroundings: surroundingsOf(settings),
      claims: settings.claims,
      approvals: settings.approvals,
      uploads,
      archiveFiles: () => listArchiveFiles(archiveFolderOf(settings)),
      statements,
      mail: mailSenderOf(settings),
      hookRules: targetRules(settings, {})(''),
      reports,
      patienceMs: options.patienceMs ?? 2_000,
      urls,
      operatorUrl: consoleUrl(settings.operator, settings.operator.port),
    }
  } catch (error) {
    await store.close()
    if (error instanceof WrongMasterKey) {
      const hint = 'Set keys.file to the key this database was made with.'
      throw new CommandError(exitCodes.key, `${settings.keys.file}: ${error.message}`, hint, { cause: error })
    }
    if (error instanceof StoreUnavailable || error instanceof OutcomeUnknown) {
      const hint = 'Check the disk, then start again.'
      const problem =
        error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message
      throw new CommandError(exitCodes.database, `The database: ${problem}.`, hint, { cause: error })
    }
    throw error
  }
}

/** Files of networks that somebody looks at. */
const uploadLimits = { maxBytes: maxReportBytes, maxFiles: 8, keepMs: 30 * 60_000 }

/** In production rates come from the public Internet, over https; a sandbox may ask whom it likes. */
function rateBookOf({ mode }: Settings): RateBook {
  const allowPrivate = mode === 'sandbox'
  const rules = { allowPrivate, ports: [443], exemptOrigins: [], ownAddresses: interfaceAddresses }
  return { table: createLiveTable(), rules }
}

function verifierOf(settings: Settings, journalKey: string): Verifier {
  const { database } = settings
  const file = database.engine === 'sqlite' ? database.file : null
  const anchorsFile = anchorsFileOfNode(settings)
  return createVerifier(file, { database: databaseUrl(database), journalKey, anchorsFile })
}

async function openDatabase(settings: Settings, condition: Condition, options: CoreOptions): Promise<Store> {
  const { database } = settings
  const { clock, onStoreFailure, ballastBytes = 0, groupCommit = true, logPages } = options
  const { startCheckpointer: start = createCheckpointer } = options
  try {
    return await openStore(databaseUrl(database), {
      clock,
      ballastBytes,
      groupCommit,
      checkpoints: { start, ...(logPages === undefined ? {} : { pages: logPages }) },
      onRoomChange: (reason) => {
        if (reason === null) condition.send({ type: 'recover', part: 'disk' })
        else condition.send({ type: 'degrade', part: 'disk', reason })
      },
      ...(onStoreFailure ? { onFailure: onStoreFailure } : {}),
      ...(options.onCommit ? { onCommit: options.onCommit } : {}),
    })
  } catch (error) {
    const isKnown =
      error instanceof DatabaseLocked || error instanceof DatabaseTooNew || error instanceof DatabaseUnusable
    if (!isKnown) throw error
    throw new CommandError(exitCodes.database, error.message, null, { cause: error })
  }
}

function tellOfPlace(condition: Condition, file: string): void {
  const reason = placeProblem(file)
  if (reason !== null) condition.send({ type: 'degrade', part: 'database', reason })
}

/** One of the two databases of a move is in use, never both: an order would exist twice. */
async function refuseMoved(store: Store): Promise<void> {
  const [moved] = await store.query(factByName, { name: movedTo })
  if (moved !== undefined) {
    const hint =
      'Set database to that one. If a start on it says that the move was cut off, run the same `ventanilla move` again.'
    throw new CommandError(exitCodes.database, `The database was moved to ${moved.value}.`, hint)
  }
  const [moving] = await store.query(factByName, { name: movingFrom })
  if (moving === undefined) return
  const { from }: Move = JSON.parse(moving.value)
  throw new CommandError(
    exitCodes.database,
    `This database is the target of a move from ${from} that was cut off: no node starts on it until the move has ended.`,
    `Set database to ${from} again, and run \`ventanilla move --to\` this one once more: it continues where it stopped.`,
  )
}

/** Where the clock of a sandbox was moved to. What was written by such a clock is of no use to production. */
async function followSandbox(store: Store, clock: NodeClock): Promise<void> {
  const kept = await readKeptClock(store)
  const own = sandboxClock(clock)
  if (own !== null) return followKept({ store, clock: own }, kept)
  if (kept.spans.length === 0) return
  const hint = 'Begin production with a database of its own.'
  const problem = 'The database is of a sandbox whose clock was moved ahead: its times are not the world’s.'
  throw new CommandError(exitCodes.database, problem, hint)
}

/** A change of the master key that was cut off behind its step is brought to its end. */
async function openKeys(store: Store, file: string, vault: Vault) {
  const masterKey = createMasterKeyPlace(file)
  try {
    return { vault: createChangingVault(vault), masterKey, secrets: await openNodeSecrets(store, vault) }
  } catch (error) {
    const prepared = error instanceof WrongMasterKey ? masterKey.readPrepared() : null
    const next = prepared && createVault(prepared)
    if (next === null || !(await isUnder(store, next))) throw error
    masterKey.promote(vault.fingerprint)
    return { vault: createChangingVault(next), masterKey, secrets: await openNodeSecrets(store, next) }
  }
}
