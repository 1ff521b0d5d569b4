/** How many connections may be open, of one address and in all: one stranger must not take them all. */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Instant } from '../../machines/time.ts'
import { addressKey, type ClientAddresses } from './client-address.ts'
import { createWindows } from './windows.ts'

export interface ConnectionLimitOptions {
  addresses: Pick<ClientAddresses, 'isProxy'>
  clock: { now(): Instant }
  /** Told once a minute of an address that opens too many: it may be a proxy that nobody has named. */
  onExcess: (address: string) => void
  /** Told once a minute that there are too many in all. */
  onFull?: () => void
  /** Whether nothing was asked on it so far. */
  isUnused: (socket: Socket) => boolean
  maxPerAddress?: number
  maxInAll?: number
}

/** Far more than the tills behind one address need, and few enough that it takes many addresses to hurt. */
const standardPerAddress = 500
/** Twice as many as there may be pages with a stream, and a sixth of what the service may have open. */
const standardInAll = 10_000

/**
 * Beyond either number the oldest connection on which nothing was asked gives way; where there is none, the new one is
 * closed. The connections of a trusted proxy are those of many, and count only in all.
 */
export function limitConnections(server: Server, options: ConnectionLimitOptions): void {
  const { addresses, clock, onExcess, onFull = () => {}, isUnused } = options
  const { maxPerAddress = standardPerAddress, maxInAll = standardInAll } = options
  const all = new Set<Socket>()
  const ofAddress = new Map<string, Set<Socket>>()
  const told = createWindows({ windowMs: 60_000, maxKeys: 100 })

  const isFirst = (key: string) => !told.count(key, 1, clock.now()).isOver

  /** @returns false where none can give way. */
  function makeRoom(open: Set<Socket>, max: number): boolean {
    if (open.size < max) return true
    for (const socket of open) {
      if (!isUnused(socket)) continue
      forget(socket)
      socket.destroy()
      return true
    }
    return false
  }

  function forget(socket: Socket): void {
    all.delete(socket)
    const key = keys.get(socket)
    const open = key === undefined ? undefined : ofAddress.get(key)
    open?.delete(socket)
    if (open?.size === 0 && key !== undefined) ofAddress.delete(key)
  }

  const keys = new WeakMap<Socket, string>()
  server.on('connection', (socket: Socket) => {
    const isProxy = addresses.isProxy(socket.remoteAddress)
    const key = addressKey(socket.remoteAddress ?? '')
    const own = isProxy ? null : (ofAddress.get(key) ?? new Set())
    const isOneTooMany = own !== null && own.size >= maxPerAddress
    if (isOneTooMany && isFirst(key)) onExcess(key)
    if (all.size >= maxInAll && isFirst('all')) onFull()
    if ((own !== null && !makeRoom(own, maxPerAddress)) || !makeRoom(all, maxInAll)) {
      socket.destroy()
      return
    }
    all.add(socket)
    if (own !== null) {
      own.add(socket)
      // It may have been emptied, and forgotten, to make room.
      ofAddress.set(key, own)
      keys.set(socket, key)
    }
    socket.once('close', () => forget(socket))
  })
}
