/**
 * The notifications that are killed: `notification-node.ts FILE PORT AHEAD_MS MODE`. With `add` keys are added and exceptions opened again and again
 * while what happened is told and sent; with `drain` only the latter, until nothing is left.
 */
import pino from 'pino'
import { exceptionId } from '../../actors/exceptions/exception-id.ts'
import { newException } from '../../actors/exceptions/kinds.ts'
import { createVault } from '../../actors/keys/vault.ts'
import { createNotificationDelivery } from '../../actors/notifications/delivery.ts'
import { createMailing } from '../../actors/notifications/sending.ts'
import { createTelling } from '../../actors/notifications/telling.ts'
import { openSqliteStore } from '../../persistence/sqlite/engine.ts'
import { senderTo } from '../support/mail-server.ts'
import { commit } from '../support/order-world.ts'

const [file = '', port, aheadMs, mode] = process.argv.slice(2)
const clock = { now: () => Date.now() + Number(aheadMs) }
const store = openSqliteStore({ file, clock })
const vault = createVault(Buffer.alloc(32, 7))
const delivery = createNotificationDelivery({
  ...{ store, clock, kind: 'email', timeoutMs: 3000, isTrusted: () => true },
  send: createMailing({ store, clock, vault, mail: senderTo(Number(port)), domain: 'pay.example' }),
  log: pino({ level: 'silent' }),
})
const tell = createTelling({ clock, mode: 'production' })

/** Of keys each is told; exceptions of a kind are mostly counted. */
async function happen(count: number): Promise<void> {
  for (let one = 0; one < 4; one++) {
    const key = `mk_${aheadMs}_${count}_${one}`
    const values = { key, party_id: 'shop', secret_ciphertext: '', created_at: clock.now() }
    await commit(store, [{ insert: 'credentials', values }])
  }
  const id = exceptionId('kill', `${aheadMs}`, String(count))
  const opened_at = clock.now()
  const about = {
    id,
    kind: 'bank_unidentified',
    order_id: null,
    reason: '',
    evidence: {},
    opened_at,
  } as const
  await commit(store, [{ insert: 'exceptions', values: newException(about) }])
  const set = { state: 'resolved', resolved_at: opened_at, resolution: 'dismiss' } as const
  await commit(store, [{ update: 'exceptions', key: { id }, set }])
}

for (let count = 0; ; count++) {
  if (mode === 'add') await happen(count)
  const told = await tell(store)
  const { seen } = await delivery.pass()
  await delivery.ended()
  process.send?.({ count })
  if (mode === 'drain' && !told.more && (seen?.underWay ?? 0) === 0) break
}
await store.close()
process.exit(0)
