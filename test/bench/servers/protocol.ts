/** What the bench and the servers it measures say to each other, and what both know. */
import type { Credential } from '../load.ts'

export type Question =
  | { ask: 'codes'; limit: number }
  | { ask: 'memory' }
  | { ask: 'processor' }
  /** Notes what memory is used from now on, until `peak` asks what that was at most. */
  | { ask: 'watch' }
  | { ask: 'peak' }
  | { ask: 'stop' }
  /** One verification, beside whatever else is asked; only the node can. */
  | { ask: 'verify' }

export type Reply =
  /** Since the process began, its own start and the loading of its modules included; and `startNode` alone. Only the node has an operator listener. */
  | { told: 'ready'; port: number; operatorPort?: number; readyMs: number; openMs: number }
  /** Ids where the server has them, in the same sequence. */
  | { told: 'codes'; codes: string[]; ids?: string[] }
  | { told: 'memory'; residentMb: number; heapMb: number; externalMb: number }
  /** What all its threads have used since it began. */
  | { told: 'processor'; milliseconds: number }
  /** Beyond what was used when the watch began; garbage that is not collected yet is in it. */
  | { told: 'peak'; kilobytes: number }
  | { told: 'verified'; ok: boolean; seconds: number }

export function memory(): Extract<Reply, { told: 'memory' }> {
  global.gc?.()
  const { rss, heapUsed, external } = process.memoryUsage()
  return { told: 'memory', residentMb: rss / 1e6, heapMb: heapUsed / 1e6, externalMb: external / 1e6 }
}

export function processor(): Extract<Reply, { told: 'processor' }> {
  const { user, system } = process.cpuUsage()
  return { told: 'processor', milliseconds: (user + system) / 1000 }
}

const usedBytes = () => {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** One watch at a time. @returns what ends it, and tells kilobytes */
export function watchMemory(): () => number {
  global.gc?.()
  const before = usedBytes()
  let most = before
  const note = () => {
    most = Math.max(most, usedBytes())
  }
  const timer = setInterval(note, 1)
  return () => {
    clearInterval(timer)
    note()
    return (most - before) / 1000
  }
}

export const merchant: Credential = {
  header: 'Merchant-Key',
  key: 'mk_bench',
  secret: 'the secret of the merchant in the bench',
}

export const provider: Credential = {
  header: 'Provider-Key',
  key: 'pk_bench',
  secret: 'the secret of the provider in the bench',
}

export const networkId = '0001'

export function reply(message: Reply): void {
  process.send?.(message)
}
