/** Each thing that usually goes wrong, gone wrong once: what the doctor sees, and what it says to do. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createCondition } from '../../../actors/condition/condition.ts'
import type { NodeContext } from '../../../actors/operations/context.ts'
import { doctor } from '../../../actors/operations/doctor.ts'
import { writeSources } from '../../../actors/rates/source.ts'
import { recordFirstUse } from '../../../persistence/queries/parties.ts'
import { pauseAllWebhooks, quarantineOpenOrders } from '../../../persistence/queries/quarantine.ts'
import { statement } from '../../../persistence/statement.ts'
import { chains, playForeign } from '../../support/foreign-orders.ts'
import { operatorOf, quietSurroundings } from '../../support/operations.ts'
import {
  commit,
  inOrderWorld,
  minuteMs,
  type OrderWorld,
  operator,
  readyOrder,
} from '../../support/order-world.ts'

const play = inOrderWorld(test)
const dayMs = 86_400_000

// Others may enter the system's folder of temporary files, and with this mode the one in it as well.
const folder = mkdtempSync(join(tmpdir(), 'doctor-'))
chmodSync(folder, 0o755)
test.after(() => rmSync(folder, { recursive: true, force: true }))

interface Case {
  /** What has gone wrong. */
  when: string
  change(world: OrderWorld): Promise<Partial<NodeContext>>
  check: string
  sees: RegExp
  says: RegExp
}

const surroundings = (changes: Partial<typeof quietSurroundings>) => ({
  surroundings: { ...quietSurroundings, ...changes },
})

const file = join(folder, 'node.db')
const onDisk: NodeContext['verification'] = {
  file,
  verify: async () => ({ ok: true, checks: [] }),
  progress: () => ({ isRunning: false, done: 0, total: 0 }),
}

function backupsWith(changes: Partial<NodeContext['backups']>): NodeContext['backups'] {
  return {
    folder: '/backups',
    isServers: false,
    progress: () => null,
    make: () => Promise.reject(new Error('not asked for')),
    lastAt: () => null,
    list: async () => [],
    finish: async () => {},
    ...changes,
  }
}

function degraded(part: string, reason: string): NodeContext['condition'] {
  const condition = createCondition()
  condition.send({ type: 'degrade', part, reason })
  return condition
}

const named = (code: string) => Promise.reject(Object.assign(new Error(code), { code }))

const bury = statement<{ at: number }>()('test.bury', ({ db }, arg) =>
  db.updateTable('webhooks').set({ state: 'dead', settled_at: arg('at') }),
)

async function cancelledOrder(world: OrderWorld): Promise<void> {
  const { id } = await readyOrder(world)
  await world.cancel(id)
}

/** Read from one source, just now. */
async function liveRate({ store, clock }: OrderWorld): Promise<void> {
  const source = { url: 'https://rates.example/usdc', pointer: '/rate', inverse: false, spreadBps: 0 }
  const times = { refreshSeconds: 60, timeoutSeconds: 5, maxAgeSeconds: 300 }
  const values = {
    blockchain: 'SOLANA',
    send_currency: 'USDC',
    country: 'MX',
    target_currency: 'MXN',
    rate: '17.1',
    fee_fixed: '0',
    fee_bps: 0,
    max_age_seconds: 300,
    source_json: writeSources({ expected: null, sources: [{ ...source, ...times }] }),
    reading_json: null,
    problem: null,
    updated_at: clock.now(),
  }
  await commit(store, [{ insert: 'rates', values }])
}

async function readChain({ store, clock }: OrderWorld, behindMs: number): Promise<void> {
  const at = clock.now()
  const values = { blockchain: 'SOLANA', cursor: '1', scanned_to_at: at - behindMs, read_at: at }
  await commit(store, [{ insert: 'chain_cursors', values }])
}

function fileWithMode(name: string, mode: number): string {
  const path = join(folder, name)
  writeFileSync(path, 'x')
  chmodSync(path, mode)
  return path
}

