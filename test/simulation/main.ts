/**
 * `npm run simulate -- [--seed N] [--histories M] [--events E] [--seconds S] [--trace]`: plays histories from a seed on, for so
 * long at most, and prints what they held. One that goes wrong is made as short as it gets, and printed with the command that plays it again.
 */
import { parseArgs } from 'node:util'
import { playHistory } from './history.ts'
import { shrink } from './shrink.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    histories: { type: 'string', default: '100' },
    events: { type: 'string', default: '200' },
    /** Those that are played, as a shrunken history names them. */
    only: { type: 'string' },
    /** No history begins after so long. */
    seconds: { type: 'string', default: 'Infinity' },
    /** Ends at the first that goes wrong, as it is. */
    'stop-at-first': { type: 'boolean', default: false },
    trace: { type: 'boolean', default: false },
  },
})
const [first, histories, length] = [values.seed, values.histories, values.events].map(Number) as [
  number,
  number,
  number,
]
const only = values.only?.split(',').map(Number)
const isSingle = only !== undefined || values.trace
const maxPlays = 200

const startedAt = performance.now()
const sums = new Map<string, number>()
let failed = 0
const seconds = () => (performance.now() - startedAt) / 1000
let played = 0
/** Whoever is asked to stop ends the present history, and says what was played until then. */
let isAsked = false
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => {
    isAsked = true
  })
const isOver = () => isAsked || seconds() >= Number(values.seconds)
for (; played < (isSingle ? 1 : histories) && !isOver(); played++) {
  const seed = first + played
  const history = await playHistory({ seed, length, ...(only === undefined ? {} : { only }) })
  for (const [name, count] of Object.entries(history.counts)) sums.set(name, (sums.get(name) ?? 0) + count)
  if (isSingle) console.log(`${history.trace.join('\n')}\ndigest ${history.digest}`)
  if (history.problems.length === 0) continue
  failed += 1
  console.log(`seed ${seed}: ${history.problems.join('\n  ')}`)
  if (values['stop-at-first']) break
  if (isSingle) continue
  const shrunken = await shrink({ seed, length }, maxPlays)
  console.log(`  of ${history.counts.events} events these are enough; again, with its trace:`)
  console.log(`  npm run simulate -- --seed ${seed} --events ${length} --only ${shrunken.only.join(',')}`)
}
const figures = [...sums].map(([name, count]) => `${count} ${name}`).join(', ')
console.log(
  `${played} histories in ${seconds().toFixed(0)} s: ${figures}; ${failed} went wrong; the next seed is ${first + played}`,
)
process.exitCode = failed > 0 ? 1 : 0
