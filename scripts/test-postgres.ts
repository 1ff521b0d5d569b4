/**
 * `npm run test:postgres [-- PATTERN…]`: the tests of the actors and of the HTTP API with their databases on PostgreSQL,
 * and those of its engine, all of them on one server that this starts and ends. `-- --share` runs those that the checks
 * of every change have time for.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { hasPostgres, startPostgres } from '../test/support/postgres.ts'

const engine = 'test/persistence/{postgres-server,postgres-store,pgbouncer}.ts'
const whole = [engine, 'test/persistence/postgres-plans.ts', 'test/actors', 'test/http']

/** Where two requests, two steps or two workers meet; the others differ from SQLite's run in nothing but the engine. */
const share = [
  engine,
  'test/actors/anchors/*.test.ts',
  'test/actors/archive/*.test.ts',
  'test/actors/approvals/*.test.ts',
  'test/actors/claims/{deciding,exceptions}.test.ts',
  'test/actors/orders/{expiry,ledger,racing-nodes}.test.ts',
  'test/actors/settlement/{closing-nodes,deposit-lines,exchange-pairs}.test.ts',
  'test/actors/webhooks/delivery.test.ts',
  'test/http/api/bad-clocks.test.ts',
  'test/http/api/bad-days.test.ts',
  'test/http/api/decisions*.test.ts',
  'test/http/api/isolation.test.ts',
  'test/http/api/pay-{in,out}.test.ts',
  'test/http/api/quotes-repeated.test.ts',
  'test/http/api/quotes.test.ts',
  'test/http/api/webhooks.test.ts',
]

const asked = process.argv.slice(2)
const isShare = asked.includes('--share')
const patterns = asked.filter((pattern) => pattern !== '--share')

if (hasPostgres('actors and the HTTP API on PostgreSQL')) {
  const server = await startPostgres()
  const files = isShare ? share : patterns.length > 0 ? patterns : whole
  const tests = spawn(process.execPath, ['scripts/test.ts', ...files], {
    stdio: 'inherit',
    env: {
      ...process.env,
      VENTANILLA_TEST_DATABASE: 'postgres',
      VENTANILLA_TEST_POSTGRES: server.url('postgres'),
    },
  })
  const [code] = await once(tests, 'exit')
  process.exitCode = code ?? 1
} else {
  const isContinuousIntegration = !['', '0', 'false', undefined].includes(process.env.CI)
  console.log('0 passed, 0 failed, 1 skipped')
  process.exitCode = isContinuousIntegration ? 1 : 0
}