const cases: Case[] = [
  {
    when: 'open orders name a treasury that the settings do not',
    async change(world) {
      const foreign = playForeign(world)
      for (let made = 0; made < 2; made += 1) await foreign.build((await foreign.foreign()).order_id)
      const SOLANA = { treasury: 'another', formerTreasuries: [] }
      return surroundings({ treasuries: { ...quietSurroundings.treasuries, SOLANA } })
    },
    check: 'treasuries',
    sees: /^chains\.SOLANA\.treasury: 2 open orders name the former treasury treasury\. List it in chains\.SOLANA\.formerTreasuries /,
    says: /no node starts/,
  },
  {
    when: 'something degrades the node',
    change: async () => ({ condition: degraded('anchors', 'They tell of another database.') }),
    check: 'node',
    sees: /^anchors: They tell of another database\.$/,
    says: /Mend what is named/,
  },
  {
    when: 'the clock is in doubt',
    change: async () => {
      const doubt = { reason: 'Every chain is 90 s ahead.', since: null, now: '', lastTrusted: null }
      return {
        clockWatch: { show: async () => ({ state: 'in_doubt' as const, ...doubt }), async accept() {} },
      }
    },
    check: 'clock',
    sees: /90 s ahead/,
    says: /`ventanilla clock accept`/,
  },
  {
    when: 'the disk is nearly full',
    change: async () => ({
      verification: onDisk,
      ...surroundings({ disk: async () => ({ freeBytes: 100 * 2 ** 20, syncMs: 1 }) }),
    }),
    check: 'disk',
    sees: /^100 MiB are free where .*node\.db lies/,
    says: /Make room/,
  },
  {
    when: 'the disk is slow',
    change: async () => ({
      verification: onDisk,
      ...surroundings({ disk: async () => ({ freeBytes: 2 ** 40, syncMs: 399.2 }) }),
    }),
    check: 'disk',
    sees: /a write is safe after 400 ms$/,
    says: /take a faster one/,
  },
  {
    when: 'the disk takes nothing',
    change: async () => ({ verification: onDisk, ...surroundings({ disk: () => named('EROFS') }) }),
    check: 'disk',
    sees: /nothing can be written where .* lies: EROFS$/,
    says: /Make the disk writable/,
  },
  {
    when: 'others may read the key',
    change: async () => {
      const files = [fileWithMode('open.key', 0o644), fileWithMode('closed.token', 0o600), '/nowhere/at/all']
      return surroundings({ privateFiles: async () => files })
    },
    check: 'files',
    sees: /^other users may read or write [^ ]*\/open\.key$/,
    says: /^chmod 600 [^ ]*\/open\.key$/,
  },
  {
    when: 'the operator listener has a public address',
    change: async () => surroundings({ operatorHost: '8.8.4.4' }),
    check: 'listeners',
    sees: /a public address: 8\.8\.4\.4$/,
    says: /operator\.host to 127\.0\.0\.1/,
  },
  {
    when: 'the operator listener takes every address, and one is public',
    change: async () => {
      const addresses = () => ['127.0.0.1', '10.0.0.4', 'fe80::1', '2a01:4f8::1']
      return surroundings({ operatorHost: '::', addresses })
    },
    check: 'listeners',
    sees: /a public address: 2a01:4f8::1$/,
    says: /ssh -L/,
  },
  {
    when: 'the operator listener has a public name',
    change: async () => surroundings({ operatorHost: 'ops.example', resolve: async () => ['8.8.8.8'] }),
    check: 'listeners',
    sees: /8\.8\.8\.8/,
    says: /operator\.host/,
  },
  {
    when: 'https ends at a proxy that is not named',
    change: async () => surroundings({ publicUrl: 'https://pay.example', publicHost: '0.0.0.0' }),
    check: 'proxies',
    sees: /http\.publicUrl is https:\/\/pay\.example.*names none/,
    says: /all clients share the limits of one/,
  },
  {
    when: 'another host is answered by a proxy that is not named',
    change: async () => surroundings({ publicUrl: 'http://pay.example' }),
    check: 'proxies',
    sees: /http:\/\/pay\.example/,
    says: /http\.trustedProxies/,
  },
  {
    when: 'hosts of chains and rates have no address',
    change: async (world) => {
      await liveRate(world)
      const endpoints = ['https://user:pass@rpc.example/secret', 'http://127.0.0.1:8899']
      return surroundings({ endpoints, resolve: () => named('ENOTFOUND') })
    },
    check: 'names',
    sees: /^not resolved: rates\.example \(ENOTFOUND\), rpc\.example \(ENOTFOUND\)$/,
    says: /resolv\.conf/,
  },
  {
    when: 'a chain answers for another network',
    change: async (world) => {
      await readChain(world, 2_000)
      return { chains, condition: degraded('chain:SOLANA', 'rpc.example is of another network.') }
    },
    check: 'chains',
    sees: /^SOLANA: rpc\.example is of another network\.$/,
    says: /`ventanilla chain check`/,
  },
  {
    when: 'a chain is far behind',
    change: async (world) => {
      await readChain(world, 301_000)
      return { chains }
    },
    check: 'chains',
    sees: /^SOLANA is 301 s behind$/,
    says: /`ventanilla chain check`/,
  },
  {
    when: 'a rate is too old',
    change: async (world) => {
      await liveRate(world)
      world.clock.advance(6 * minuteMs)
      return {}
    },
    check: 'rates',
    sees: /^SOLANA USDC to MXN in MX: the rate is 360 s old/,
    says: /`ventanilla rate show`/,
  },
  {
    when: 'a webhook is a dead letter',
    change: async (world) => {
      await cancelledOrder(world)
      await world.store.execute(bury, { at: world.clock.now() })
      return {}
    },
    check: 'webhooks',
    sees: /^0 wait to be delivered, [1-9]\d* are dead letters$/,
    says: /`ventanilla webhook list --state dead`/,
  },
  {
    when: "merchants' webhooks are paused",
    change: async ({ store, clock }) => {
      await store.execute(pauseAllWebhooks, { at: clock.now() })
      return {}
    },
    check: 'webhooks',
    sees: /paused are those of Other, Shop$/,
    says: /^`ventanilla webhook resume MERCHANT` lets them go again\.$/,
  },
  {
    when: 'nobody sends the webhooks',
    change: async (world) => {
      await cancelledOrder(world)
      world.clock.advance(11 * minuteMs)
      return {}
    },
    check: 'webhooks',
    sees: /the oldest is due for 660 s$/,
    says: /stopped node/,
  },
  {
    when: 'a party has two keys for longer than a change takes',
    change: async ({ store, clock }) => {
      const values = { key: 'mk_shop_2', party_id: 'shop', secret_ciphertext: '', created_at: 1 }
      await commit(store, [{ insert: 'credentials', values }])
      await store.execute(recordFirstUse, { key: 'mk_shop_2', at: clock.now() })
      return {}
    },
    check: 'keys',
    sees: /^two keys for more than a week have Shop$/,
    says: /`ventanilla key revoke KEY`/,
  },
  {
    when: 'a key was never used',
    change: async ({ store, clock }) => {
      const values = { key: 'pk_a_2', party_id: 'network-a', secret_ciphertext: '', created_at: clock.now() }
      await commit(store, [{ insert: 'credentials', values }])
      clock.advance(7 * dayMs + 1)
      return {}
    },
    check: 'keys',
    sees: /never used were pk_a_2 of Network A$/,
    says: /Ask the party/,
  },
  {
    when: 'production makes no backups',
    change: async () => surroundings({ mode: 'production' }),
    check: 'backups',
    sees: /the settings name no place/,
    says: /Set backups\.folder/,
  },
  {
    when: 'there is no backup yet',
    change: async () => ({ backups: backupsWith({}) }),
    check: 'backups',
    sees: /^none is in \/backups$/,
    says: /`ventanilla backup` makes one now/,
  },
  {
    when: 'the last backup failed',
    change: async () => ({
      backups: backupsWith({}),
      condition: degraded('backups', 'No backup was made: ENOSPC'),
    }),
    check: 'backups',
    sees: /^No backup was made: ENOSPC$/,
    says: /the log and the disk/,
  },
  {
    when: 'the newest backup is older than two by schedule',
    change: async ({ clock }) => {
      const madeAt = clock.now() - 2 * dayMs - 1
      const one = { name: 'ventanilla-1', madeAt, orders: 1, bytes: 1 }
      return { backups: backupsWith({ list: async () => [one] }) }
    },
    check: 'backups',
    sees: /^the newest is of 2026-02-27T11:59:59\.999Z, older than two by schedule$/,
    says: /`ventanilla backup`/,
  },
  {
    when: 'orders are quarantined since a restoration',
    change: async (world) => {
      await readyOrder(world)
      await world.store.execute(quarantineOpenOrders, { at: world.clock.now() })
      return {}
    },
    check: 'quarantined',
    sees: /^1 orders are quarantined/,
    says: /`ventanilla order clear`/,
  },
  {
    when: 'an exception is open',
    change: async (world) => {
      const { id } = await readyOrder(world)
      await world.start(id, 'A')
      await world.cancel(id, true)
      return {}
    },
    check: 'exceptions',
    sees: /^1 wait for a person$/,
    says: /`ventanilla exception list`/,
  },
  {
    when: 'a provider holds an order for long',
    change: async (world) => {
      const { id } = await readyOrder(world)
      await world.start(id, 'A')
      world.clock.advance(61 * minuteMs)
      return {}
    },
    check: 'locks',
    sees: /Network A/,
    says: /`ventanilla alarm list`/,
  },
]

