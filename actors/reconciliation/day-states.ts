/** In which state the days of networks are: it follows from their reports and exceptions, and is stored nowhere. */
import { dayCounts, exceptionStates, missingCounts } from '../../persistence/queries/reconciliation-days.ts'
import type { Row, Store } from '../../persistence/store.ts'
import { addDays, type Day } from '../terms/days.ts'

/**
 * `open`: no report has come. `imported`: one has, and whether a later one tells of what is missing is not known yet.
 * `differences`: somebody has to look. `reconciled`: both sides agree, or somebody has said what became of each difference.
 */
export type DayState = 'open' | 'imported' | 'differences' | 'reconciled'

export interface Counts {
  differing: number
  open: number
  missing: number
  judged: number
}

export const noCounts: Counts = { differing: 0, open: 0, missing: 0, judged: 0 }

export function stateOf(file: Row<'report_files'> | undefined, { open, missing, judged }: Counts): DayState {
  if (file === undefined) return 'open'
  if (open > 0) return 'differences'
  return missing > judged || file.finished_at === null ? 'imported' : 'reconciled'
}

export async function countsBetween(
  store: Pick<Store, 'query'>,
  from: Day,
  to: Day,
): Promise<Map<string, Counts>> {
  const counts = new Map<string, Counts>()
  for (const { network_id, day, differing, open } of await store.query(dayCounts, { from, to })) {
    counts.set(`${network_id} ${day}`, { ...noCounts, differing: Number(differing), open: Number(open) })
  }
  for (const { network_id, day, missing, judged, open } of await store.query(missingCounts, { from, to })) {
    const key = `${network_id} ${day}`
    const before = counts.get(key) ?? noCounts
    const sum = { missing: Number(missing), judged: Number(judged), open: before.open + Number(open) }
    counts.set(key, { ...before, ...sum })
  }
  return counts
}

/** @param file the report that counts for the day */
export async function dayState(
  store: Pick<Store, 'query'>,
  networkId: string,
  day: Day,
  file: Row<'report_files'> | undefined,
): Promise<{ state: DayState; open: number; pending: number }> {
  const counts = (await countsBetween(store, day, day)).get(`${networkId} ${day}`) ?? noCounts
  return { state: stateOf(file, counts), open: counts.open, pending: counts.missing - counts.judged }
}

/** What a report has brought to light of other days is settled next. */
export async function nearbyOpen(
  store: Pick<Store, 'query'>,
  networkId: string,
  of: Day,
  away: number,
): Promise<{ day: Day; open: number }[]> {
  const counts = await countsBetween(store, addDays(of, -away), addDays(of, away))
  return [...counts].flatMap(([key, { open }]) => {
    const [network, day = ''] = key.split(/ (?=[^ ]*$)/)
    return network === networkId && day !== of && open > 0 ? [{ day, open }] : []
  })
}

/** Which exceptions of some wait for a person. */
export async function openAmong(store: Pick<Store, 'query'>, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const states = await store.query(exceptionStates, { ids: JSON.stringify([...new Set(ids)]) })
  return new Set(states.flatMap(({ id, state }) => (state === 'open' ? [id] : [])))
}
