/** What the settings and the host say of a node, for the doctor to look at. */
import type { Blockchain } from '../../machines/blockchains.ts'

export interface Surroundings {
  readonly mode: 'sandbox' | 'production'
  /** As in the settings; `null` where it follows from host and port. */
  readonly publicUrl: string | null
  readonly publicHost: string
  readonly operatorHost: string
  readonly trustedProxies: readonly string[]
  /** The endpoints of the chains that are on. Paths and queries may hold access keys: only hosts are shown. */
  readonly endpoints: readonly string[]
  /** Of the chains that are on; `null` is off. */
  readonly treasuries: Readonly<
    Record<Blockchain, { readonly treasury: string; readonly formerTreasuries: readonly string[] } | null>
  >
  /** The longest time between two scheduled backups. */
  readonly backupPauseMs: number
  /** Nobody but the node's user may read them; those that are missing are left out by whoever looks. */
  privateFiles(): Promise<readonly string[]>
  /** Of this machine's interfaces. */
  addresses(): readonly string[]
  /** The addresses of a host. Rejects when it has none, or nobody answers in time. */
  resolve(host: string): Promise<readonly string[]>
  /** Rejects when nothing can be written there. */
  disk(folder: string): Promise<{ freeBytes: number; syncMs: number }>
}
