/**
 * `kill -9` while a claim is opened, answered, shown a file, decided and erased: money in one place, decided once, and no evidence left.
 * `node test/durability/claim-kill.test.ts KILLS` plays more.
 */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openStore } from '../../persistence/index.ts'
import { agreed, paidIn } from '../actors/claims/claimed.ts'
import { fakeClock } from '../support/clock.ts'
import { allRows } from '../support/database.ts'
import { orderWorlds } from '../support/order-world.ts'
import { type ClaimHeard, playClaim } from './claim-story.ts'
import { problemsOfSettlement } from './settled.ts'
import { isLargeShare } from './share.ts'
import { buildShim, readReport, watching } from './write-log.ts'

const kills = Number(process.argv[2] ?? (isLargeShare ? 24 : 6))

const folder = mkdtempSync(join(tmpdir(), 'claim-kill-'))
test.after(() => rmSync(folder, { recursive: true, force: true }))
const root = join(folder, 'root')
const file = join(root, 'data/node.db')
const control = join(folder, 'control')
const template = join(folder, 'template.db')
const inWorld = orderWorlds(test)

interface Life extends SpawnSyncReturns<string> {
  heard: ClaimHeard[]
}

function live(library: string, operation: string, place: number): Life {
  rmSync(root, { recursive: true, force: true })
  mkdirSync(root)
  writeFileSync(control, '')
  const node = join(import.meta.dirname, 'settlement-node.ts')
  const args = ['--conditions=development', node, template, operation, String(place), 'claims']
  const ended = spawnSync(process.execPath, args, {
    env: watching({ library, root, control }),
    encoding: 'utf8',
  })
  const heard = ended.stdout.split('\n').slice(0, -1)
  return { ...ended, heard: heard.map((line) => JSON.parse(line)) }
}

/** What there is at the end: the claim, how often it has moved the price, and what is left of its evidence. */
async function endOfClaims(): Promise<unknown> {
  const store = await openStore(`sqlite:${file}`, { clock: fakeClock(Date.UTC(2026, 2, 6, 13)) })
  try {
    const claims = (await allRows(store, 'claims')).map(({ number, state, revision }) => [
      number,
      state,
      revision,
    ])
    const moved = (await allRows(store, 'postings')).filter(({ kind }) => kind.startsWith('claim'))
    const evidence = await allRows(store, 'claim_evidence')
    return {
      claims,
      moved: moved.map(({ kind, amount_minor }) => [kind, amount_minor]),
      evidence: evidence.map(({ file_name, evidence_key }) => [file_name, evidence_key]),
      contents: (await allRows(store, 'claim_contents')).length,
      unanchored: (await allRows(store, 'claims')).filter(({ anchored_at }) => anchored_at === null).length,
    }
  } finally {
    await store.close()
  }
}

const end = {
  claims: [[1, 'upheld', 4]],
  moved: [['claim', 43_800n]],
  evidence: [
    [null, null],
    ['receipt.pdf', null],
  ],
  contents: 0,
  unanchored: 0,
}

const said = [
  ['opened', 'claim 1 is open'],
  ['denied', 'claim 1 is denied'],
  ['decided', 'upheld'],
  ['erased', ''],
]

function assertHeard(what: string, heard: readonly ClaimHeard[]): void {
  const told = heard.map((one) => [one.is, one.is === 'erased' ? '' : one.said])
  assert.equal([what, told], [what, said.slice(0, told.length)])
}

const library = buildShim(test)
if (library !== null) {
  let counts = { writes: 0, syncs: 0 }

  test('a claim is opened, denied, upheld and erased once', async () => {
    await inWorld(async (world) => {
      await agreed(world)
      await paidIn(world)
      await world.store.close()
      copyFileSync(world.url.replace('sqlite:', ''), template)
    })
    const whole = live(library, 'write', 0)
    assert.is(whole.status, 0, whole.stderr)
    counts = readReport(control)
    assertHeard('whole', whole.heard)
    assert.is(whole.heard.length, said.length)
    assert.equal(await problemsOfSettlement(file, []), [])
    assert.equal(await endOfClaims(), end)
  })

  test('killed before any write or sync, it goes on: what was heard stays, and it is decided once', async () => {
    const each = Math.ceil(kills / 2)
    for (const [operation, count] of [['write', counts.writes] as const, ['sync', counts.syncs] as const]) {
      for (let index = 0; index < Math.min(each, count); index++) {
        const place = Math.ceil(((index + 0.5) * count) / Math.min(each, count))
        const what = `before ${operation} ${place}`
        const killed = live(library, operation, place)
        assert.is(killed.signal, 'SIGKILL', `${what}: ${killed.stderr}`)
        assertHeard(what, killed.heard)
        assert.equal([what, await problemsOfSettlement(file, [])], [what, []])
        const heard: ClaimHeard[] = []
        await playClaim(file, (one) => heard.push(one))
        assert.equal([what, heard.length], [what, said.length])
        assert.equal([what, heard[0]?.said, heard[2]?.said], [what, 'claim 1 is open', 'upheld'])
        assert.equal([what, await problemsOfSettlement(file, [])], [what, []])
        assert.equal([what, await endOfClaims()], [what, end])
      }
    }
    console.log(`claims: ${kills} kills over ${counts.writes} writes and ${counts.syncs} syncs`)
  })
}

test.run()
