/** `npm run bench [-- NAME]`: measures, and prints a table. Nothing here is a test. */
import { parseArgs } from 'node:util'
import { describeMachine } from './machine.ts'

interface Bench {
  summary: string
  run(options: { orders?: number; against?: string; folder?: string; database?: string }): Promise<void>
}

// Each is loaded only when it is asked for.
const benches: Record<string, Bench> = {
  orders: {
    summary: 'rates, latencies and memory; beside a server without an architecture, and one commit a request',
    run: async () => (await import('./orders.ts')).benchOrders(),
  },
  webhooks: {
    summary: 'confirmed and delivered a second, and what 100,000 that wait cost',
    run: async () => (await import('./webhooks.ts')).benchWebhooks({ rounds: 6, events: 8000 }),
  },
  limits: {
    summary: 'what limits, stored answers and the journal cost',
    run: async () => (await import('./limits.ts')).benchLimits(),
  },
  growth: {
    summary: 'a database with --orders finished orders (1000000) beside an empty one',
    run: async (options) => (await import('./growth.ts')).benchGrowth(options),
  },
  pages: {
    summary:
      'size and time of every page of the console over a mix of --orders orders (1000000), kept in --folder',
    run: async (options) => (await import('./pages.ts')).benchPages(options),
  },
  tasks: {
    summary: 'clicks and seconds of fifteen tasks in a browser, over what pages has filled in --folder',
    run: async (options) => (await import('./tasks.ts')).benchTasks(options),
  },
  search: {
    summary:
      'finding one of --orders finished orders (1000000) by what people have in hand, and what its indexes cost',
    run: async (options) => (await import('./search.ts')).benchSearch(options),
  },
  viewers: {
    summary: 'what a thousand open checkout pages cost',
    run: async () => (await import('./viewers.ts')).benchViewers(),
  },
  chains: {
    summary: 'deposits scanned a second on each local network, and recorded',
    run: async () => (await import('./chains.ts')).benchChains(),
  },
  rows: {
    summary: 'what a life of an order writes: rows, index entries, bytes, pages',
    run: async () => (await import('./rows.ts')).benchRows(),
  },
  peers: {
    summary: 'lives a second of the node, of the limit, and of what a user would write instead',
    run: async () => (await import('./peers.ts')).benchPeers(),
  },
  postgres: {
    summary: 'the node on PostgreSQL and three of them, beside a plain Koa + Kysely + pg service',
    run: async () => (await import('./postgres.ts')).benchPostgres(),
  },
  against: {
    summary: 'the node on SQLite beside the one of the commit --against, in turn',
    run: async ({ against = 'HEAD' }) => (await import('./against.ts')).benchAgainst({ commit: against }),
  },
  unsigned: {
    summary: 'what one request of a stranger costs, of each hostile shape',
    run: async () => (await import('./unsigned.ts')).benchUnsigned(),
  },
  strangers: {
    summary: 'what a hundred connections of strangers leave to others',
    run: async () => (await import('./unsigned.ts')).benchStrangers(),
  },
  verify: {
    summary: 'latencies while `verify` runs, and while it does not',
    run: async () => (await import('./verify.ts')).benchVerify(),
  },
}

const usage = `npm run bench [-- NAME] [--orders NUMBER] [--against COMMIT] [--folder FOLDER] [--database URL]

${Object.entries(benches)
  .map(([name, { summary }]) => `  ${name.padEnd(10)}${summary}`)
  .join('\n')}

Without a name it is orders, with --orders growth, and with --against against, which takes HEAD by itself. Each
takes some minutes and wants a quiet machine.
`

interface Asked {
  bench: Bench
  orders?: number
  against?: string
  folder?: string
  database?: string
}

/** `null` where help was asked for. @throws Error with what is wrong with the arguments. */
function readArguments(): Asked | null {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      orders: { type: 'string' },
      against: { type: 'string' },
      folder: { type: 'string' },
      database: { type: 'string' },
    },
  })
  if (values.help) return null
  if (positionals.length > 1) throw new Error('One bench at a time.')
  const { orders, against, folder, database } = values
  const byOption = orders !== undefined ? 'growth' : against !== undefined ? 'against' : 'orders'
  const [name = byOption] = positionals
  const bench = Object.hasOwn(benches, name) ? benches[name] : undefined
  if (bench === undefined) {
    throw new Error(`There is no bench ${name}; there are ${Object.keys(benches).join(', ')}.`)
  }
  if (against !== undefined && name !== 'against') throw new Error('--against is for against.')
  if (folder !== undefined && !['pages', 'tasks'].includes(name))
    throw new Error('--folder is for pages and tasks.')
  if (database !== undefined && (name !== 'pages' || folder === undefined))
    throw new Error('--database is for pages, and wants the --folder that was moved to it.')
  const given = {
    bench,
    ...(against === undefined ? {} : { against }),
    ...(folder === undefined ? {} : { folder }),
    ...(database === undefined ? {} : { database }),
  }
  if (orders === undefined) return given
  if (!['growth', 'search', 'pages'].includes(name))
    throw new Error('--orders is for growth, search and pages.')
  if (!/^[1-9]\d{0,8}$/.test(orders)) throw new Error('--orders takes a whole number above zero.')
  return { ...given, orders: Number(orders) }
}

function readOrExplain(): Asked | null {
  try {
    const asked = readArguments()
    if (asked === null) console.log(usage)
    return asked
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`)
    process.exitCode = 2
    return null
  }
}

const asked = readOrExplain()
if (asked !== null) {
  const { bench, ...options } = asked
  console.log(describeMachine())
  await bench.run(options)
}
