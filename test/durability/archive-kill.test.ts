/**
 * `kill -9` while orders are being archived: at each moment every one of them is in the database or in its file, whole,
 * and all that has to hold holds. `node test/durability/archive-kill.test.ts KILLS` kills more often.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { archiveOf, dayMs } from '../support/archive.ts'
import { hourMs, orderWorlds } from '../support/order-world.ts'
import { seededRandom } from './random.ts'

const kills = Number(process.argv[2] ?? 5)
const orderCount = 8 * kills
const random = seededRandom(kills)
const inWorld = orderWorlds(test)

/** @returns its exit code, `null` when it was killed. */
async function live(args: readonly string[], killAfterMs: number | null): Promise<unknown> {
  const { NODE_V8_COVERAGE: _, ...env } = process.env
  const life = fork(join(import.meta.dirname, 'archive-node.ts'), [...args], {
    env,
    execArgv: ['--conditions=development'],
  })
  const gone = once(life, 'exit')
  await Promise.race([once(life, 'message'), gone])
  if (killAfterMs !== null) {
    await delay(killAfterMs)
    life.kill('SIGKILL')
  }
  const [code] = await gone
  return code
}

test('whatever moment an archiving is killed at, each order is whole in one of the two places', async () => {
  await inWorld(async (world) => {
    const archive = archiveOf(world)
    await world.deposit(BigInt(orderCount) * 100_000n)
    const ended: string[] = []
    for (let count = 0; count < orderCount; count++) {
      const { id } = await world.order()
      await world.start(id, 'A')
      await world.confirm(id, 'A')
      ended.push(id)
    }
    await world.deposit(100_000n)
    await world.order({ expiryAt: world.clock.now() + 400 * 24 * hourMs })
    await archive.deliver()
    await world.store.close()
    const args = [world.url, archive.folder, String(world.clock.now() + 31 * dayMs)]

    let cut = 0
    for (let kill = 0; kill < kills; kill++) {
      // A pass of twenty takes some tenths of a second, on a busy machine more.
      if ((await live(args, random.below(120))) === null) cut += 1
      assert.equal(await archive.problems(), [], `after kill ${kill}`)
      const { ok, problems } = await archive.check()
      assert.ok(ok, problems.join('; '))
    }
    assert.ok(cut > 0, 'nothing was ever killed')
    assert.is(await live(args, null), 0)
    assert.equal(await archive.problems(), [])
    const { orders, spare, ok } = await archive.check()
    assert.equal([ok, orders], [true, ended.length])
    assert.ok(spare <= cut, `${spare} lines too many of ${cut} kills`)
    for (const id of ended.slice(0, 5))
      assert.equal((await archive.show(id))?.consumer?.email, 'ana@example.com')
    archive.close()
  })
})

test.run()
