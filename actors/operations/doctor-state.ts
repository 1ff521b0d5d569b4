/** What the doctor finds in what the node knows: chains, rates, webhooks, keys, backups, quarantined orders. */

import { formatInstant } from '../../machines/time.ts'
import { oldestDueWebhook } from '../../persistence/queries/metrics.ts'
import { webhookCounts } from '../../persistence/queries/operations.ts'
import { administratorsWithoutFactor } from '../../persistence/queries/people.ts'
import { liveCredentials, partiesOfKind } from '../../persistence/queries/provisioning.ts'
import { quarantinedOrders } from '../../persistence/queries/quarantine.ts'
import { replication } from '../../persistence/queries/replication.ts'
import { unreadLine, unreadTreasuries } from '../chains/named-treasuries.ts'
import { chainLag } from '../chains/operations.ts'
import { worldNow } from '../foundation/clock.ts'
import { rateList } from '../rates/operations.ts'
import { settlementToday } from '../settlement/today.ts'
import type { NodeContext } from './context.ts'
import { type DoctorCheck, fine, someOf, wrong } from './doctor-check.ts'

const weekMs = 7 * 86_400_000

/** Final blocks are seconds old on each of the chains. */
const maxLagSeconds = 300

/** The sender looks every second. */
const maxOverdueMs = 600_000

/** What the workers found when they asked last: the endpoints are not asked once more for each look at a page. */
export async function checkChains(context: NodeContext): Promise<DoctorCheck> {
  if (context.chains.size === 0) return fine('chains', 'none is read: each is off, or no node runs')
  const { chains } = await chainLag.run(context, {})
  const on = chains.filter(({ chain }) => [...context.chains.keys()].some((name) => name === chain))
  const told = on.map(({ chain, lagSeconds }) => {
    return `${chain} is ${lagSeconds === null ? 'not read yet' : `${lagSeconds} s behind`}`
  })
  const bad = on.flatMap(({ chain, problem, lagSeconds }) => {
    if (problem !== null) return [`${chain}: ${problem}`]
    return lagSeconds !== null && lagSeconds > maxLagSeconds ? [`${chain} is ${lagSeconds} s behind`] : []
  })
  if (bad.length === 0) return fine('chains', told.join(', '))
  const action = '`ventanilla chain check` asks each endpoint, and compares its network with the settings.'
  return wrong('chains', bad.join(' '), action)
}

/** Also where no node runs: one that open orders forbid to start is told why. */
export async function checkTreasuries({ store, surroundings }: NodeContext): Promise<DoctorCheck> {
  const unread = await unreadTreasuries(store, surroundings.treasuries)
  if (unread.length === 0) return fine('treasuries', 'every one that open orders name is in the settings')
  return wrong(
    'treasuries',
    unread.map(unreadLine).join(' '),
    'Until then no node starts with these settings, so that nothing is paid that nobody reads.',
  )
}

/** A standby that lags is promoted without what the primary has acknowledged last. */
export async function checkReplication({ store }: NodeContext): Promise<DoctorCheck> {
  const [{ standbys, synchronous } = { standbys: 0, synchronous: '' }] = await store.query(replication, {})
  if (synchronous !== '') return fine('replication', 'a standby has what is acknowledged')
  if (standbys === 0) return fine('replication', 'the database has no standby: backups are its only copies')
  return wrong(
    'replication',
    'standbys follow the database, and none need have what is acknowledged: a fail-over may lose the last payments',
    'Set synchronous_mode and synchronous_mode_strict in Patroni, or synchronous_standby_names in PostgreSQL.',
  )
}

export async function checkRates(context: NodeContext): Promise<DoctorCheck> {
  const { rates } = await rateList.run(context, {})
  const bad = rates.filter(({ acceptable }) => !acceptable)
  if (bad.length === 0)
    return fine('rates', rates.length === 0 ? 'none is set up' : `${rates.length} can be used`)
  const named = bad.map(({ blockchain, send, target, country, problem }) => {
    return `${blockchain} ${send} to ${target} in ${country}: ${problem}`
  })
  const action = 'See `ventanilla rate show` for what each source told; quotes are refused meanwhile.'
  return wrong('rates', someOf(named), action)
}

