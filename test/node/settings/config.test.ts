import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { exitCodes } from '../../../node/exit-codes.ts'
import { checkSettings, listLeaves } from '../../../node/settings/check.ts'
import {
  loadSettings,
  publicUrls,
  type Settings,
  SettingsError,
  stopDelayMs,
  variableOf,
} from '../../../node/settings/config.ts'
import { settingsPage } from '../../../scripts/settings-page.ts'

const folder = mkdtempSync(join(tmpdir(), 'ventanilla-settings-'))
const key = `${'A'.repeat(43)}=`
let folders = 0

test.after(() => rmSync(folder, { recursive: true }))

interface Given {
  /** The text of `ventanilla.json`. */
  file?: unknown
  env?: Record<string, string>
  configFile?: string
}

function workingDirectory(): string {
  const cwd = join(folder, String(++folders))
  mkdirSync(cwd)
  return cwd
}

function load({ file, env = {}, configFile }: Given, cwd = workingDirectory()): Settings {
  if (file !== undefined) {
    writeFileSync(join(cwd, 'ventanilla.json'), typeof file === 'string' ? file : JSON.stringify(file))
  }
  return loadSettings({ env, cwd, configFile })
}

function linesOf(given: Given, cwd?: string): readonly string[] {
  try {
    load(given, cwd)
  } catch (error) {
    if (error instanceof SettingsError) return error.lines
    throw error
  }
  return []
}

test('without a file or a variable every setting has the documented default', () => {
  const cwd = workingDirectory()
  assert.equal(load({}, cwd), {
    mode: 'sandbox',
    http: {
      host: '127.0.0.1',
      port: 8080,
      publicUrl: null,
      checkoutUrl: null,
      trustedProxies: [],
      frameAncestors: ['*'],
      stopDelaySeconds: null,
    },
    operator: { host: '127.0.0.1', port: 8081, inspector: true },
    database: { engine: 'sqlite', file: join(cwd, 'data/ventanilla.db') },
    keys: { file: join(cwd, 'data/ventanilla.db.key') },
    signature: { toleranceSeconds: 300 },
    orders: { confirmGraceSeconds: 600, fundingWindowSeconds: 1800 },
    quotes: { validitySeconds: 300 },
    webhooks: { allowPrivate: false, timeoutSeconds: 15, ports: [443], retentionDays: 90 },
    limits: {
      requestsPerMinute: 1200,
      unauthenticatedPerMinute: 600,
      codeMissesPerMinute: 30,
      codeMissesPerDay: 1000,
    },
    backups: { folder: null, schedule: '23 5 * * *', encryptTo: [], keepDays: 30 },
    retention: { ordersDays: null, archiveFolder: null },
    chains: { maxOutageSeconds: 21600, SOLANA: null, STELLAR: null, MONAD: null },
    log: { level: 'info' },
  })
})

test('a variable wins over the file, and the file over the default', () => {
  const file = { http: { port: 1001, host: '0.0.0.0' }, webhooks: { ports: [1] } }
  const env = {
    VENTANILLA_HTTP_PORT: '0',
    VENTANILLA_WEBHOOKS_PORTS: '[443, 8443]',
    PATH: '/bin',
    HTTP_PORT: '7',
  }
  const settings = load({ file, env })
  assert.equal([settings.http.port, settings.http.host, settings.webhooks.ports], [0, '0.0.0.0', [443, 8443]])
  assert.is(settings.operator.port, 8081)
})

test('a node that stops goes on accepting where somebody has to notice, or as long as it is told', () => {
  const delayOf = (http: Record<string, unknown>) => {
    const env = Object.entries(http).map(([name, value]) => [
      variableOf(`http.${name}`),
      typeof value === 'string' ? value : JSON.stringify(value),
    ])
    return stopDelayMs(load({ env: Object.fromEntries(env) }, workingDirectory()).http)
  }
  assert.is(delayOf({}), 0)
  assert.is(delayOf({ host: '::1' }), 0)
  assert.is(delayOf({ host: '0.0.0.0' }), 2_000)
  assert.is(delayOf({ host: 'node.internal' }), 2_000)
  assert.is(delayOf({ trustedProxies: ['127.0.0.1'] }), 2_000)
  assert.is(delayOf({ host: '0.0.0.0', stopDelaySeconds: 0 }), 0)
  assert.is(delayOf({ stopDelaySeconds: 2.5 }), 2_500)
})

