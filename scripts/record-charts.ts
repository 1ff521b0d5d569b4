/**
 * `npm run charts [-- --release]`: records the charts in `data/charts.json` and `data/snapshots`.
 *
 * While a version is not released its record follows the chart. `--release` closes the present versions: from
 * then on a change needs a new version and an upcaster, and this refuses to record anything else.
 */
import { storedCharts } from '../machines/index.ts'
import { readRecord, updateRecord, writeRecord } from './chart-record.ts'

const [option, ...rest] = process.argv.slice(2)
const before = readRecord()
const updated = updateRecord(before, storedCharts, option === '--release')
if (rest.length > 0 || (option !== undefined && option !== '--release')) {
  console.error('Usage: npm run charts [-- --release]')
  process.exitCode = 2
} else if ('problems' in updated) {
  for (const problem of updated.problems) console.error(problem)
  process.exitCode = 1
} else {
  writeRecord(before, updated.record)
  for (const [name, versions] of Object.entries(updated.record)) {
    const { version, isReleased } = versions?.at(-1) ?? {}
    console.log(`${name}: version ${version}, ${isReleased ? 'released' : 'not released yet'}`)
  }
}
