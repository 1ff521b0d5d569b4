/** Every setting that is an address, a path or a line is judged by one parser, and what is used is its result. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { evmBlockchains } from '../../../machines/blockchains.ts'
import { listLeaves } from '../../../node/settings/check.ts'
import {
  loadSettings,
  publicUrls,
  type Settings,
  SettingsError,
  variableOf,
} from '../../../node/settings/config.ts'
import { readDatabase } from '../../../node/settings/database-url.ts'
import { settingForms } from '../../../node/settings/formats.ts'

const cwd = mkdtempSync(join(tmpdir(), 'ventanilla-addresses-'))
test.after(() => rmSync(cwd, { recursive: true }))
mkdirSync(join(cwd, 'empty'))

const chains = {
  VENTANILLA_CHAINS_SOLANA_TREASURY: '4wBqpZM9xaSheZzJSMawUKKwhdpChKbZ5eu5ky4Vigw',
  VENTANILLA_CHAINS_STELLAR_TREASURY: `G${'A'.repeat(55)}`,
  VENTANILLA_CHAINS_MONAD_TREASURY: `0x${'1'.repeat(40)}`,
}

type Place = 'file' | 'environment'

/** A mail server needs a sender. */
const besideOf = (path: string) =>
  path === 'mail.host' ? { ...chains, VENTANILLA_MAIL_FROM: 'node@pay.example' } : chains

function load(place: Place, path: string, value: unknown): Settings {
  if (place === 'environment') {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return loadSettings({ cwd: join(cwd, 'empty'), env: { ...besideOf(path), [variableOf(path)]: text } })
  }
  const document = path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value)
  writeFileSync(join(cwd, 'ventanilla.json'), JSON.stringify(document))
  return loadSettings({ cwd, env: besideOf(path) })
}

/** Its lines, or the settings; anything else that is thrown would be a stack trace. */
function outcome(place: Place, path: string, value: unknown): readonly string[] | Omit<Settings, 'keys'> {
  try {
    const settings = load(place, path, value)
    return settings
  } catch (error) {
    if (error instanceof SettingsError) return error.lines
    throw error
  }
}

/** One of each form, with what must never be shown where the setting is secret. */
const samples: Readonly<Record<string, string>> = {
  line: 'Test SDF Network ; September 2015',
  path: 'some/folder',
  'http-url': 'https://rpc.example/hunter2?key=hunter2',
  'base-url': 'https://pay.example/cash',
  origin: 'https://pay.example',
  network: '10.0.0.0/8',
  host: 'host.example',
  'database-url': 'postgres://me:hunter2@db.example/orders',
  'key-path': 'some/master.key',
  schedule: '23 5 * * *',
  'frame-ancestor': 'https://shop.example',
  address: 'node@pay.example',
}

interface Named {
  path: string
  form: string
  isSecret: boolean
  /** The value of the setting that holds this text. */
  of(text: string): unknown
}

const named: Named[] = listLeaves().flatMap(({ path, leaf }) => {
  const { format, items }: { format?: string; items?: { format?: string } } = leaf.schema
  const form = format ?? items?.format
  if (form === undefined) return []
  return [{ path, form, isSecret: leaf.isSecret, of: (text) => (items ? [text] : text) }]
})

const places: readonly Place[] = ['file', 'environment']
const around = [' ', '\t', '\r', '\n', '\r\n', '\u00a0', '\ufeff', '\u2028', '\u3000']
const controls = [
  '\r',
  '\n',
  '\t',
  '\r\n',
  '\x1b[2J',
  '\x7f',
  '\u0085',
  '\u00ad',
  '\u200b',
  '\u202e',
  '\ufeff',
  '\ufffd',
]
const blanks = [' ', '\u00a0', '\u2003']

test('there is a sample of every form, and a form of every setting that names a place', () => {
  assert.equal(Object.keys(samples).toSorted(), Object.keys(settingForms).toSorted())
  const texts = listLeaves().filter(({ leaf }) => leaf.notation === 'text')
  const free = texts.filter(({ leaf }) =>
    Object.keys(leaf.schema).every((key) => key === 'type' || key === 'minLength'),
  )
  assert.equal(
    free.map(({ path }) => path),
    [],
  )
  assert.is(named.length, 22 + evmBlockchains.length)
})

