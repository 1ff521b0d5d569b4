/**
 * Watches orders for those who look at them: one watcher, however many look. It reads when a commit hints that
 * something has changed, at most a few times a second, and now and then without a hint, because hints may get lost
 * and another node gives none.
 */
import { isOpen } from '../../machines/statuses.ts'
import type { Instant } from '../../machines/time.ts'
import { watchedAtOnce, watchedOrders } from '../../persistence/queries/checkout.ts'
import type { Store } from '../../persistence/store.ts'

export interface OrderVersion {
  /** Equal for two readers that saw the same. */
  version: string
  /** It will not change any more. */
  isFinal: boolean
}

export interface OrderWatch {
  /** As it is now; `null` for an order that there is not. */
  read(id: string): Promise<OrderVersion | null>
  /** Calls `listener` whenever the order is found in another version than `known`. Returns the way to stop. */
  watch(id: string, known: OrderVersion, listener: (version: OrderVersion) => void): () => void
  stop(): void
}

export interface OrderWatchOptions {
  store: Pick<Store, 'query' | 'subscribe'>
  /** Between two reads without a hint. */
  pollMs?: number
  /** Between a hint and the read, so that many hints are one read. */
  spacingMs?: number
  onError: (error: unknown) => void
}

interface ForeignState {
  received_minor: bigint | null
  seen_at: Instant | null
  transaction_minor: bigint | null
}

/** Of what a page shows; only time changes the rest. */
export function versionOf({ revision }: { revision: number }, foreign: ForeignState | null): string {
  const { received_minor = null, seen_at = null, transaction_minor = null } = foreign ?? {}
  return [revision, received_minor ?? '', seen_at === null ? '' : 'seen', transaction_minor ?? ''].join('.')
}

interface Watched {
  version: string
  listeners: Set<(version: OrderVersion) => void>
}

export function createOrderWatch(options: OrderWatchOptions): OrderWatch {
  const { store, pollMs = 2_000, spacingMs = 250, onError } = options
  const watched = new Map<string, Watched>()
  let reading: NodeJS.Timeout | null = null
  let isStopped = false
  const unsubscribe = store.subscribe('orders', hint)
  const poll = setInterval(hint, pollMs)
  poll.unref()

  function hint(): void {
    if (isStopped || reading !== null || watched.size === 0) return
    reading = setTimeout(look, spacingMs)
    reading.unref()
  }

  async function look(): Promise<void> {
    try {
      const ids = [...watched.keys()]
      for (let from = 0; from < ids.length; from += watchedAtOnce) {
        const found = await readSome(ids.slice(from, from + watchedAtOnce))
        for (const [id, version] of found) tell(id, version)
      }
    } catch (error) {
      // The next look may succeed; whoever looks at a page can ask for it anew, too.
      onError(error)
    } finally {
      reading = null
    }
  }

  async function readSome(ids: readonly string[]): Promise<[id: string, version: OrderVersion][]> {
    const names = Array.from({ length: watchedAtOnce }, (_, index) => [`id${index}`, ids[index] ?? ''])
    const rows = await store.query(watchedOrders, Object.fromEntries(names))
    return rows.map(({ id, status, revision, ...foreign }) => [
      id,
      { version: versionOf({ revision }, foreign), isFinal: !isOpen(status) },
    ])
  }

  function tell(id: string, version: OrderVersion): void {
    const order = watched.get(id)
    if (order === undefined || order.version === version.version) return
    order.version = version.version
    for (const listener of [...order.listeners]) listener(version)
  }

  return {
    async read(id) {
      return (await readSome([id]))[0]?.[1] ?? null
    },
    watch(id, known, listener) {
      const order = watched.get(id) ?? { version: known.version, listeners: new Set() }
      watched.set(id, order)
      order.listeners.add(listener)
      if (order.version !== known.version) {
        // One of both saw an older state, and only a look tells which one: all are told what it finds.
        order.version = ''
        hint()
      }
      return () => {
        order.listeners.delete(listener)
        if (order.listeners.size === 0 && watched.get(id) === order) watched.delete(id)
      }
    },
    stop() {
      isStopped = true
      unsubscribe()
      clearInterval(poll)
      if (reading !== null) clearTimeout(reading)
      watched.clear()
    },
  }
}
