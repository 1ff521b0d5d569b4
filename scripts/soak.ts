/**
 * `npm run soak [-- NAME…]`: the long versions of the durability tests, one after the other, and their figures.
 *
 * `npm test` runs a short share of most, `npm run test:durability` a larger one, `npm run test:deposits` and
 * `npm run test:hosts` that of the rest. NAME is kill, webhook-kill, chain-deposit-kill, many-orders, power-cut, faults,
 * command-kill, archive-kill, full-disk, ledger-export, hosts, fail-over, treasuries, settlement, settlement-kill, settlement-restore,
 * one-owner, openapi-fuzz, simulation, moved-clock, planted-bugs, mutation, hostile
 * or hostile-requests.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** How much of each: kills, deposits, images, every place a fault can be put, seconds, fail-overs, stories of each chain. */
const tests = {
  kill: ['kill.test.ts', '200'],
  'webhook-kill': ['webhook-kill.test.ts', '50'],
  'chain-deposit-kill': ['chain-deposit-kill.ts', '60'],
  'many-orders': ['many-orders.ts', '1000'],
  'power-cut': ['power-cut.test.ts', '400'],
  faults: ['faults.test.ts', 'all'],
  'command-kill': ['command-kill.test.ts', 'all'],
  'archive-kill': ['archive-kill.test.ts', '50', 'all'],
  'full-disk': ['full-disk.test.ts'],
  hosts: ['several-hosts.ts', '300'],
  'fail-over': ['fail-over.ts', '10'],
  'ledger-export': ['ledger-export.ts', '34000'],
  settlement: ['settlement.test.ts', '3000', '25'],
  'settlement-kill': ['settlement-kill.test.ts', '120', '60'],
  'settlement-restore': ['settlement-restore.test.ts', '200'],
  'one-owner': ['../persistence/one-owner.test.ts', 'all'],
  treasuries: ['treasury-stories.test.ts', '10000', 'all'],
  'openapi-fuzz': ['../http/api/openapi/fuzz.test.ts', '600'],
  simulation: ['../simulation/main.ts', '--histories', '10000'],
  'moved-clock': ['../simulation/thousand-orders.ts', '1'],
  'planted-bugs': ['../simulation/planted-bugs.ts', '2000'],
  mutation: ['../mutation/main.ts'],
  hostile: ['../hostile/main.ts', '1000000'],
  'hostile-requests': ['../http/api/hostile-requests.test.ts', '10000'],
} as const

type Name = keyof typeof tests

const known = Object.keys(tests) as Name[]
const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !known.some((one) => one === name))
if (unknown.length > 0) {
  console.error(`${unknown.join(', ')}: no such test. There are ${known.join(', ')}.`)
  process.exit(2)
}

const results = known
  .filter((name) => asked.length === 0 || asked.includes(name))
  .map((name) => {
    const [fileName, ...much] = tests[name]
    console.log(`== ${name} ${much.join(' ')}`)
    const startedAt = performance.now()
    const file = join(import.meta.dirname, '../test/durability', fileName)
    const { status } = spawnSync(process.execPath, ['--conditions=development', file, ...much], {
      stdio: 'inherit',
    })
    const minutes = (performance.now() - startedAt) / 60_000
    return { name, isPassed: status === 0, minutes }
  })

for (const { name, isPassed, minutes } of results) {
  console.log(`${isPassed ? 'ok  ' : 'FAIL'} ${name}, ${minutes.toFixed(1)} min`)
}
process.exitCode = results.every(({ isPassed }) => isPassed) ? 0 : 1
