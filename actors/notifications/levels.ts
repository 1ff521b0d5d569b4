/**
 * Conditions that last, looked at again and again: what is new of them and what is over is written into the outbox by
 * the step that has seen it, together with the row that remembers it. Nothing is looked at while there is no rule.
 */
import { dirname } from 'node:path'
import { formatInstant, type Instant } from '../../machines/time.ts'
import { allLevels, allRules, balancesBelow } from '../../persistence/queries/notifications.ts'
import { ratesInDoubt } from '../../persistence/queries/rates.ts'
import { type Decision, type Row, rows, type Store, type Write } from '../../persistence/store.ts'
import { type Alarm, findAlarms } from '../condition/alarms.ts'
import type { Backups } from '../condition/backups.ts'
import type { Condition } from '../condition/condition.ts'
import { type Clock, worldNow } from '../foundation/clock.ts'
import type { Surroundings } from '../foundation/surroundings.ts'
import type { PassResult } from '../foundation/worker.ts'
import { type Rule, readRule } from './channels.ts'
import type { Happened } from './events.ts'
import { amountOf, type Level } from './occurrences.ts'

export interface LevelsOptions {
  clock: Clock
  condition: Condition
  backups: Backups
  surroundings: Pick<Surroundings, 'disk' | 'backupPauseMs'>
  /** The database's; `null` where a server has it. */
  file: string | null
}

/** Below this a disk is full soon. */
const leastFreeBytes = 512 * 1024 * 1024
const bytesPerMebibyte = 1024 * 1024
/** That are told of; of balances, by each rule. */
const maxBalances = 200
const maxRates = 200

interface Found {
  levels: Level[]
  /** There are more: of those that are not found nobody knows whether they are over. */
  more: boolean
}

export function createLevelWatch(options: LevelsOptions): (store: Store) => Promise<PassResult> {
  return async (store) => {
    const rules = (await store.query(allRules, {})).map(readRule)
    const known = await store.query(allLevels, {})
    if (rules.length === 0 && known.length === 0) return { more: false }
    const { levels, more } = await findLevels(options, store, rules)
    const present = new Map(levels.map((level) => [level.id, level] as const))
    const begun = [...present.values()].filter(({ id }) => !known.some((row) => row.id === id))
    const over = more ? [] : known.filter(({ id }) => !present.has(id))
    if (begun.length + over.length > 0) await keep(store, begun, over)
    return { more: false }
  }
}

async function keep(store: Store, begun: readonly Level[], over: readonly Row<'notification_levels'>[]) {
  const keys = [...begun, ...over].map(({ id }) => ({ id }))
  const result = await store.step({
    rows: { levels: rows('notification_levels', keys) },
    decide: ({ levels }, at): Decision<null> => {
      const known = new Map(levels.flatMap((level) => (level === null ? [] : [[level.id, level] as const])))
      const writes = [
        ...begun.filter(({ id }) => !known.has(id)).flatMap((level) => begin(level, at)),
        ...over.filter(({ id }) => known.has(id)).flatMap((level) => end(level, at)),
      ]
      return { answer: null, writes, wake: ['notifications'] }
    },
  })
  if (result.outcome === 'violated') throw new Error(`A watch of conditions violated ${result.constraint}.`)
}

function begin(level: Level, at: Instant): Write[] {
  const { id, event } = level
  const facts_json = JSON.stringify(level)
  return [
    { insert: 'notification_levels', values: { id, event, since_at: at, facts_json } },
    {
      insert: 'notification_events',
      values: { source: 'level.on', subject: id, facts_json, happened_at: at },
    },
  ]
}

/** What is over is told with the facts of its beginning. */
function end({ id, facts_json }: Row<'notification_levels'>, at: Instant): Write[] {
  return [
    { delete: 'notification_levels', key: { id } },
    {
      insert: 'notification_events',
      values: { source: 'level.over', subject: id, facts_json, happened_at: at },
    },
  ]
}

async function findLevels(options: LevelsOptions, store: Store, rules: readonly Rule[]): Promise<Found> {
  const { clock, condition } = options
  const { alarms, more } = await findAlarms({ store, clock })
  const doubted = await store.query(ratesInDoubt, { limit: maxRates + 1 })
  const { reasons } = condition.getSnapshot().context
  const balances = await Promise.all(rules.map((rule) => lowBalances(store, rule)))
  const levels = [
    ...Object.keys(reasons).flatMap(ofPart),
    ...alarms.filter(({ kind }) => kind !== 'rate_in_doubt').map(ofAlarm),
    ...doubted.slice(0, maxRates).map(ofRate),
    ...(await ofBackups(options)),
    ...(await ofDisk(options)),
    ...balances.flatMap(({ levels }) => levels),
  ]
  return { levels, more: more || doubted.length > maxRates || balances.some((found) => found.more) }
}

