/**
 * Snapshots of released chart versions, and the steps that bring an old one up to date when it is loaded.
 *
 * A snapshot is what XState persists, as JSON. `data/snapshots` keeps golden ones of every released version,
 * and a test that each still loads.
 */
import type { Chart, ChartName } from '../machines/index.ts'
import { chartVersion } from '../machines/index.ts'
import type { OrderContext } from '../machines/order.ts'

export interface PersistedSnapshot {
  status: 'active' | 'done'
  /** Absent in JSON; XState's type of a snapshot names them. */
  output: undefined
  error: undefined
  value: string | Record<string, unknown>
  context: OrderContext
  historyValue: Record<string, never>
  children: Record<string, never>
}

/** From version n to n + 1: the upcaster at index n - 1. Its input has the shape of its day. */
type Upcaster = (snapshot: Record<string, unknown>) => Record<string, unknown>

const upcasters: Record<ChartName, readonly Upcaster[]> = { payOutLocal: [], payIn: [] }

export class SnapshotError extends Error {
  override readonly name = 'SnapshotError'
}

/** Reads a stored snapshot of any released version as one of the present version. */
export function loadSnapshot(
  name: ChartName,
  chart: Chart,
  version: number,
  text: string,
): PersistedSnapshot {
  const present = chartVersion(chart)
  if (version > present) {
    throw new SnapshotError(`A snapshot of ${name} has version ${version}; this program knows ${present}.`)
  }
  let snapshot: Record<string, unknown> = JSON.parse(text)
  for (const upcast of upcasters[name].slice(version - 1, present - 1)) snapshot = upcast(snapshot)
  return snapshot as unknown as PersistedSnapshot
}