for (const { path, form, of } of named) {
  test(`${path} means the same with blanks and line ends around it`, () => {
    const sample = samples[form] ?? ''
    for (const place of places) {
      const expected = outcome(place, path, of(sample))
      assert.not.ok(Array.isArray(expected), JSON.stringify(expected))
      for (const blank of around) {
        for (const text of [blank + sample, sample + blank, `${blank} ${sample}${blank}${blank}`]) {
          assert.equal(outcome(place, path, of(text)), expected, JSON.stringify([place, text]))
        }
      }
    }
  })

  test(`${path} is refused with one line where something hides in it`, () => {
    const sample = samples[form] ?? ''
    const takesBlanks = ['line', 'path', 'key-path', 'schedule'].includes(form)
    const hidden = form === 'schedule' ? ['\x1b[2J', '\u200b', '\u202e', '\ufffd'] : controls
    const inside = takesBlanks ? hidden : [...hidden, ...blanks]
    for (const place of places) {
      for (const character of inside) {
        for (const at of [1, Math.floor(sample.length / 2), sample.length - 1]) {
          const text = sample.slice(0, at) + character + sample.slice(at)
          const lines = outcome(place, path, of(text))
          if (!Array.isArray(lines)) assert.unreachable(`${place} takes ${JSON.stringify(text)}`)
          else {
            assert.is(lines.length, 1, lines.join('\n'))
            assert.match(lines[0], `: ${path}: must be `)
            assert.not.match(lines[0], /(?! )[\p{C}\p{Z}]/u)
            assert.not.match(lines[0], 'hunter2')
          }
        }
      }
    }
  })
}

const spellings: readonly [form: string, text: string, value: string | null][] = [
  ['origin', 'https://pagó.example', 'https://xn--pag-ina.example'],
  ['origin', 'HTTPS://Pay.Example:443/', 'https://pay.example'],
  ['origin', 'https:pay.example', null],
  ['origin', 'https:\\\\pay.example', null],
  ['origin', 'https:///pay.example', null],
  ['origin', 'https://me:hunter2@pay.example', null],
  ['origin', 'https://pay.example?', null],
  ['origin', 'https://pay.example/x', null],
  ['origin', 'https://pay.example;x', null],
  ['origin', 'https://pay".example', null],
  ['origin', 'http://0x7f.1:8080', 'http://127.0.0.1:8080'],
  ['base-url', 'https://pay.example/caja/ñ//', 'https://pay.example/caja/%C3%B1'],
  ['base-url', 'https://pay.example/#', null],
  ['http-url', 'https://rpc.example', 'https://rpc.example/'],
  ['http-url', 'https://rpc.example/key?a=b', 'https://rpc.example/key?a=b'],
  ['http-url', 'https://key@rpc.example', null],
  ['http-url', 'wss://rpc.example', null],
  ['host', 'Pagó.Example', 'xn--pag-ina.example'],
  ['host', '0:0:0:0:0:0:0:0', '::'],
  ['host', 'fe80::1%eth0', 'fe80::1%eth0'],
  ['host', '127.1', '127.0.0.1'],
  ['host', '[::1]', null],
  ['host', 'a:80', null],
  ['host', 'a/b', null],
  ['host', '256.1.1.1', null],
  ['network', '10.0.0.0/08', '10.0.0.0/8'],
  ['network', '0.0.0.0/00', '0.0.0.0/0'],
  ['network', '2001:DB8:0:0::/32', '2001:db8::/32'],
  ['network', '10.0.0.0/33', null],
  ['network', '10.0.0.0/8/8', null],
  ['network', '10.0.0.0/', null],
  ['frame-ancestor', "'SELF'", "'self'"],
  ['frame-ancestor', 'https://*.Tienda-Ñ.example/', 'https://*.xn--tienda--b0a.example'],
  ['frame-ancestor', 'http://localhost:*', 'http://localhost:*'],
  ['frame-ancestor', 'https://*', 'https://*'],
  ['frame-ancestor', "https://a;script-src'x'", null],
  ['frame-ancestor', 'https://a,b', null],
  ['frame-ancestor', 'https://a/b', null],
  ['schedule', ' 23  5 * *\t* ', '23 5 * * *'],
  ['path', 'a folder/with blanks', 'a folder/with blanks'],
  ['path', 'a\0b', null],
  [
    'line',
    ' Public Global Stellar Network ; September 2015\r',
    'Public Global Stellar Network ; September 2015',
  ],
]

for (const [form, text, value] of spellings) {
  test(`as ${form}, ${JSON.stringify(text)} is ${value ?? 'refused'}`, () => {
    const read = settingForms[form]?.(text) ?? { problem: null }
    assert.is('value' in read ? read.value : null, value)
  })
}

