/** What usually goes wrong, each gone wrong once, with what the doctor sees of it and says to do. */
import { quarantine } from '../../../actors/anchors/restore-watch.ts'
import { newPerson } from '../../../actors/people/accounts.ts'
import { recordFirstUse } from '../../../persistence/queries/parties.ts'
import { pauseAllWebhooks, quarantineOpenOrders } from '../../../persistence/queries/quarantine.ts'
import { replication } from '../../../persistence/queries/replication.ts'
import { chains, playForeign } from '../../support/foreign-orders.ts'
import { quietSurroundings } from '../../support/operations.ts'
import { commit, minuteMs, readyOrder, shop } from '../../support/order-world.ts'
import { close } from '../../support/payment-world.ts'
import { approvalCases } from './doctor-approval-cases.ts'
import {
  answering,
  bury,
  type Case,
  cancelledOrder,
  dayMs,
  degraded,
  fileWithMode,
  liveRate,
  named,
  onDisk,
  readChain,
  surroundings,
} from './doctor-world.ts'

export const cases: Case[] = [
  {
    when: 'the console is reached where browsers have no passkeys',
    change: async () => ({ operatorUrl: 'http://console.example', ...surroundings({ mode: 'production' }) }),
    check: 'factors',
    sees: /^the console is reached at http:\/\/console\.example, where no passkey works$/,
    says: /Set operator\.publicUrl to an https address/,
  },
  {
    when: 'an administrator signs in with a password alone',
    async change({ store }) {
      const person = { name: 'ana', role: 'administrator', party_id: null, passwordHash: 'none' } as const
      const values = newPerson({ ...person, at: 0 })
      await store.step({ rows: {}, decide: () => ({ answer: null, writes: [{ insert: 'people', values }] }) })
      return surroundings({ mode: 'production' })
    },
    check: 'factors',
    sees: /^ana signs in with a password alone$/,
    says: /add a passkey or an authenticator/,
  },
  ...approvalCases,
  {
    when: 'standbys follow without having what is acknowledged',
    change: async ({ store }) => ({
      store: answering(store, replication, { standbys: 2, synchronous: '' }),
    }),
    check: 'replication',
    sees: /^standbys follow the database, and none need have what is acknowledged/,
    says: /synchronous_mode_strict/,
  },
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
    says: /^Resume them: `ventanilla webhook resume MERCHANT`\.$/,
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
    when: 'settlement is stopped since a restoration',
    change: async (world) => {
      await quarantine(world.store, world.clock.now())
      return {}
    },
    check: 'settlement',
    sees: /^nothing is closed and nothing paid since a restoration/,
    says: /`ventanilla settlement resume`/,
  },
  {
    when: 'something is overdue',
    change: async (world) => {
      await close(world, shop.id, { number: 1, dueMinor: 10_000n })
      world.clock.advance(400 * dayMs)
      return {}
    },
    check: 'settlement',
    sees: /^100\.00 MXN to pay since \d{4}-\d\d-\d\d$/,
    says: /`ventanilla payment due`/,
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
    sees: /^one is open$/,
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
