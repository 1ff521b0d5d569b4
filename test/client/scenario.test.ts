/**
 * One scenario, `client/scenario.json`, played by the client of each language against a node of its own: every
 * operation, lost answers, idempotency, errors, signatures and webhooks. A client is told what to do by lines of JSON, so
 * that what is expected is written once.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { merchantOperations, providerOperations } from '../../client/api.ts'
import { scenario, startPlay } from './scenario-play.ts'

const root = join(import.meta.dirname, '../..')

interface Language {
  name: string
  command: [program: string, ...args: string[]]
  /** What shows that the machine has it. */
  probe: [program: string, ...args: string[]]
}

const drivers = join(import.meta.dirname, 'drivers')
const languages: readonly Language[] = [
  {
    name: 'TypeScript',
    command: [process.execPath, join(drivers, 'driver.ts')],
    probe: [process.execPath, '--version'],
  },
  {
    name: 'Python',
    command: ['python3', join(drivers, 'driver.py')],
    probe: ['python3', '-c', 'import sys; assert sys.version_info >= (3, 11)'],
  },
  {
    name: 'PHP',
    command: ['php', join(drivers, 'driver.php')],
    probe: ['php', '-r', 'PHP_VERSION_ID >= 80200 || exit(1); require "GuzzleHttp/autoload.php";'],
  },
]

test('the scenario has every operation that there is', () => {
  const called = new Set(scenario.steps.map(({ call }) => call))
  const all = [...Object.keys(merchantOperations), ...Object.keys(providerOperations)]
  assert.equal(
    all.filter((operation) => !called.has(operation)),
    [],
  )
})

for (const { name, command, probe } of languages) {
  const [program, ...args] = probe
  const isHere = spawnSync(program, args).status === 0
  const title = `the scenario is played by the client for ${name}`
  if (!isHere && process.env.CI === undefined) {
    console.log(`skipped: ${title}. It needs ${name === 'PHP' ? 'PHP 8.2 with Guzzle' : 'Python 3.11'}.`)
    continue
  }
  test(title, async () => {
    const play = await startPlay(command)
    try {
      const problems: string[] = []
      for (const step of scenario.steps) {
        await play.step(step).catch((error) => problems.push(String(error)))
      }
      assert.equal(problems, [])
      await play.webhook(scenario.webhook)
      await play.standard(scenario.standard)
      await play.vectors(JSON.parse(readFileSync(join(root, scenario.vectors), 'utf8')))
    } finally {
      await play.end()
    }
  })
}

test.run()
