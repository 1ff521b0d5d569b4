/** One address for a service that moves from host to host, as a load balancer has it: a TCP forwarder. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export interface MovingAddress {
  port: number
  /** Sends whoever connects from now on to a socket's path, or nowhere, and cuts who was connected before. */
  moveTo(path: string | null): void
  close(): Promise<void>
}

export async function startMovingAddress(path: string): Promise<MovingAddress> {
  let target: string | null = path
  const open = new Set<Socket>()
  const server = createServer((caller) => {
    if (target === null) return caller.resetAndDestroy()
    const callee = connect(target)
    for (const [one, other] of [
      [caller, callee],
      [callee, caller],
    ] as const) {
      open.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('it does not listen')
  const cut = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    port: address.port,
    moveTo(next) {
      target = next
      cut()
    },
    async close() {
      server.close()
      cut()
      await once(server, 'close')
    },
  }
}