export async function checkWebhooks({ store, clock }: NodeContext): Promise<DoctorCheck> {
  const counts = new Map((await store.query(webhookCounts, {})).map(({ state, count }) => [state, count]))
  const merchants = await store.query(partiesOfKind, { kind: 'merchant' })
  const [oldest] = await store.query(oldestDueWebhook, {})
  const dead = counts.get('dead') ?? 0
  const paused = merchants.flatMap(({ name, webhooks_paused_at: at }) => (at === null ? [] : [name]))
  const overdueMs = oldest === undefined ? 0 : Math.max(0, clock.now() - oldest.due_at)
  const told = [`${counts.get('pending') ?? 0} wait to be delivered`, `${dead} are dead letters`]
  if (paused.length > 0) told.push(`paused are those of ${someOf(paused)}`)
  if (overdueMs > 0) told.push(`the oldest is due for ${Math.round(overdueMs / 1000)} s`)
  const actions: string[] = []
  if (dead > 0) actions.push('See `ventanilla webhook list --state dead`, and tell the merchants.')
  if (paused.length > 0) actions.push('Resume them: `ventanilla webhook resume MERCHANT`.')
  else if (overdueMs > maxOverdueMs)
    actions.push('Look for a stopped node, or a receiver that answers nothing: `ventanilla webhook list`.')
  const detail = told.join(', ')
  return actions.length === 0 ? fine('webhooks', detail) : wrong('webhooks', detail, actions.join(' '))
}

/** Two keys are for a change from one to the other, and one that nobody uses is one that may be lost unseen. */
export async function checkKeys({ store, clock }: NodeContext): Promise<DoctorCheck> {
  const live = await store.query(liveCredentials, {})
  const old = live.filter(({ created_at: at }) => at < clock.now() - weekMs)
  const named = new Map(old.map(({ party_id: id, name }) => [id, name]))
  const doubled = [...named].filter(([id]) => old.filter((it) => it.party_id === id).length > 1)
  const unused = old.filter(({ first_used_at: at }) => at === null)
  const told: string[] = []
  if (doubled.length > 0)
    told.push(`two keys for more than a week have ${someOf(doubled.map(([, name]) => name))}`)
  if (unused.length > 0)
    told.push(`never used were ${someOf(unused.map(({ key, name }) => `${key} of ${name}`))}`)
  const action =
    'Ask the party, then `ventanilla key revoke KEY`; `ventanilla key list PARTY` tells the last use.'
  return told.length === 0
    ? fine('keys', `${live.length} are live, none of them left over`)
    : wrong('keys', told.join('; '), action)
}

export async function checkBackups(context: NodeContext): Promise<DoctorCheck> {
  const { backups, surroundings, condition, clock } = context
  const now = 'Look at the log and the disk, then `ventanilla backup` makes one.'
  if (backups.isServers) return fine('backups', "the database's server has tools of its own")
  if (backups.folder === null) {
    if (surroundings.mode === 'sandbox') return fine('backups', 'none are made of this sandbox')
    const action =
      'Set backups.folder, best on another disk, or have `ventanilla backup FOLDER` run each night.'
    return wrong('backups', 'the settings name no place, so none are made', action)
  }
  const failure = condition.getSnapshot().context.reasons.backups
  if (failure !== undefined) return wrong('backups', failure, now)
  const [newest] = await backups.list(1)
  if (newest === undefined) {
    if (backups.progress() !== null) return fine('backups', 'the first is being made')
    return wrong('backups', `none is in ${backups.folder}`, '`ventanilla backup` makes one now.')
  }
  const detail = `the newest is of ${formatInstant(newest.madeAt)}`
  const isOld = worldNow(clock) - newest.madeAt > 2 * surroundings.backupPauseMs
  return isOld ? wrong('backups', `${detail}, older than two by schedule`, now) : fine('backups', detail)
}

