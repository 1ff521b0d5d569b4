/**
 * Ids, codes and keys that come out the same in every run, for pictures: what the node draws at random is drawn from
 * a sequence instead. It is for a process that only takes pictures, and never for a node that somebody uses.
 */
import crypto, { createHash } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { basename } from 'node:path'
import { getCallSites } from 'node:util'

/** Who draws, and for whom. */
function drawer(): string {
  const callers = getCallSites(5).slice(3)
  return callers.map(({ scriptName, lineNumber }) => `${basename(scriptName)}:${lineNumber}`).join(' ')
}

/**
 * Each line that draws has a sequence of its own for each line that calls it: what is drawn meanwhile, for a request or
 * a nonce, moves no id of an order.
 */
export function seedRandomness(): void {
  const counts = new Map<string, number>()
  const draw = (what: string, size: number): Buffer => {
    const kind = `${what} ${drawer()}`
    const count = counts.get(kind) ?? 0
    counts.set(kind, count + 1)
    return createHash('shake256', { outputLength: Math.max(size, 1) })
      .update(`${kind} ${count}`)
      .digest()
      .subarray(0, size)
  }
  Object.assign(crypto, {
    randomBytes: (size: number) => Buffer.from(draw(`bytes ${size}`, size)),
    randomInt: (below: number) => draw(`int ${below}`, 6).readUIntBE(0, 6) % below,
    randomUUID: () =>
      draw('uuid', 16)
        .toString('hex')
        .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5'),
  })
  // Those who imported them by name get these as well.
  syncBuiltinESMExports()
}