test('both listeners may take free ports', () => {
  const settings = load({ env: { VENTANILLA_HTTP_PORT: '0', VENTANILLA_OPERATOR_PORT: '0' } })
  assert.equal([settings.http.port, settings.operator.port], [0, 0])
})

test('every setting can be given by a variable of its own', () => {
  const variables = listLeaves().map(({ path }) => variableOf(path))
  assert.is(new Set(variables).size, variables.length)
  assert.is(variableOf('webhooks.allowPrivate'), 'VENTANILLA_WEBHOOKS_ALLOWPRIVATE')
  // The text of a default, given as a variable, must be read back as that default.
  for (const mode of ['sandbox', 'production'] as const) {
    const cwd = workingDirectory()
    writeFileSync(join(cwd, 'master.key'), key)
    const texts = listLeaves().map(({ path, leaf }) => {
      const value = leaf.defaults[mode]
      return [variableOf(path), typeof value === 'string' ? value : JSON.stringify(value)]
    })
    const needed = { VENTANILLA_MODE: mode, VENTANILLA_KEYS_FILE: 'master.key' }
    assert.equal(load({ env: { ...Object.fromEntries(texts), ...needed } }, cwd), load({ env: needed }, cwd))
  }
})

test('--config wins over VENTANILLA_CONFIG, and that over ventanilla.json', () => {
  const cwd = workingDirectory()
  writeFileSync(join(cwd, 'one.json'), '\uFEFF{"http":{"port":1}}')
  writeFileSync(join(cwd, 'two.json'), '{"http":{"port":2}}')
  const file = { http: { port: 3 } }
  const env = { VENTANILLA_CONFIG: 'two.json' }
  assert.is(load({ file, env, configFile: 'one.json' }, cwd).http.port, 1)
  assert.is(load({ file, env }, cwd).http.port, 2)
  assert.is(load({ file }, cwd).http.port, 3)
})

