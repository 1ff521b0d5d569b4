/**
 * `kill -9` while orders are being archived: at each moment every one of them is in the database or in its file, whole,
 * and all that has to hold holds. `node test/durability/archive-kill.test.ts KILLS all` kills more often, and before every
 * write and every sync.
 */
import { fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { archiveOf, dayMs } from '../support/archive.ts'
import { hourMs, type OrderWorld, orderWorlds } from '../support/order-world.ts'
import { seededRandom } from './random.ts'
import { isLargeShare } from './share.ts'
import { buildShim, readReport, watching } from './write-log.ts'

const kills = Number(process.argv[2] ?? (isLargeShare ? 5 : 2))
const isLong = process.argv[3] === 'all'
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

async function endedOrders(world: OrderWorld, count: number): Promise<string[]> {
  await world.deposit(BigInt(count) * 100_000n)
  const ended: string[] = []
  while (ended.length < count) {
    const { id } = await world.order()
    await world.start(id, 'A')
    await world.confirm(id, 'A')
    ended.push(id)
  }
  // The newest entry of the journal stays.
  await world.deposit(100_000n)
  await world.order({ expiryAt: world.clock.now() + 400 * 24 * hourMs })
  return ended
}

test('whatever moment an archiving is killed at, each order is whole in one of the two places', async () => {
  await inWorld(async (world) => {
    const archive = archiveOf(world)
    const ended = await endedOrders(world, orderCount)
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

/** All of them, or one in the middle and the last, or one of these. */
function places(operation: string, count: number): number[] {
  if (isLong) return Array.from({ length: count }, (_, index) => index + 1)
  if (isLargeShare) return [Math.ceil(count / 2), count]
  return operation === 'write' ? [Math.ceil(count / 2)] : [count]
}

const library = buildShim(test)
if (library !== null) {
  test('an archiving may be killed before any of its writes and syncs', async () => {
    const root = mkdtempSync(join(tmpdir(), 'archive-kill-'))
    test.after(() => rmSync(root, { recursive: true, force: true }))
    const [template, place, control] = [join(root, 'template'), join(root, 'run'), join(root, 'control')]
    await inWorld(async (world) => {
      await endedOrders(world, 2)
      const url = `sqlite:${join(place, 'node.db')}`
      const archive = archiveOf({ ...world, url }, place)
      await archiveOf(world, template).deliver()
      await world.store.close()
      copyFileSync(world.url.replace('sqlite:', ''), template)
      const at = String(world.clock.now() + 31 * dayMs)

      const play = (operation: string, before: number) => {
        writeFileSync(control, '')
        const node = join(import.meta.dirname, 'archive-node.ts')
        const args = ['--conditions=development', node, url, archive.folder, at, operation, String(before)]
        return spawnSync(process.execPath, args, {
          env: watching({ library, root: place, control }),
          encoding: 'utf8',
        })
      }
      const playAnew = (operation: string, before: number) => {
        rmSync(place, { recursive: true, force: true })
        mkdirSync(place, { mode: 0o700 })
        copyFileSync(template, join(place, 'node.db'))
        return play(operation, before)
      }

      const whole = playAnew('write', 0)
      assert.is(whole.status, 0, whole.stderr)
      const { writes, syncs } = readReport(control)
      assert.is((await archive.check()).orders, 2)
      for (const [operation, count] of [
        ['write', writes],
        ['sync', syncs],
      ] as const) {
        for (const before of places(operation, count)) {
          const what = `before ${operation} ${before} of ${count}`
          assert.is(playAnew(operation, before).signal, 'SIGKILL', what)
          assert.equal(await archive.problems(), [], what)
          const cut = await archive.check()
          assert.ok(cut.ok, `${what}: ${cut.problems.join('; ')}`)
          assert.is(play('write', 0).status, 0, what)
          assert.equal(await archive.problems(), [], what)
          const { ok, orders } = await archive.check()
          assert.equal([what, ok, orders], [what, true, 2])
        }
      }
      console.log(`archiving: ${writes} writes, ${syncs} syncs`)
    })
  })
}

test.run()
