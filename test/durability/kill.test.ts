/**
 * `kill -9` under load: what a node has acknowledged is there when it starts again, whenever it was killed.
 * `node test/durability/kill.test.ts KILLS` kills it more often, and as often its front alone.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { problemsAfter } from './kept.ts'
import { Load } from './load.ts'
import { startNodeProcess } from './node-process.ts'
import { seededRandom } from './random.ts'
import { isLargeShare } from './share.ts'

const kills = Number(process.argv[2] ?? (isLargeShare ? 5 : 3))
/** Then begin with an empty database again: the first start is killed, too. */
const killsPerDatabase = 20
const connections = 8
const leastAnswersPerLife = 20
const mostAnswersPerLife = kills > 5 ? 300 : 60

const folder = mkdtempSync(join(tmpdir(), 'kill-'))
test.after(() => rmSync(folder, { recursive: true, force: true }))
const random = seededRandom(kills)

/** What a node would find at its next start, apart from it, so that looking at it changes nothing. */
async function problemsNow(directory: string, load: Load): Promise<string[]> {
  const copy = join(folder, 'copy')
  mkdirSync(copy)
  for (const name of ['node.db', 'node.db-wal', 'node.db.key', 'node.db.anchors']) {
    if (existsSync(join(directory, name))) cpSync(join(directory, name), join(copy, name))
  }
  const problems = await problemsAfter(join(copy, 'node.db'), load.told)
  rmSync(copy, { recursive: true })
  return problems
}

/** One life of the node, from its start to its being killed. */
async function liveOnce(directory: string, load: Load, isEarly: boolean): Promise<void> {
  const node = startNodeProcess(directory)
  try {
    if (isEarly) {
      await Promise.race([node.listening, delay(random.below(1200))])
      return
    }
    const url = await node.listening
    assert.ok(url, 'it did not start')
    const running = load.run(node, url, connections)
    // Somewhere in the work on the next requests, on a machine of any speed.
    await Promise.race([
      running,
      load
        .heard(leastAnswersPerLife + random.below(mostAnswersPerLife - leastAnswersPerLife))
        .then(() => delay(random.below(8))),
    ])
    await node.kill()
    await running
  } finally {
    await node.kill()
  }
}

test(`killed ${kills} times under load, a node has lost nothing that it acknowledged`, async () => {
  const sums = { told: 0, orders: 0, unsure: 0, resumed: 0, early: 0 }
  let killed = 0
  for (let database = 0; killed < kills; database++) {
    const directory = join(folder, String(database))
    mkdirSync(directory)
    const load = new Load(random)
    for (let life = 0; life < killsPerDatabase && killed < kills; life++) {
      // So often that of the databases of a long run some are killed in their first start.
      const isEarly = killed % 7 === 2
      if (isEarly) sums.early++
      await liveOnce(directory, load, isEarly)
      killed++
      assert.equal(await problemsNow(directory, load), [], `after kill ${killed}`)
      if (killed % 20 === 0) console.log(`… ${killed} kills`)
    }
    sums.told += load.told.length
    for (const name of ['orders', 'unsure', 'resumed'] as const) sums[name] += load.statistics[name]
  }
  console.log(
    `${killed} kills (${sums.early} during a start), ${sums.orders} orders, ${sums.told} acknowledgements; ` +
      `${sums.unsure} requests unanswered, ${sums.resumed} asked again: nothing lost`,
  )
  assert.ok(sums.told >= (kills - sums.early) * leastAnswersPerLife, 'there was hardly any load')
})

/** Longer than a front lives that has died of its start: the next one is started at once. */
const leastLifeMs = 1_100

test(`while its front is killed ${kills} times, a node that is killed after that has lost nothing either`, async () => {
  const directory = join(folder, 'fronts')
  mkdirSync(directory)
  const load = new Load(random)
  const node = startNodeProcess(directory)
  try {
    const url = await node.listening
    assert.ok(url, 'it did not start')
    let isOver = false
    const running = load.runOver(
      () => [{ node, url }],
      connections,
      () => isOver,
    )
    for (let killed = 0; killed < kills; killed++) {
      await Promise.race([running, Promise.all([load.heard(leastAnswersPerLife), delay(leastLifeMs)])])
      await delay(random.below(20))
      assert.is(await node.ask({ kind: 'kill front' }), '1')
    }
    await Promise.race([running, load.heard(leastAnswersPerLife)])
    isOver = true
    await node.kill()
    await running
  } finally {
    await node.kill()
  }
  assert.equal(await problemsNow(directory, load), [])
  const { orders, unsure, resumed } = load.statistics
  console.log(
    `${kills} fronts killed, ${orders} orders, ${load.told.length} acknowledgements; ` +
      `${unsure} requests unanswered, ${resumed} asked again: nothing lost`,
  )
  assert.ok(unsure > 0, 'no front was killed in the middle of anything')
})

test.run()