test('the settings of a mode take its half of the chains, and a chain without a treasury is off', () => {
  const treasury = `0x${'ab'.repeat(20)}`
  const sandbox = load({ env: { VENTANILLA_CHAINS_MONAD_TREASURY: treasury } })
  assert.is(sandbox.chains.MONAD?.treasury, treasury)
  assert.is(sandbox.chains.MONAD?.chainId, 10143)
  assert.is(sandbox.chains.MONAD?.pollSeconds, 5)
  assert.is(sandbox.chains.SOLANA, null)
  const cwd = workingDirectory()
  writeFileSync(join(cwd, 'master.key'), key)
  const file = {
    mode: 'production',
    keys: { file: 'master.key' },
    chains: { MONAD: { treasury, maxLogRange: 7 } },
  }
  const production = load({ file }, cwd)
  assert.is(production.chains.MONAD?.chainId, 143)
  assert.is(production.chains.MONAD?.maxLogRange, 7)
  assert.is(production.chains.MONAD?.assets.USDC?.decimals, 6)
})

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
    ['ventanilla.json: operator: must be an object of the settings host, port, inspector, got a number'],
  ],
  [{ file: { http: { prot: 1 } } }, ['ventanilla.json: http.prot: unknown setting; did you mean http.port?']],
  [{ file: { webhook: {} } }, ['ventanilla.json: webhook: unknown setting; did you mean webhooks?']],
  [
    { file: { operator: { password: 1 } } },
    ['ventanilla.json: operator.password: unknown setting; operator has host, port, inspector'],
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

const databases: readonly [text: string, file: string | null][] = [
  ['sqlite:data/x.db', 'data/x.db'],
  ['sqlite:./x.db', 'x.db'],
  ['sqlite:/var/lib/x.db', '/var/lib/x.db'],
  ['sqlite:///var/lib/x.db', '/var/lib/x.db'],
  ['sqlite://data/x.db', null],
  ['sqlite::memory:', null],
  ['sqlite:', null],
  ['data/x.db', null],
  ['postgres://', null],
]
for (const [text, file] of databases) {
  test(`the database ${text} is ${file ?? 'refused'}`, () => {
    const cwd = workingDirectory()
    const given = { env: { VENTANILLA_DATABASE: text } }
    if (file === null) assert.is(linesOf(given, cwd).length, 1)
    else {
      const expected = file.startsWith('/') ? file : join(cwd, file)
      assert.equal(load(given, cwd).database, { engine: 'sqlite', file: expected })
    }
  })
}

test('a PostgreSQL database keeps its URL, and its sandbox key has a place of its own', () => {
  const cwd = workingDirectory()
  const settings = load({ file: { database: 'postgres://me:pw@db.example/orders' } }, cwd)
  assert.equal(settings.database, { engine: 'postgres', url: 'postgres://me:pw@db.example/orders' })
  assert.is(settings.keys.file, join(cwd, 'data/ventanilla.key'))
})

test('production wants its key file to exist outside the folder of the database', () => {
  const cwd = workingDirectory()
  mkdirSync(join(cwd, 'data/deep'), { recursive: true })
  mkdirSync(join(cwd, 'data-keys'))
  for (const file of ['data/master.key', 'data/deep/master.key', 'data-keys/master.key', 'master.key']) {
    writeFileSync(join(cwd, file), key)
  }
  symlinkSync(join(cwd, 'data/master.key'), join(cwd, 'link.key'))
  symlinkSync(join(cwd, 'data'), join(cwd, 'elsewhere'))
  const verdict = (file: string, database = 'sqlite:data/ventanilla.db'): string => {
    const line = linesOf({ file: { mode: 'production', database, keys: { file } } }, cwd)[0] ?? ''
    return line.replace(cwd, '.').replace(/^.*must be the path .*, got /, '')
  }
  assert.is(verdict('master.key'), '')
  assert.is(verdict('data-keys/master.key'), '')
  assert.is(verdict('data/../master.key'), '')
  assert.is(verdict('missing.key'), './missing.key: no such file')
  assert.is(verdict('data'), './data: no such file')
  assert.is(verdict('data/master.key'), './data/master.key')
  assert.is(verdict('data/deep/master.key'), './data/deep/master.key')
  assert.is(verdict('link.key'), './link.key')
  assert.is(verdict('data/master.key', 'sqlite:elsewhere/x.db'), './data/master.key')
  assert.is(verdict('data/master.key', 'sqlite:not/yet/there.db'), '')
  assert.is(verdict('data/master.key', 'postgres://db.example/x'), '')
})

const urls: readonly [http: object, port: number, publicUrl: string, checkoutUrl: string][] = [
  [{}, 8080, 'http://127.0.0.1:8080', 'http://127.0.0.1:8080/checkout'],
  [{ port: 0 }, 40123, 'http://127.0.0.1:40123', 'http://127.0.0.1:40123/checkout'],
  [{ host: '::1' }, 1, 'http://[::1]:1', 'http://[::1]:1/checkout'],
  [{ host: '0.0.0.0' }, 1, 'http://127.0.0.1:1', 'http://127.0.0.1:1/checkout'],
  [{ publicUrl: 'https://pay.example/' }, 1, 'https://pay.example', 'https://pay.example/checkout'],
  [{ checkoutUrl: 'https://pay.example/cash/' }, 1, 'http://127.0.0.1:1', 'https://pay.example/cash'],
  [{ checkoutUrl: 'https://cash.example' }, 1, 'http://127.0.0.1:1', 'https://cash.example'],
]
for (const [http, port, publicUrl, checkoutUrl] of urls) {
  test(`${JSON.stringify(http)} on port ${port} is reached at ${checkoutUrl}`, () => {
    assert.equal(publicUrls(load({ file: { http } }).http, port), { publicUrl, checkoutUrl })
  })
}

test('a table of defaults that breaks its own schema is a fault', () => {
  assert.throws(() => checkSettings({ mode: 'sandbox' }), /break their own schema/)
})

test('docs/settings.md has the settings as they are (node scripts/settings-page.ts writes them)', () => {
  const page = readFileSync(new URL('../../../docs/settings.md', import.meta.url), 'utf8')
  assert.is(page, settingsPage(page))
  for (const code of Object.values(exitCodes)) assert.match(page, `| ${code} |`)
})

test.run()
