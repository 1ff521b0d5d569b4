/**
 * A restore that nobody announced: the database is older than what was anchored of it, or is not the one that was, or its
 * anchors are gone. A provider may have paid since what is open in it. So its open orders are quarantined and the webhooks
 * paused, as `restore` does, and the node is degraded until an operator has accepted it.
 *
 * It is a fact of the database, so that it holds for every node over it and outlives a restart.
 */
import { formatInstant, type Instant } from '../../machines/time.ts'
import { factByName, recordFact } from '../../persistence/queries/node.ts'
import {
  endAllSessions,
  useUpRecoveryCodes,
  withdrawAllInvitations,
} from '../../persistence/queries/people.ts'
import { pauseAllWebhooks, quarantineOpenOrders } from '../../persistence/queries/quarantine.ts'
import type { Store } from '../../persistence/store.ts'
import type { Condition } from '../condition/condition.ts'
import type { PassResult } from '../foundation/worker.ts'

/** What was found, as JSON; `null` once it was accepted. */
const factName = 'unannounced_restore'
/** When the last one was found, accepted or not: anchors from before then tell of it, and of no other. */
const lastFactName = 'unannounced_restore_at'

export interface FoundRestore {
  /** When it was found. */
  at: Instant
  /** One sentence. */
  problem: string
  /** Where the anchors that told of it are kept; `null` where there were none. */
  anchors: string | null
}

export interface RestoreState {
  state: 'none' | 'unaccepted'
  since: string | null
  problem: string | null
  anchors: string | null
}

export interface RestoreWatch {
  /** Reads what another node, or a command, has said meanwhile. */
  look(): Promise<PassResult>
  show(): Promise<RestoreState>
  /** Whether anchors of this time were answered already by setting everything aside. */
  isKnown(anchoredAt: Instant): Promise<boolean>
  /**
   * Sets aside what is open. Killed in the middle it is begun anew by the next start, because it is recorded last; done
   * twice it changes nothing.
   */
  setAside(found: Omit<FoundRestore, 'at'>): Promise<void>
  accept(): Promise<void>
}

/** As long as it is there nothing is closed and no payment ordered: `settlement resume` takes it away (protocol 15.10). */
export const settlementStoppedFact = 'settlement_stopped'

/** Until when what was asked for is void: what came of it since the backup is not known (protocol 19.6). */
export const approvalsVoidFact = 'approvals.void_until'

/**
 * Quarantines all open orders and pauses all webhooks, stops settlement, and voids what waits for approval. Sessions, open invitations and recovery codes end:
 * which of them were signed out of, withdrawn or used up since is not known any more.
 * @returns how many orders and merchants were not set aside before
 */
export async function quarantine(store: Store, at: Instant): Promise<{ orders: number; merchants: number }> {
  const paused = await store.execute(pauseAllWebhooks, { at })
  const quarantined = await store.execute(quarantineOpenOrders, { at })
  await store.execute(recordFact, { name: settlementStoppedFact, value: String(at) })
  await store.execute(recordFact, { name: approvalsVoidFact, value: String(at) })
  await store.execute(endAllSessions, {})
  await store.execute(withdrawAllInvitations, {})
  await store.execute(useUpRecoveryCodes, { at })
  return { orders: quarantined.length, merchants: paused.length }
}

export async function createRestoreWatch(options: {
  store: Store
  clock: { now(): Instant }
  condition: Condition
}): Promise<RestoreWatch> {
  const { store, clock, condition } = options
  let present: FoundRestore | null = null

  const follow = (next: FoundRestore | null) => {
    const ended = present !== null && next === null
    present = next
    if (next !== null) condition.send({ type: 'degrade', part: 'anchors', reason: reasonOf(next) })
    else if (ended) condition.send({ type: 'recover', part: 'anchors' })
  }
  const read = async () => {
    const [fact] = await store.query(factByName, { name: factName })
    const known: FoundRestore | null = fact === undefined ? null : JSON.parse(fact.value)
    follow(known)
  }

  await read()
  return {
    async look() {
      await read()
      return { more: false }
    },
    async show() {
      await read()
      if (present === null) return { state: 'none', since: null, problem: null, anchors: null }
      const { at, problem, anchors } = present
      return { state: 'unaccepted', since: formatInstant(at), problem, anchors }
    },
    async isKnown(anchoredAt) {
      const [fact] = await store.query(factByName, { name: lastFactName })
      return fact !== undefined && anchoredAt < Number(fact.value)
    },
    async setAside({ problem, anchors }) {
      const found = { at: clock.now(), problem, anchors }
      // Told before it is written: a database that takes no writes has been put back all the same.
      condition.send({ type: 'degrade', part: 'anchors', reason: reasonOf(found) })
      await quarantine(store, found.at)
      await store.execute(recordFact, { name: factName, value: JSON.stringify(found) })
      await store.execute(recordFact, { name: lastFactName, value: String(found.at) })
      follow(found)
    },
    async accept() {
      await store.execute(recordFact, { name: factName, value: JSON.stringify(null) })
      follow(null)
    },
  }
}

/** Strangers read it in /readyz, so that it names no order and nobody. */
function reasonOf({ at, problem }: FoundRestore): string {
  return (
    `${problem} Since ${formatInstant(at)} its open orders are quarantined and all webhooks are paused, ` +
    'because the database was replaced without `restore`. Ask the providers what they have paid since (`ventanilla order report`), clear the rest ' +
    '(`order clear`, `webhook resume`), then `ventanilla node accept-restore`.'
  )
}
