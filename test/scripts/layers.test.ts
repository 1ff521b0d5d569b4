import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'

const root = join(import.meta.dirname, '../..')

function layers(folder: string) {
  const { stdout, status } = spawnSync(process.execPath, [join(root, 'scripts/layers.ts'), folder], {
    encoding: 'utf8',
  })
  return { lines: stdout.trimEnd().split('\n'), status }
}

/** Writes a small tree of files, checks it, and removes it. */
function layersOf(files: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'ventanilla-layers-'))
  try {
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    cpSync(join(root, 'package.json'), join(folder, 'package.json'))
    for (const [name, source] of Object.entries(files)) {
      mkdirSync(join(folder, dirname(name)), { recursive: true })
      writeFileSync(join(folder, name), source)
    }
    return layers(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** What the planted imports point to. */
const targets = {
  'machines/order.ts':
    "import 'xstate'\nimport 'bignumber.js'\nexport type Order = 1\nexport const order = 1\n",
  'machines/chart.ts': 'export const chart = 1\n',
  'chain/chain.ts': "import type { Order } from '../machines/order.ts'\nexport type Chain = Order\n",
  'chain/solana.ts': 'export type Solana = 1\n',
  'persistence/store.ts': "import type { Kysely } from 'kysely'\nexport type Store = Kysely<object>\n",
  'persistence/queries/orders.ts':
    "import { order } from '../../machines/order.ts'\nexport const query = order\n",
  'persistence/sqlite/engine.ts': "import 'better-sqlite3'\nexport type Engine = 1\n",
  'actors/registry.ts': [
    "import 'node:crypto'",
    "import 'pino'",
    "import 'xstate'",
    "import '@xstate/store'",
    "import 'node-cron'",
    "import '../machines/order.ts'",
    "import '../persistence/queries/orders.ts'",
    "import type { Store } from '../persistence/store.ts'",
    "import type { Chain } from '../chain/chain.ts'",
    'export type Registry = Store | Chain',
  ].join('\n'),
  'http/app.ts': [
    "import 'koa'",
    "import '@koa/router'",
    "import 'ajv'",
    "import type { Order } from '../machines/order.ts'",
    "import '../actors/registry.ts'",
    'export type App = Order',
  ].join('\n'),
  'cli/main.ts': "import '../http/app.ts'\nimport '../persistence/sqlite/engine.ts'\nimport 'commander'\n",
  'test/app.test.ts': "import 'uvu'\nimport '../http/app.ts'\n",
}

test('what the table of rooms allows passes', () => {
  const { lines, status } = layersOf(targets)
  assert.equal(lines, ['11 modules in 7 rooms, 0 problems'])
  assert.is(status, 0)
})

/** Where a forbidden import is planted, the import, and the rule that has to name it. */
const violations: [file: string, source: string, rule: string, target: string][] = [
  ['machines', "import '../persistence/store.ts'", 'machines-imports', 'persistence/store.ts'],
  [
    'machines',
    "import type { Store } from '../persistence/store.ts'",
    'machines-imports',
    'persistence/store.ts',
  ],
  ['machines', "export * from '../actors/registry.ts'", 'machines-imports', 'actors/registry.ts'],
  ['machines', "await import('../http/app.ts')", 'machines-imports', 'http/app.ts'],
  ['machines', "import { readFileSync } from 'node:fs'", 'machines-imports', 'fs'],
  ['machines', "import type { Stats } from 'node:fs'", 'machines-imports', 'fs'],
  ['machines', "import pino from 'pino'", 'machines-imports', 'node_modules/pino/'],
  ['machines', "import type { Kysely } from 'kysely'", 'machines-imports', 'node_modules/kysely/'],
  ['chain', "import { order } from '../machines/order.ts'", 'chain-imports-only-types', 'machines/order.ts'],
  ['chain', "import type { Store } from '../persistence/store.ts'", 'chain-imports', 'persistence/store.ts'],
  [
    'persistence',
    "import type { Registry } from '../actors/registry.ts'",
    'persistence-imports',
    'actors/registry.ts',
  ],
  ['persistence', "import 'koa'", 'persistence-imports', 'node_modules/koa/'],
  ['actors', "import '../persistence/sqlite/engine.ts'", 'actors-imports', 'persistence/sqlite/engine.ts'],
  [
    'actors',
    "import type { Engine } from '../persistence/sqlite/engine.ts'",
    'actors-imports',
    'persistence/sqlite/engine.ts',
  ],
  ['actors', "import type { Solana } from '../chain/solana.ts'", 'actors-imports', 'chain/solana.ts'],
  ['actors', "import { sql } from 'kysely'", 'actors-imports', 'node_modules/kysely/'],
  ['actors', "import type { App } from '../http/app.ts'", 'actors-imports', 'http/app.ts'],
  ['http', "import { sql } from 'kysely'", 'http-imports', 'node_modules/kysely/'],
  ['http', "import type { Store } from '../persistence/store.ts'", 'http-imports', 'persistence/store.ts'],
  ['http', "import { chart } from '../machines/chart.ts'", 'http-imports-only-types', 'machines/chart.ts'],
  ['client', "import type { Order } from '../machines/order.ts'", 'client-imports', 'machines/order.ts'],
  ['cli', "import 'uvu'", 'no-development-package-at-run-time', 'node_modules/uvu/'],
  [
    'test/support/model',
    "import { order } from '../../../machines/order.ts'",
    'independent-model',
    'machines/order.ts',
  ],
  [
    'test/support/model',
    "import type { World } from '../world.ts'",
    'independent-model',
    'test/support/world.ts',
  ],
  [
    'test/support/model',
    "import { Temporal } from 'temporal-polyfill'",
    'independent-model',
    'temporal-polyfill',
  ],
  ['cli', "import './nowhere.ts'", 'resolvable', './nowhere.ts'],
]

test('each forbidden import is found, import type too', () => {
  const planted = violations.map(([room, source], index) => [
    `${room}/planted-${index}.ts`,
    `${source}\nexport {}\n`,
  ])
  const { lines, status } = layersOf({
    ...targets,
    'test/support/world.ts': 'export type World = 1\n',
    ...Object.fromEntries(planted),
  })
  assert.is(status, 1)
  for (const [index, [room, source, rule, target]] of violations.entries()) {
    const found = lines.some(
      (line) => line.startsWith(`${rule}: ${room}/planted-${index}.ts → `) && line.includes(target),
    )
    assert.ok(found, `${room}: ${source}`)
  }
})

test('a cycle is found, of types too', () => {
  const { lines, status } = layersOf({
    'machines/one.ts': "import type { Two } from './two.ts'\nexport type One = Two\n",
    'machines/two.ts': "import type { One } from './one.ts'\nexport type Two = One\n",
  })
  assert.is(status, 1)
  assert.is(lines[0], 'no-cycle: machines/one.ts → machines/two.ts → machines/one.ts')
})

test('a folder that imports one above it is found, through whichever file, and import type too', () => {
  const files = {
    'actors/orders/registry.ts':
      "import type { Delivery } from '../webhooks/delivery.ts'\nexport type Registry = Delivery\n",
    'actors/webhooks/delivery.ts': 'export type Delivery = 1\n',
    'actors/webhooks/sender.ts':
      "import type { Journal } from '../orders/journal.ts'\nexport type Sender = Journal\n",
    'actors/orders/journal.ts': 'export type Journal = 1\n',
    'http/pages/locale.ts': "import '../console/layout.ts'\n",
    'http/console/layout.ts': 'export {}\n',
    'persistence/sqlite/engine.ts': "import '../postgres/engine.ts'\n",
    'persistence/postgres/engine.ts': 'export {}\n',
  }
  const { lines, status } = layersOf(files)
  assert.is(status, 1)
  assert.equal(lines.toSorted(), [
    '8 modules in 3 rooms, 3 problems',
    'actors-floors: actors/webhooks/sender.ts → actors/orders/journal.ts',
    'http-floors: http/pages/locale.ts → http/console/layout.ts',
    'persistence-floors: persistence/sqlite/engine.ts → persistence/postgres/engine.ts',
  ])
})

test('a folder without a floor is refused', () => {
  const { lines, status } = layersOf({ ...targets, 'actors/elsewhere/room.ts': 'export {}\n' })
  assert.is(status, 1)
  assert.is(lines[0], 'actors/elsewhere has no line among the floors of actors')
})

test('an inline import type is refused, because the check would not see it', () => {
  const { lines, status } = layersOf({
    ...targets,
    'machines/planted.ts': "export type Hidden = { store: import('../persistence/store.ts').Store }\n",
  })
  assert.is(status, 1)
  assert.match(lines[0] ?? '', 'machines/planted.ts holds an inline import')
})

test('a tree without modules fails', () => {
  const { lines, status } = layersOf({ 'machines/readme.md': '' })
  assert.is(status, 1)
  assert.match(lines[0] ?? '', 'no modules')
})

test.run()
