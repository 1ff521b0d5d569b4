/** The node as it ships, for the bench: `node.ts FOLDER [--single] [--database URL] [--key FILE] [--no-budget]`. */
import { parseArgs } from 'node:util'
import { apply } from '../../../actors/provisioning/operations.ts'
import { openLog } from '../../../node/log.ts'
import { startNode } from '../../../node/node.ts'
import { loadSettings } from '../../../node/settings/config.ts'
import { systemClock } from '../../../node/system-clock.ts'
import { statement } from '../../../persistence/statement.ts'
import {
  memory,
  merchant,
  networkId,
  processor,
  provider,
  type Question,
  reply,
  watchMemory,
} from './protocol.ts'

const { values: asked, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    single: { type: 'boolean', default: false },
    // What is written stays in SQLite's log, where it can be counted.
    'keep-log': { type: 'boolean', default: false },
    database: { type: 'string' },
    // Nodes on one database have one key.
    key: { type: 'string' },
    // Strangers do not wait, so that it is seen what each of their requests costs.
    'no-budget': { type: 'boolean', default: false },
  },
})
const [folder = '.'] = positionals

const parties = {
  merchants: [
    {
      name: 'Bench Shop',
      contact: 'bench@shop.example',
      credentials: [{ key: merchant.key, secret: merchant.secret }],
      pairs: [{ country: 'MX', currency: 'MXN', min: '1.00', max: '50000.00' }],
      deposits: [{ currency: 'MXN', amount: '90000000000000.00', reference: 'opening' }],
      limits: { requestsPerMinute: 10_000_000 },
    },
  ],
  providers: [
    {
      name: 'Bench Network',
      credentials: [{ key: provider.key, secret: provider.secret }],
      networks: [networkId],
      limits: { requestsPerMinute: 10_000_000 },
    },
  ],
}

const readyCodes = statement<{ limit: number }>()('bench.codes', ({ db }, arg) =>
  db
    .selectFrom('orders')
    .select(['id', 'code'])
    .where('status', '=', 'READY')
    .orderBy('created_at', 'desc')
    .limit(arg('limit')),
)

/** Deliveries are another bench's: here nobody would receive them. */
const pauseWebhooks = statement<{ at: number }>()('bench.pause', ({ db }, arg) =>
  db
    .updateTable('parties')
    .set({ webhooks_paused_at: arg('at') })
    .where('kind', '=', 'merchant')
    .returning('id'),
)

const startedAt = performance.now()
const settings = loadSettings({
  cwd: folder,
  env: {
    VENTANILLA_DATABASE: asked.database ?? `sqlite:${folder}/node.db`,
    ...(asked.key === undefined ? {} : { VENTANILLA_KEYS_FILE: asked.key }),
    VENTANILLA_HTTP_PORT: '0',
    VENTANILLA_OPERATOR_PORT: '0',
    VENTANILLA_WEBHOOKS_ALLOWPRIVATE: 'true',
    VENTANILLA_LIMITS_REQUESTSPERMINUTE: '10000000',
    ...(asked['no-budget'] ? { VENTANILLA_LIMITS_UNAUTHENTICATEDPERMINUTE: '10000000' } : {}),
  },
})
const logTarget = { level: 'info', destination: `${folder}/log` } as const
const log = openLog(logTarget)
const node = await startNode({
  settings,
  log,
  logTarget,
  groupCommit: !asked.single,
  ...(asked['keep-log'] ? { logPages: 10_000_000 } : {}),
})
const readyMs = performance.now()
const { store } = node.core
await apply.run({ ...node.core, clock: systemClock, operator: 'bench' }, parties)
await store.execute(pauseWebhooks, { at: systemClock.now() })

// The bench is gone: nobody will ask again.
process.on('disconnect', () => process.exit(1))

let endWatch = () => 0

process.on('message', async ({ ask, ...question }: Question) => {
  if (ask === 'memory') reply(memory())
  else if (ask === 'processor') reply(processor())
  else if (ask === 'watch') endWatch = watchMemory()
  else if (ask === 'peak') reply({ told: 'peak', kilobytes: endWatch() })
  else if (ask === 'verify') {
    const begunAt = performance.now()
    const { ok } = await node.core.verification.verify()
    reply({ told: 'verified', ok, seconds: (performance.now() - begunAt) / 1000 })
  } else if (ask === 'codes' && 'limit' in question) {
    const found = await store.query(readyCodes, { limit: question.limit })
    reply({ told: 'codes', codes: found.map(({ code }) => code), ids: found.map(({ id }) => id) })
  } else {
    await node.stop()
    process.exit(0)
  }
})
reply({
  told: 'ready',
  port: Number(new URL(node.publicUrl).port),
  operatorPort: Number(new URL(node.operatorUrl).port),
  readyMs,
  openMs: readyMs - startedAt,
})