/** A week is between two of the node's own, which wait for the backup of the night. */
const oldestDrillMs = 10 * 86_400_000
const mostListed = 10

/** A backup that nobody has restored is a hope. */
export async function checkDrill({ backups, surroundings, clock }: NodeContext): Promise<DoctorCheck> {
  if (backups.isServers || backups.folder === null) return fine('drill', 'there are no backups to try')
  const last = backups.lastDrill()
  const now = '`ventanilla backup drill` tries the newest now.'
  if (last === null) {
    const oldest = (await backups.list(mostListed)).at(-1)
    // The node tries the backup of each week's first night by itself.
    const isLate = oldest !== undefined && worldNow(clock) - oldest.madeAt > 2 * surroundings.backupPauseMs
    return isLate
      ? wrong('drill', 'no backup was ever restored to try it', now)
      : fine('drill', 'none was tried yet: the node does so after its next backup')
  }
  const { at, backup, isOpened, problem, seconds } = last
  if (problem !== null) {
    const action =
      'Make another backup, try that one, and keep those from before this one until it is restored.'
    return wrong('drill', `${backup} could not be restored: ${problem}`, action)
  }
  const detail = isOpened
    ? `${backup} was restored and verified in ${seconds} s`
    : `${backup} is whole; encrypted, it was not opened: \`ventanilla backup drill --identity FILE\` does`
  return worldNow(clock) - Date.parse(at) > oldestDrillMs
    ? wrong('drill', `${detail}, and none was tried since ${at}`, now)
    : fine('drill', detail)
}

export async function checkFactors({ store, surroundings, operatorUrl }: NodeContext): Promise<DoctorCheck> {
  const { protocol, hostname } = new URL(operatorUrl)
  if (surroundings.mode === 'production' && protocol === 'http:' && hostname !== 'localhost') {
    const action =
      'Set operator.publicUrl to an https address; browsers have no passkeys for others but localhost.'
    return wrong('factors', `the console is reached at ${operatorUrl}, where no passkey works`, action)
  }
  const without = await store.query(administratorsWithoutFactor, {})
  if (without.length === 0) return fine('factors', 'no administrator signs in with a password alone')
  const detail = `${someOf(without.map(({ name }) => name))} signs in with a password alone`
  if (surroundings.mode === 'sandbox')
    return fine('factors', `${detail}; production asks for a second factor`)
  const action =
    'The console leads them to add a passkey or an authenticator at their next sign-in; see `ventanilla operator list`.'
  return wrong('factors', detail, action)
}

const mostQuarantined = 100

export async function checkQuarantined({ store }: NodeContext): Promise<DoctorCheck> {
  const quarantined = await store.query(quarantinedOrders, { after: '', limit: mostQuarantined + 1 })
  if (quarantined.length === 0) return fine('quarantined', 'no order is quarantined since a restoration')
  const count =
    quarantined.length > mostQuarantined ? `more than ${mostQuarantined}` : String(quarantined.length)
  const action =
    'Have the providers’ reports, then `ventanilla order quarantined` and `ventanilla order clear`.'
  return wrong('quarantined', `${count} orders are quarantined: no payment of them is started`, action)
}

export async function checkSettlement(context: NodeContext): Promise<DoctorCheck> {
  const { stoppedSince, open } = await settlementToday.run(context, {})
  if (stoppedSince !== null) {
    const action = 'Book what the banks report since the backup, then `ventanilla settlement resume`.'
    return wrong(
      'settlement',
      `nothing is closed and nothing paid since a restoration (${stoppedSince})`,
      action,
    )
  }
  const overdue = open.filter(({ since }) => since === 'overdue')
  if (overdue.length === 0) return fine('settlement', 'nothing is overdue')
  const told = overdue.map(
    ({ amount, currency, side, first }) => `${amount} ${currency} to ${side} since ${first ?? 'long ago'}`,
  )
  return wrong('settlement', told.join(', '), 'See `ventanilla payment due`.')
}
