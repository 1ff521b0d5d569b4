/** What each released version has left behind is opened, brought up to date, verified and read by this one. */
import { chmodSync, copyFileSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { orderTotals } from '../../../persistence/queries/overview.ts'
import { fakeClock } from '../../support/clock.ts'
import { startTestNode } from '../../support/node.ts'
import { call, merchantPath } from '../../support/orders.ts'
import { building } from '../../support/query-plan.ts'
import { type Ran, ventanilla } from '../../support/terminal.ts'

const { version: presentVersion }: { version: string } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
)
const files = globSync(join(import.meta.dirname, '*.db.gz')).toSorted()
/** After the last of what is in the files, and before what is open there expires. */
const clock = fakeClock(Date.UTC(2026, 2, 1, 12, 24, 30))

interface Golden {
  directory: string
  run(...args: string[]): Promise<Ran>
}

/** A copy to work on, as an operator has it: database, master key and anchors beside each other. */
async function withCopy(file: string, work: (golden: Golden) => Promise<void>): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'ventanilla-golden-'))
  const database = join(directory, 'node.db')
  const beside = file.replace(/\.gz$/, '')
  try {
    writeFileSync(database, gunzipSync(readFileSync(file)), { mode: 0o600 })
    for (const end of ['key', 'anchors']) {
      copyFileSync(`${beside}.${end}`, `${database}.${end}`)
      chmodSync(`${database}.${end}`, 0o600)
    }
    const env = { VENTANILLA_DATABASE: `sqlite:${database}`, VENTANILLA_KEYS_FILE: `${database}.key` }
    const run = async (...args: string[]) => {
      const ran = await ventanilla({ cwd: directory, env, clock }, ...args, '--json')
      assert.is(ran.code, 0, ran.out + ran.err)
      return ran
    }
    await work({ directory, run })
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Each once, in the order of the alphabet. */
const once = (texts: string[]) => [...new Set(texts)].toSorted()
const statesOf = (listed: { state: string }[]) => once(listed.map(({ state }) => state))
const situations = (orders: { kind: string; status: string }[]) =>
  once(orders.map(({ kind, status }) => `${kind} ${status}`))

/** The counters that a node shows, of a database that nobody has open. */
function countedIn(directory: string): string[] {
  const database = new Database(join(directory, 'node.db'), { readonly: true })
  const { sql, parameters } = orderTotals.build({ db: building, engine: 'sqlite' }).compile()
  const found = database.prepare<unknown[], { status: string; direction: string; orders: number }>(sql)
  const lines = found.all(...parameters).filter(({ orders }) => orders > 0)
  database.close()
  return lines.map(({ status, direction, orders }) => `${direction} ${status} ${orders}`).toSorted()
}

function countedFrom(orders: { kind: string; status: string }[]): string[] {
  const named = orders.map(({ kind, status }) => `${kind === 'payIn' ? 'PAY_IN' : 'PAY_OUT'} ${status}`)
  return [...Map.groupBy(named, (name) => name)].map(([name, all]) => `${name} ${all.length}`).toSorted()
}

/** What every file has. */
const expected = [
  'payIn CANCELLED',
  'payIn COMPLETED',
  'payIn EXPIRED',
  'payIn PAYMENT_STARTED',
  'payIn READY',
  'payOutForeign CREATED',
  'payOutLocal CANCELLED',
  'payOutLocal COMPLETED',
  'payOutLocal CREATED',
  'payOutLocal EXPIRED',
  'payOutLocal PAYMENT_STARTED',
  'payOutLocal READY',
]

test('this version has its file, too', () => {
  assert.ok(files.map((file) => basename(file)).includes(`${presentVersion}.db.gz`))
})

for (const file of files) {
  const version = basename(file, '.db.gz')

  test(`a database of ${version} is migrated, verifies, and is listed whole`, async () => {
    await withCopy(file, async ({ directory, run }) => {
      await run('migrate')
      assert.equal((await run('migrate', '--dry-run')).json.pending, [])
      const { json } = await run('verify')
      assert.equal(
        json.checks.filter(({ ok }: { ok: boolean }) => !ok),
        [],
      )
      const { orders } = (await run('order', 'list', '--limit', '100')).json
      assert.equal(situations(orders), expected)
      assert.equal(countedIn(directory), countedFrom(orders))
      const { exceptions } = (await run('exception', 'list')).json
      assert.equal(statesOf(exceptions), ['open', 'resolved'])
      assert.equal(statesOf((await run('operator', 'list')).json.operators), ['disabled', 'enabled'])
    })
  })

  test(`a webhook that ${version} delivered tells of its attempt`, async () => {
    await withCopy(file, async ({ run }) => {
      const [{ id }] = (await run('webhook', 'list', '--state', 'delivered')).json.webhooks
      const { json } = await run('webhook', 'show', id)
      const [attempt] = json.history
      assert.equal([json.state, json.status, attempt.outcome], ['delivered', 'COMPLETED', 'acknowledged'])
      assert.equal([attempt.status, attempt.key, JSON.parse(json.body).id], [200, 'mk_shop', json.order])
    })
  })

  test(`a node on a database of ${version} answers under the keys in it, and goes on with its orders`, async () => {
    await withCopy(file, async ({ directory, run }) => {
      const { orders } = (await run('order', 'list', '--status', 'READY', '--limit', '100')).json
      const ready = orders.find(({ kind }: { kind: string }) => kind === 'payOutLocal')
      const node = await startTestNode({ directory, clock, parties: null })
      try {
        const read = await node.request({ as: 'mk_shop', path: merchantPath('PAY_OUT', ready.id) })
        assert.equal([read.status, read.json.id, read.json.status], [200, ready.id, 'READY'])
        const order = { direction: 'PAY_OUT', code: ready.code } as const
        assert.is((await call(node, order, 'start')).status, 200)
        assert.is((await call(node, order, 'confirm')).status, 200)
      } finally {
        await node.stop()
      }
      assert.is((await run('verify')).json.ok, true)
    })
  })
}

test.run()