const servers: readonly [text: string, url: string | null, problem?: RegExp][] = [
  ['postgres://me:pw@db.example/orders', 'postgres://me:pw@db.example/orders'],
  ['POSTGRESQL://me:pw@DB.Example/orders ', 'postgresql://me:pw@db.example/orders'],
  ['postgres://me:p%40ss@db.example/orders', 'postgres://me:p%40ss@db.example/orders'],
  ['postgres://me:50%off@db.example/orders', 'postgres://me:50%25off@db.example/orders'],
  ['postgres://me:ñ@basé.example/orders', 'postgres://me:%C3%B1@xn--bas-dma.example/orders'],
  ['postgres:///orders?host=/run/postgresql', 'postgres:///orders?host=/run/postgresql'],
  ['postgres://me:pw@%2Frun%2Fpostgresql/orders', 'postgres://me:pw@%2Frun%2Fpostgresql/orders'],
  ['postgres://me:pw@[::1]:5432/orders', 'postgres://me:pw@[::1]:5432/orders'],
  ['postgres://me:hunter2@hunter3@db.example/orders', null, /@ as %40/],
  ['postgres://me:hunter2@s/hunter3@db.example/orders', null, /@ as %40, \/ as %2F, \? as %3F, # as %23$/],
  ['postgres://me:12/hunter3@db.example/orders', null, /@ as %40/],
  ['postgres://hunter2?hunter3@db.example/orders', null, /@ as %40/],
  ['postgres://hunter2#hunter3@db.example/orders', null, /@ as %40/],
  ['postgres://me:hunter2@db.example/orders#1', null, /# as|as %23$/],
  ['postgres://me:hunter%E9@db.example/orders', null, /not UTF-8/],
  ['postgres://me:hunter 2@db.example/orders', null, /a blank as %20/],
  ['postgres://me:hunter2@db;x/orders', null, /no host name/],
  ['postgres://me:hunter2@db.example:port/orders', null],
  ['postgres://', null],
]

for (const [text, url, problem] of servers) {
  test(`as a database, ${text} is ${url === null ? 'refused' : 'read'}`, () => {
    const read = readDatabase(text)
    if (url !== null) return assert.equal(read, { database: { engine: 'postgres', url } })
    if (!('problem' in read)) return assert.unreachable()
    if (problem) assert.match(read.problem ?? '', problem)
    assert.not.match(read.problem ?? '', /hunter|db\.example/)
  })
}

test('what a form gives is read by it as it is, and holds nothing that hides', () => {
  const alphabet = [
    ...'ab1.:/@?#%[]*\'"\\;,-_ \r\n\t\u00a0\u200b\u202e\ud800ñß中０。',
    '://',
    'https://',
    'postgres://',
    'sqlite:',
  ]
  const texts = fc.array(fc.constantFrom(...alphabet), { maxLength: 14 }).map((parts) => parts.join(''))
  let taken = 0
  for (const [form, read] of Object.entries(settingForms)) {
    const sample = samples[form] ?? ''
    const mutated = fc
      .tuple(texts, fc.nat(sample.length), fc.nat(3))
      .map(([text, at, drop]) => sample.slice(0, at) + text.slice(0, 3) + sample.slice(at + drop))
    fc.assert(
      fc.property(fc.oneof(texts, mutated), (text) => {
        const first = read(text)
        if (!('value' in first)) return
        taken += 1
        assert.equal(read(first.value), first, JSON.stringify(text))
        assert.not.match(first.value, /(?! )[\p{C}\p{Z}\ufffd]/u)
        assert.is(first.value, first.value.trim())
      }),
      { numRuns: 1500 },
    )
  }
  assert.ok(taken > 2000, `${taken} were taken`)
})

test('two spellings of one endpoint are one too many, and are told of', () => {
  for (const place of places) {
    const lines = outcome(place, 'chains.SOLANA.rpc', ['https://a.example', 'https://A.example/'])
    assert.ok(Array.isArray(lines) && lines.length === 1, JSON.stringify(lines))
  }
})

test('redirections are made of what was read', () => {
  const settings = load('environment', 'http.publicUrl', 'https://pagó.example\r')
  assert.equal(publicUrls(settings.http, 1), {
    publicUrl: 'https://xn--pag-ina.example',
    checkoutUrl: 'https://xn--pag-ina.example/checkout',
  })
})

test('a network of everybody is one in any spelling', () => {
  for (const network of ['0.0.0.0/00', '0:0::/000']) {
    const lines = (() => {
      try {
        loadSettings({
          cwd: join(cwd, 'empty'),
          env: { VENTANILLA_MODE: 'production', VENTANILLA_HTTP_TRUSTEDPROXIES: JSON.stringify([network]) },
        })
      } catch (error) {
        if (error instanceof SettingsError) return error.lines
        throw error
      }
      return []
    })()
    assert.match(lines.join('\n'), 'http.trustedProxies: must name the proxies in production')
  }
})

test.run()
