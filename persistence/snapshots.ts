/**
 * Snapshots of released chart versions, and the steps that bring an old one up to date when it is loaded.
 *
 * A snapshot is what XState persists, as JSON. `data/snapshots` keeps golden ones of every released version,
 * and a test that each still loads.
 */
import type { Chart, StoredChartName } from '../machines/index.ts'
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
export type Upcaster = (snapshot: Record<string, unknown>) => Record<string, unknown>

const upcasters: Record<StoredChartName, readonly Upcaster[]> = {
  payOutLocal: [],
  payOutForeign: [],
  payIn: [],
  payment: [],
  claim: [],
  approval: [],
}

export class SnapshotError extends Error {
  override readonly name = 'SnapshotError'
}

/**
 * Reads a stored snapshot of any released version as one of the present version.
 *
 * @param steps one for each version before the present one, the oldest first.
 * @throws SnapshotError when the version is later than this program's, or has no way up to it.
 */
export function loadSnapshot(
  name: StoredChartName,
  chart: Chart,
  version: number,
  text: string,
  steps: readonly Upcaster[] = upcasters[name],
): PersistedSnapshot {
  const present = chartVersion(chart)
  if (version > present) {
    throw new SnapshotError(`A snapshot of ${name} has version ${version}; this program knows ${present}.`)
  }
  if (!(version >= 1) || steps.length !== present - 1) {
    throw new SnapshotError(`No upcasters lead from version ${version} of ${name} to ${present}.`)
  }
  let snapshot = parse(name, text)
  for (const upcast of steps.slice(version - 1)) snapshot = upcast(snapshot)
  return snapshot as unknown as PersistedSnapshot
}

function parse(name: StoredChartName, text: string): Record<string, unknown> {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new SnapshotError(`A snapshot of ${name} is no JSON.`, { cause: error })
  }
}
