/** Settings that are refused, each with the lines that say why. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { exitCodes } from '../../../node/exit-codes.ts'
import { SettingsError } from '../../../node/settings/config.ts'
import { type Given, key, linesOf, load } from './given-settings.ts'

const refused: readonly [given: Given, lines: readonly string[]][] = [
  [
    { file: { http: { port: 'abc' } } },
    ['ventanilla.json: http.port: must be a whole number from 0 to 65535, got "abc"'],
  ],
  [
    { env: { VENTANILLA_HTTP_PORT: '65536' } },
    ['VENTANILLA_HTTP_PORT: http.port: must be a whole number from 0 to 65535, got 65536'],
  ],
  [
    { env: { VENTANILLA_HTTP_PORT: '' } },
    ['VENTANILLA_HTTP_PORT: http.port: must be a whole number from 0 to 65535, got ""'],
  ],
  [
    { env: { VENTANILLA_WEBHOOKS_ALLOWPRIVATE: 'yes' } },
    ['VENTANILLA_WEBHOOKS_ALLOWPRIVATE: webhooks.allowPrivate: must be true or false, got "yes"'],
  ],
  [
    { env: { VENTANILLA_WEBHOOKS_PORTS: '443,80' } },
    [
      'VENTANILLA_WEBHOOKS_PORTS: webhooks.ports: must be a list of whole numbers from 1 to 65535, as JSON, got "443,80"',
    ],
  ],
  [{ file: { mode: 'live' } }, ['ventanilla.json: mode: must be one of sandbox, production, got "live"']],
  [
    { file: { operator: 8081 } },
    [
      'ventanilla.json: operator: must be an object of the settings host, port, publicUrl, idleMinutes, sessionHours, inspector, got a number',
    ],
  ],
  [{ file: { http: { prot: 1 } } }, ['ventanilla.json: http.prot: unknown setting; did you mean http.port?']],
  [{ file: { webhook: {} } }, ['ventanilla.json: webhook: unknown setting; did you mean webhooks?']],
  [
    { file: { operator: { password: 1 } } },
    [
      'ventanilla.json: operator.password: unknown setting; operator has host, port, publicUrl, idleMinutes, sessionHours, inspector',
    ],
  ],
  [
    { file: '{"log": {"__proto__": {"level": "silent"}, "constructor": 1}}' },
    [
      'ventanilla.json: log.__proto__: unknown setting; log has level',
      'ventanilla.json: log.constructor: unknown setting; log has level',
    ],
  ],
  [
    { env: { VENTANILLA_HTTP_PROT: '1' } },
    ['VENTANILLA_HTTP_PROT: unknown variable; did you mean VENTANILLA_HTTP_PORT?'],
  ],
  [
    { env: { VENTANILLA_CONFG: '1' } },
    ['VENTANILLA_CONFG: unknown variable; did you mean VENTANILLA_CONFIG?'],
  ],
  [
    { env: { VENTANILLA_HTTP: '{}' } },
    ['VENTANILLA_HTTP: names a section; set its members, such as VENTANILLA_HTTP_HOST'],
  ],
  [{ env: { VENTANILLA_UNHEARD_OF: '1' } }, ['VENTANILLA_UNHEARD_OF: unknown variable']],
  [
    { env: { VENTANILLA_SERVICE_HOST: '10.0.0.1', VENTANILLA_PORT: 'tcp://10.0.0.1:80' } },
    [
      'VENTANILLA_SERVICE_HOST: unknown variable; if Kubernetes made it for a service, set enableServiceLinks to false',
      'VENTANILLA_PORT: unknown variable; if Kubernetes made it for a service, set enableServiceLinks to false',
    ],
  ],
  [
    { file: { http: { publicUrl: 'https://pay.example/api', checkoutUrl: 'ftp://x' } } },
    [
      'ventanilla.json: http.publicUrl: must be an http or https origin without a path, such as https://pay.example, got "https://pay.example/api"',
      'ventanilla.json: http.checkoutUrl: must be an http or https URL without a query, got "ftp://x"',
    ],
  ],
  [
    { file: { http: { trustedProxies: ['10.0.0.0/33'], frameAncestors: ["https://a; script-src 'x'"] } } },
    [
      'ventanilla.json: http.trustedProxies: must be a list of IP addresses or networks such as 10.0.0.0/8, got ["10.0.0.0/33"]',
      `ventanilla.json: http.frameAncestors: must be a list of *, 'self' or origins such as https://shop.example, got ["https://a; script-src 'x'"]; its character 11 is a blank, a control or an invisible character`,
    ],
  ],
  [
    { file: { chains: { MONAD: { assets: { USDC: { id: `0x${'1'.repeat(40)}`, decimals: 10 } } } } } },
    [
      `ventanilla.json: chains.MONAD.assets: must be an object that gives each asset's id and decimals (0 to 9), got {"USDC":{"id":"0x1111111111111111111111111111111111111111","decimals":10}} (USDC.decimals must be <= 9)`,
    ],
  ],
  [
    { file: { operator: { port: 8080 } } },
    ['ventanilla.json: operator.port: must differ from http.port, got 8080 for both'],
  ],
  [
    { file: { chains: { STELLAR: { reader: 'rpc', rpc: null } } } },
    ['ventanilla.json: chains.STELLAR.rpc: must be an http or https URL when chains.STELLAR.reader is rpc'],
  ],
  [
    {
      file: { http: { trustedProxies: ['10.0.0.1', '::/0'] } },
      env: { VENTANILLA_MODE: 'production', VENTANILLA_WEBHOOKS_ALLOWPRIVATE: 'true' },
    },
    [
      'VENTANILLA_WEBHOOKS_ALLOWPRIVATE: webhooks.allowPrivate: must be false in production, got true',
      'ventanilla.json: http.trustedProxies: must name the proxies in production, got ::/0',
      'keys.file: must be the path of an existing file outside the folder of the database; in production it has no default',
    ],
  ],
  [
    { file: '[]' },
    ['ventanilla.json: must hold a JSON object of settings, such as {"http": {"port": 8080}}'],
  ],
  [{ file: '{"mode": sandbox}' }, ['ventanilla.json: is not JSON: line 1, column 10']],
  [{ file: '{\n  "mode": "sandbox"\n  "http": {}\n}' }, ['ventanilla.json: is not JSON: line 3, column 3']],
  [{ file: '{"mode": ' }, ['ventanilla.json: is not JSON: it ends too early']],
  [{ configFile: 'none.json' }, ['none.json: cannot be read: no such file']],
  [{ configFile: '.' }, ['.: cannot be read: it is a folder']],
  [{ configFile: '' }, ['--config: must be a path, got ""']],
  [
    { env: { VENTANILLA_CONFIG: 'none.json' } },
    ['VENTANILLA_CONFIG: none.json: cannot be read: no such file'],
  ],
  [{ env: { VENTANILLA_CONFIG: '' } }, ['VENTANILLA_CONFIG: must be a path, got ""']],
]

for (const [given, lines] of refused) {
  test(`${JSON.stringify(given)} is refused`, () => assert.equal(linesOf(given), lines))
}

test('everything that is wrong is told at once, also what a variable hides', () => {
  const lines = linesOf({
    file: { http: { port: -1 }, mode: 1 },
    env: { VENTANILLA_HTTP_PORT: '5', VENTANILLA_LOG_LEVEL: 'loud', VENTANILLA_X: '' },
  })
  assert.equal(
    lines.map((line) => line.split(':').slice(0, 2).join(':')),
    [
      'VENTANILLA_X: unknown variable',
      'ventanilla.json: mode',
      'ventanilla.json: http.port',
      'VENTANILLA_LOG_LEVEL: log.level',
    ],
  )
})

test('a refusal is a usage error whose message is its lines', () => {
  try {
    load({ file: { x1: 1, y2: 2 } })
    assert.unreachable()
  } catch (error) {
    assert.instance(error, SettingsError)
    if (!(error instanceof SettingsError)) return
    assert.is(error.exitCode, exitCodes.usage)
    assert.is(error.message, error.lines.join('\n'))
    assert.is(error.lines.length, 2)
  }
})

test('no line shows a secret', () => {
  const secret = 'hunter2hunter2'
  const urls = `["https://rpc.example/${secret} x", "ftp://${secret}"]`
  const given: Given[] = [
    { file: { database: `mysql://me:${secret}@host/db` } },
    { file: { database: { password: secret } } },
    { file: `{"database": "postgres://me:${secret}@host/db", x}` },
    { file: `{"database": "postgres://me:${secret}@host/db" "x": 1}` },
    { file: `{"database": ${secret}}` },
    { env: { VENTANILLA_DATABASE: secret } },
    { env: { VENTANILLA_CHAINS_SOLANA_RPC: urls } },
    { env: { VENTANILLA_CHAINS_STELLAR_HORIZON: secret, VENTANILLA_CHAINS_STELLAR_RPC: secret } },
    { env: { VENTANILLA_PASSWORD: secret } },
    // A key that was pasted where its path belongs.
    { env: { VENTANILLA_KEYS_FILE: key } },
    { env: { VENTANILLA_MODE: 'production', VENTANILLA_KEYS_FILE: key } },
  ]
  for (const one of given) {
    const lines = linesOf(one).join('\n')
    assert.ok(lines.length > 0, JSON.stringify(one))
    assert.not.match(lines, secret)
    assert.not.match(lines, key)
  }
})

test.run()