async function useKeys({ store, clock }: OrderWorld): Promise<void> {
  for (const key of ['mk_shop', 'mk_other', 'pk_a', 'pk_b'])
    await store.execute(recordFirstUse, { key, at: clock.now() })
}

play('nothing is to be done where all is well', async (world) => {
  await useKeys(world)
  await liveRate(world)
  await readChain(world, 2_000)
  const list = async () => [{ name: 'ventanilla-1', madeAt: world.clock.now() - dayMs, orders: 1, bytes: 1 }]
  const found = await operatorOf({
    ...world,
    chains,
    verification: onDisk,
    backups: backupsWith({ list }),
    ...surroundings({
      mode: 'production',
      publicUrl: 'https://pay.example',
      trustedProxies: ['127.0.0.1'],
      endpoints: ['https://rpc.example'],
      operatorHost: '0.0.0.0',
      addresses: () => ['127.0.0.1', '10.0.0.4'],
      privateFiles: async () => [fileWithMode('well.key', 0o600)],
    }),
  }).ask(doctor, {})
  assert.equal(
    found.checks.filter(({ ok, action }) => !ok || action !== null),
    [],
  )
  assert.is(found.ok, true)
  const broken = new Set(cases.map(({ check }) => check))
  assert.equal(
    found.checks.map(({ name }) => name).filter((name) => !broken.has(name)),
    [],
    'each goes wrong once below',
  )
})

for (const { when, change, check, sees, says } of cases) {
  play(`${when}: ${check}`, async (world) => {
    await useKeys(world)
    const found = await operatorOf({ ...world, operator: operator.name, ...(await change(world)) }).ask(
      doctor,
      {},
    )
    assert.is(found.ok, false)
    const one = found.checks.find(({ name }) => name === check)
    assert.is(one?.ok, false, JSON.stringify(one))
    assert.match(one?.detail ?? '', sees)
    assert.match(one?.action ?? '', says)
  })
}

if (process.platform !== 'win32') {
  play('a file that others could read is closed by its folder', async (world) => {
    await useKeys(world)
    mkdirSync(join(folder, 'closed'))
    const key = fileWithMode('closed/master.key', 0o644)
    const ask = () =>
      operatorOf({ ...world, ...surroundings({ privateFiles: async () => [key] }) }).ask(doctor, {})
    chmodSync(join(folder, 'closed'), 0o750)
    assert.is((await ask()).ok, true)
    chmodSync(join(folder, 'closed'), 0o755)
    assert.is((await ask()).ok, false)
  })
}

test.run()
