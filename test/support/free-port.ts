/** A port for a program that has to be told one before it listens. */
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** @returns one that was free just now, and that the system gives to nobody who leaves the choice to it */
export async function freePort(): Promise<number> {
  for (;;) {
    // Below those that Linux, other systems and tests beside this one take for connections and listeners.
    const port = randomInt(12_000, 32_000)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}