function level(id: string, happened: Happened, about: { partyId?: string; rule?: string } = {}): Level {
  const { partyId = '', rule = null } = about
  return { id: id.slice(0, 300), ...happened, partyId, rule }
}

/** A node that was drained does what it was told to. */
const untold = new Set(['drain', 'backups'])

/** The parts of the condition; backups are looked at by themselves. */
function ofPart(part: string): Level[] {
  if (untold.has(part)) return []
  if (part === 'clock') return [level('clock.doubt', { event: 'clock.doubt', facts: {} })]
  if (part === 'disk') return [level('disk.low', { event: 'disk.low', facts: { freeMebibytes: null } })]
  if (part === 'rates') return [level('rate.doubt', { event: 'rate.doubt', facts: { rate: null } })]
  const chain = /^(?:chain|treasury|reading):(\w+)/.exec(part)?.[1]
  if (chain !== undefined) return [level(`chain.doubt ${chain}`, { event: 'chain.doubt', facts: { chain } })]
  // Behind a colon a part may name anything.
  const [named = part] = part.split(':')
  return [level(`node.degraded ${named}`, { event: 'node.degraded', facts: { part: named } })]
}

function ofAlarm(alarm: Alarm): Level {
  const { kind, order, provider, chain, count, exposure } = alarm
  switch (kind) {
    case 'exposure_high': {
      if (exposure === undefined || provider === null) break
      const { currency } = exposure
      return level(`exposure.high ${provider} ${currency}`, {
        event: 'exposure.high',
        facts: { provider, ...exposure },
      })
    }
    case 'chain_stalled':
    case 'chain_place_lost':
      return level(`chain.doubt ${chain}`, { event: 'chain.doubt', facts: { chain: chain ?? '' } })
  }
  const about = order ?? provider ?? chain
  return level(`alarm ${kind} ${about}`, { event: 'alarm', facts: { kind, about, count } })
}

function ofRate({ blockchain, send_currency, country, target_currency }: Row<'rates'>): Level {
  const rate = `${send_currency} ${country} ${target_currency} ${blockchain}`
  return level(`rate.doubt ${rate}`, { event: 'rate.doubt', facts: { rate } })
}

async function ofBackups({ backups, condition, clock, surroundings }: LevelsOptions): Promise<Level[]> {
  if (backups.isServers || backups.folder === null) return []
  const [newest] = await backups.list(1)
  const isOld = newest !== undefined && worldNow(clock) - newest.madeAt > 2 * surroundings.backupPauseMs
  if (!isOld && condition.getSnapshot().context.reasons.backups === undefined) return []
  const facts = { newest: newest === undefined ? null : formatInstant(newest.madeAt) }
  return [level('backup.missed', { event: 'backup.missed', facts })]
}

async function ofDisk({ file, surroundings }: LevelsOptions): Promise<Level[]> {
  if (file === null) return []
  const found = await surroundings.disk(dirname(file)).catch(() => null)
  if (found !== null && found.freeBytes >= leastFreeBytes) return []
  const freeMebibytes = found === null ? null : Math.floor(found.freeBytes / bytesPerMebibyte)
  return [level('disk.low', { event: 'disk.low', facts: { freeMebibytes } })]
}

async function lowBalances(store: Store, { name, events, partyId, below }: Rule): Promise<Found> {
  if (below === null || !events.includes('balance.low')) return { levels: [], more: false }
  const { currency, amount, minor } = below
  const limit = maxBalances + 1
  const found = await store.query(balancesBelow(partyId), { currency, belowMinor: BigInt(minor), limit })
  const levels = found.slice(0, maxBalances).map(({ id, name: merchant, balance_minor }) => {
    const facts = { merchant, currency, balance: amountOf(balance_minor, currency), below: amount }
    const topic = `balance.low ${name} ${id} ${currency}`
    return level(topic, { event: 'balance.low', facts }, { partyId: id, rule: name })
  })
  return { levels, more: found.length > maxBalances }
}
