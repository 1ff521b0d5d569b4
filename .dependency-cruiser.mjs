import { floors } from './scripts/floors.ts'

/**
 * Who may import whom. A room imports itself, the rooms and the packages of its row, and nothing else;
 * `import type` counts like any other import.
 *
 * @typedef {object} Room
 * @property {string[]} files what it may import from other rooms, as regular expressions over paths
 * @property {string[]} typesOf of these only types, with `import type`
 * @property {string[] | 'any'} packages
 * @property {boolean} node whether it may use Node's own modules and the logger
 */

/** @type {Record<string, Room>} */
const rooms = {
  machines: { files: [], typesOf: [], packages: ['xstate', 'bignumber.js'], node: false },
  chain: {
    files: ['^machines/blockchains\\.ts$'],
    typesOf: ['^machines/(?!blockchains\\.ts$)'],
    packages: ['@solana/web3.js', '@stellar/stellar-sdk', 'viem'],
    node: true,
  },
  persistence: {
    files: ['^machines/'],
    typesOf: [],
    packages: ['kysely', 'better-sqlite3', 'pg'],
    node: true,
  },
  actors: {
    // The store's port, the statements written against it, the chains' port, matching and what is on record; no engine, no adapter.
    files: [
      '^machines/',
      '^persistence/(store|schema|statement|snapshots)\\.ts$',
      '^persistence/schema-[a-z-]+\\.ts$',
      '^persistence/queries/',
      '^chain/(chain|chain-deposits|matching|recorded)\\.ts$',
    ],
    typesOf: [],
    packages: [
      'xstate',
      '@xstate/store',
      'node-cron',
      'ipaddr.js',
      'csv-parse',
      'fflate',
      '@simplewebauthn/server',
      'otpauth',
      'sax',
      'temporal-polyfill',
      'ajv',
      'nodemailer',
    ],
    node: true,
  },
  http: {
    // Of the charts only types; the pure functions of money and time are used as they are (docs/decisions, 0003).
    files: ['^actors/', '^machines/(money|time|statuses|blockchains)\\.ts$', '^package\\.json$'],
    typesOf: ['^machines/(?!(money|time|statuses|blockchains)\\.ts$)'],
    packages: ['koa', '@koa/router', 'koa-body', 'ajv', 'uqr', 'ipaddr.js', 'ws'],
    node: true,
  },
  client: { files: [], typesOf: [], packages: [], node: true },
  node: {
    files: ['^(machines|chain|persistence|actors|http|data)/', '^package\\.json$'],
    typesOf: [],
    packages: 'any',
    node: true,
  },
  cli: { files: ['^[a-z]+/', '^package\\.json$'], typesOf: [], packages: 'any', node: true },
  scripts: { files: ['^[a-z]+/'], typesOf: [], packages: 'any', node: true },
  test: { files: ['^[a-z]+/'], typesOf: [], packages: 'any', node: true },
}

/** @param {string} name */
function packagePath(name) {
  return `(^|/)node_modules/${name.replaceAll('.', '\\.')}/`
}

const rules = Object.entries(rooms).flatMap(([room, { files, typesOf, packages, node }]) => {
  const own = `^${room}/`
  const allowed = packages === 'any' ? ['(^|/)node_modules/'] : packages.map(packagePath)
  if (node) allowed.push(packagePath('pino'))
  const core = node ? { dependencyTypesNot: ['core'] } : {}
  return [
    {
      name: `${room}-imports`,
      severity: 'error',
      from: { path: own },
      to: { pathNot: [own, ...files, ...typesOf, ...allowed], ...core },
    },
    ...typesOf.map((path) => ({
      name: `${room}-imports-only-types`,
      severity: 'error',
      from: { path: own },
      to: { path, dependencyTypesNot: ['type-only'] },
    })),
  ]
})

const floorRules = Object.entries(floors).flatMap(([room, folders]) =>
  folders.slice(0, -1).map((folder, floor) => ({
    name: `${room}-floors`,
    severity: 'error',
    from: { path: `^${room}/${folder}/` },
    to: { path: `^${room}/(${folders.slice(floor + 1).join('|')})/` },
  })),
)

export default {
  forbidden: [
    ...rules,
    ...floorRules,
    {
      // What reckons beside the program has nothing of it, so that both are never wrong for one reason.
      name: 'independent-model',
      severity: 'error',
      from: { path: '^test/(support|simulation)/model/' },
      to: { pathNot: ['^test/(support|simulation)/model/'] },
    },
    { name: 'no-cycle', severity: 'error', from: {}, to: { circular: true } },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'no-development-package-at-run-time',
      severity: 'error',
      from: { path: '^(machines|chain|persistence|actors|http|client|node|cli)/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    // TypeScript 7 has no compiler API that dependency-cruiser could use; without a parser it sees no modules.
    parser: 'swc',
    moduleSystems: ['es6', 'cjs'],
    doNotFollow: { path: '(^|/)node_modules/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.mjs', '.js', '.cjs', '.json', '.d.ts'],
    },
  },
}
