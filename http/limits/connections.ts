/** How many connections one address may have open: one stranger must not take them all. */
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
  /** For each address. */
  max?: number
}

/** Far more than the tills behind one address need, and few enough that it takes many addresses to hurt. */
const standardMax = 500

/** Closes what an address opens beyond `max` at once. The connections of a trusted proxy are those of many. */
export function limitConnections(server: Server, options: ConnectionLimitOptions): void {
  const { addresses, clock, onExcess, max = standardMax } = options
  const open = new Map<string, number>()
  const told = createWindows({ windowMs: 60_000, maxKeys: 100 })
  server.on('connection', (socket: Socket) => {
    if (addresses.isProxy(socket.remoteAddress)) return
    const key = addressKey(socket.remoteAddress ?? '')
    const count = open.get(key) ?? 0
    if (count >= max) {
      if (!told.count(key, 1, clock.now()).isOver) onExcess(key)
      socket.destroy()
      return
    }
    open.set(key, count + 1)
    socket.once('close', () => {
      const left = (open.get(key) ?? 1) - 1
      if (left > 0) open.set(key, left)
      else open.delete(key)
    })
  })
}
