/** Which places of which files have run, from V8's own counts. */
import { type Profiler, Session } from 'node:inspector'
import { ownFile } from './modules.ts'

/** By file: ranges that ran or did not, the inner ones behind those around them. */
export type Coverage = Record<string, [start: number, end: number, count: number][]>

const session = new Session()

export function beginCounting(): void {
  session.connect()
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
}

/** @param files what is asked about */
export function endCounting(files: readonly string[]): Coverage {
  const coverage: Coverage = {}
  session.post('Profiler.takePreciseCoverage', (error, { result }) => {
    if (error !== null) throw error
    for (const { url, functions } of result) {
      const file = ownFile(url)
      if (file === null || !files.includes(file)) continue
      coverage[file] = [...(coverage[file] ?? []), ...functions.flatMap(rangesOf)]
    }
  })
  session.post('Profiler.stopPreciseCoverage')
  session.disconnect()
  return coverage
}

function rangesOf({ ranges }: Profiler.FunctionCoverage): [number, number, number][] {
  return ranges.map(({ startOffset, endOffset, count }) => [startOffset, endOffset, count])
}

/** Whether something of a place has run, as far as the counts tell. */
export function hasRun(coverage: Coverage, file: string, start: number, end: number): boolean {
  const ranges = coverage[file]
  if (ranges === undefined) return false
  // The smallest range around the place says it; one inside of the place says it of a part.
  const around = ranges.filter(([first, last]) => first <= start && end <= last)
  const smallest = around.toSorted(([a, b], [c, d]) => b - a - (d - c))[0]
  const isInside = ([first, last, count]: [number, number, number]) =>
    first >= start && last <= end && count > 0
  return (smallest?.[2] ?? 0) > 0 || ranges.some(isInside)
}
