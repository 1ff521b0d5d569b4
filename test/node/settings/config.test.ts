import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { blockchains, perBlockchain } from '../../../machines/blockchains.ts'
import { exitCodes } from '../../../node/exit-codes.ts'
import { checkSettings, listLeaves } from '../../../node/settings/check.ts'
import { publicUrls, stopDelayMs, variableOf } from '../../../node/settings/config.ts'
import { settingsPage } from '../../../scripts/settings-page.ts'
import { key, linesOf, load, workingDirectory } from './given-settings.ts'

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
      threads: 1,
    },
    operator: {
      host: '127.0.0.1',
      port: 8081,
      publicUrl: null,
      idleMinutes: 30,
      sessionHours: 12,
      inspector: true,
    },
    database: { engine: 'sqlite', file: join(cwd, 'data/ventanilla.db') },
    keys: { file: join(cwd, 'data/ventanilla.db.key') },
    signature: { toleranceSeconds: 300 },
    orders: { confirmGraceSeconds: 600, fundingWindowSeconds: 1800 },
    quotes: { validitySeconds: 300 },
    approvals: { expireHours: 72 },
    claims: { bankingDays: 10 },
    webhooks: { allowPrivate: false, timeoutSeconds: 15, ports: [443], retentionDays: 90 },
    mail: {
      ...{ host: null, port: 587, security: 'starttls', from: null, user: null, password: null },
      ...{ passwordFile: null, authorityFile: null, timeoutSeconds: 20 },
    },
    limits: {
      requestsPerMinute: 1200,
      unauthenticatedPerMinute: 600,
      codeMissesPerMinute: 30,
      codeMissesPerDay: 1000,
    },
    backups: { folder: null, schedule: '23 5 * * *', encryptTo: [], keepDays: 30 },
    retention: { ordersDays: null, archiveFolder: null },
    chains: { maxOutageSeconds: 21600, ...perBlockchain(blockchains, () => null) },
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

test('docs/settings.md has the settings as they are (npm run settings-page writes them)', () => {
  const page = readFileSync(new URL('../../../docs/settings.md', import.meta.url), 'utf8')
  assert.is(page, settingsPage(page))
  for (const code of Object.values(exitCodes)) assert.match(page, `| ${code} |`)
})

test.run()
