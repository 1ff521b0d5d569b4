/** How many connections one address may have open: one stranger must not take them all. */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { addressKey, type ClientAddresses } from './client-address.ts'

/** Far more than the tills behind one address need, and few enough that it takes many addresses to hurt. */
const maxPerAddress = 500

/** Closes what an address opens beyond `max` at once. The connections of a trusted proxy are those of many. */
export function limitConnections(
  server: Server,
  addresses: Pick<ClientAddresses, 'isProxy'>,
  max = maxPerAddress,
): void {
  const open = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    if (addresses.isProxy(socket.remoteAddress)) return
    const key = addressKey(socket.remoteAddress ?? '')
    const count = open.get(key) ?? 0
    if (count >= max) return void socket.destroy()
    open.set(key, count + 1)
    socket.once('close', () => {
      const left = (open.get(key) ?? 1) - 1
      if (left > 0) open.set(key, left)
      else open.delete(key)
    })
  })
}
