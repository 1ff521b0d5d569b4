/**
 * `npm run soak [-- NAME…]`: the long versions of the durability tests, one after the other, and their figures.
 *
 * `npm test` runs a short share of each. NAME is kill, webhook-kill, deposit-kill, many-orders, power-cut, faults, full-disk or
 * several-hosts.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** How much of each: kills, images, and every place a fault can be put. */
const tests = {
  kill: ['200'],
  'webhook-kill': ['50'],
  'deposit-kill': ['60'],
  'many-orders': ['1000'],
  'power-cut': ['400'],
  faults: ['all'],
  'full-disk': [],
  'several-hosts': ['300'],
}

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
    console.log(`== ${name} ${tests[name].join(' ')}`)
    const startedAt = performance.now()
    const ending = name === 'several-hosts' ? 'ts' : 'test.ts'
    const file = join(import.meta.dirname, `../test/durability/${name}.${ending}`)
    const { status } = spawnSync(process.execPath, ['--conditions=development', file, ...tests[name]], {
      stdio: 'inherit',
    })
    const minutes = (performance.now() - startedAt) / 60_000
    return { name, isPassed: status === 0, minutes }
  })

for (const { name, isPassed, minutes } of results) {
  console.log(`${isPassed ? 'ok  ' : 'FAIL'} ${name}, ${minutes.toFixed(1)} min`)
}
process.exitCode = results.every(({ isPassed }) => isPassed) ? 0 : 1
