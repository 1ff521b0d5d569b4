/**
 * Every page of the console and every way to narrow, sort and page its lists over many orders, far down and of parties that have none:
 * how large each is, and how long the node takes for it; of files the first part.
 * `npm run bench -- pages [--orders 1000000] [--folder FOLDER [--database URL]]`; a folder is filled once, and copied for each run. On
 * PostgreSQL once `ventanilla move` has brought there what the folder has.
 *
 * Whoever asks is in the node's own process, so that what is measured is a little more than what the node takes.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listFileHref, listFilePath } from '../../http/console/list-links.ts'
import { type ConsoleVisitor, dispatchOf, visitorAs } from '../support/console.ts'
import { everyPage } from '../support/console-barriers.ts'
import { median, printTable } from './figures.ts'
import { assertRoom } from './filling.ts'
import { longName, prepareMix } from './mix.ts'

const most = { bytes: 60_000, milliseconds: 150 }

export async function benchPages({
  orders = 1_000_000,
  folder,
  database,
  rounds = 5,
}: {
  orders?: number
  folder?: string
  database?: string
  rounds?: number
}): Promise<void> {
  const kept = folder ?? mkdtempSync(join(tmpdir(), 'ventanilla-bench-'))
  const copy = mkdtempSync(join(tmpdir(), 'ventanilla-bench-'))
  try {
    assertRoom(copy, orders * 2)
    if (!existsSync(join(kept, 'node.db'))) {
      mkdirSync(kept, { recursive: true })
      console.log(`filling with ${orders.toLocaleString('en')} orders, which takes the longest`)
      await prepareMix(kept, orders)
    }
    cpSync(kept, copy, { recursive: true })
    report(await measureIn(copy, rounds, database))
  } finally {
    rmSync(copy, { recursive: true, force: true })
    if (folder === undefined) rmSync(kept, { recursive: true, force: true })
  }
}

/**
 * @param directory in which everything stays that the pages need
 * @param database where `ventanilla move` has brought what was filled; the test world is written there
 */
async function measureIn(directory: string, rounds: number, database?: string): Promise<Measured[]> {
  const closing: (() => Promise<unknown>)[] = []
  const keys = { VENTANILLA_KEYS_FILE: join(directory, 'node.db.key') }
  const options =
    database === undefined ? { directory } : { directory, env: { VENTANILLA_DATABASE: database, ...keys } }
  try {
    const { node, addresses } = await everyPage({ closing: (stop) => closing.push(stop) }, options)
    const visitor = await visitorAs(node, 'administrator')
    const places = [...new Set([...addresses, ...(await narrowed(dispatchOf(node)))])]
    console.log(`${places.length} pages, ${rounds} times each after a first one that is not counted`)
    return await measure(visitor, places, rounds)
  } finally {
    for (const stop of closing) await stop()
  }
}

type Ask = ReturnType<typeof dispatchOf>

/** Lists in every way they are narrowed, sorted and paged, and pages of those who have much. */
async function narrowed(ask: Ask): Promise<string[]> {
  const cross = (...parts: readonly (readonly string[])[]): string[] =>
    parts.reduce<string[]>(
      (all, part) => all.flatMap((one) => part.map((other) => [one, other].filter(Boolean).join('&'))),
      [''],
    )
  const merchants = ['', 'Abarrotes del Bajío', 'Other Shop'].map((name) => parameter('merchant', name))
  const providers = ['', 'Correos'].map((name) => parameter('provider', name))
  const statuses = ['', 'READY', 'COMPLETED', 'EXPIRED'].map((name) => parameter('status', name))
  const spans = ['', 'from=2026-01-15&to=2026-01-15', 'from=2026-01-05&to=2026-02-20', 'to=2026-01-03']
  const sorts = ['', 'sort=oldest']
  const lists: readonly [path: string, queries: readonly string[]][] = [
    ['/orders', cross(merchants, providers, statuses, spans, sorts)],
    ['/exceptions', cross(['', 'state=resolved'], sorts)],
    [
      '/webhooks',
      cross(['', 'state=dead', 'state=delivered', 'state=pending', 'state=superseded'], merchants, sorts),
    ],
    ['/payments', cross(['', 'state=ordered', 'state=booked'], sorts)],
    ['/statements', cross(merchants, ['', 'from=2026-01-05&to=2026-02-20', 'currency=MXN'])],
    ['/audit', cross(['', 'operator=ana', 'operation=order.cancel'], sorts)],
    ['/reconciliation', ['', 'from=2026-01-01&to=2026-02-01']],
    ['/notifications', ['', 'state=pending', 'state=dead']],
    ['/claims', ['', 'state=all']],
    [
      '/search',
      [
        'q=correos',
        'q=1000.00',
        'q=349.90+MXN',
        'q=cliente1.1@correo.example',
        'q=past-500000',
        'q=abcdef',
        'q=Ñandú',
      ],
    ],
  ]
  const all = lists.flatMap(([path, queries]) =>
    queries.map((query) => (query === '' ? path : `${path}?${query}`)),
  )
  const { orders } = (await ask('order.list', { limit: 1, to: '2026-01-20' }, 'bench')) as {
    orders: { id: string }[]
  }
  const busy = [longName, 'Abarrotes del Bajío'].map((name) => `/merchants/${encodeURIComponent(name)}`)
  const statement = (number: number) =>
    `/statement?${parameter('party', 'Correos')}&kind=provider&currency=MXN&number=${number}`
  const far = await farDown(ask)
  return [
    ...all,
    ...far.map((query) => `/orders?${query}`),
    ...[far[0] ?? '', `merchant=Other+Shop&${far[0]}`].map((query) =>
      listFileHref(`/orders?${query}`, 'orders'),
    ),
    ...busy,
    '/providers/Correos',
    `/terms?kind=provider&${parameter('party', 'Correos')}`,
    statement(30),
    `/orders/${orders[0]?.id}`,
    `/inspect/orders/${orders[0]?.id}`,
  ]
}

/** Pages of the list of orders that end it, in each way that it is narrowed. */
async function farDown(ask: Ask): Promise<string[]> {
  const { next } = (await ask('order.list', { limit: 200, oldestFirst: true }, 'bench')) as {
    next: string | null
  }
  const cursor = parameter('cursor', next ?? '')
  return ['', 'status=COMPLETED', 'merchant=Other+Shop', 'provider=Correos'].map((query) =>
    [query, cursor].filter(Boolean).join('&'),
  )
}

function parameter(name: string, value: string): string {
  return value === '' ? '' : new URLSearchParams({ [name]: value }).toString()
}

interface Measured {
  place: string
  status: number
  bytes: number
  taken: number[]
}

/** Each place in turn, so that a bad moment of the machine is not one page's. Of each list its second page, too. */
async function measure(
  visitor: ConsoleVisitor,
  places: readonly string[],
  rounds: number,
): Promise<Measured[]> {
  const measured = new Map<string, Measured>()
  const all = [...places]
  for (let round = 0; round <= rounds; round++) {
    for (const place of all) {
      const startedAt = performance.now()
      const { status, text } = place.startsWith(listFilePath)
        ? await firstPart(visitor, place)
        : await visitor.get(place)
      const one = measured.get(place) ?? { place, status, bytes: Buffer.byteLength(text), taken: [] }
      if (round > 0) one.taken.push(performance.now() - startedAt)
      measured.set(place, one)
      const next = /<a class="button quiet" href="([^"]+)" rel="next"/.exec(text)?.[1]
      if (round === 0 && next !== undefined && !place.includes('cursor='))
        all.push(next.replaceAll('&amp;', '&'))
    }
  }
  return [...measured.values()]
}

/** Of a file, which goes on for a million lines. */
async function firstPart(visitor: ConsoleVisitor, place: string): Promise<{ status: number; text: string }> {
  const response = await fetch(visitor.url + place, { headers: { Cookie: visitor.cookie ?? '' } })
  const reader = response.body?.getReader()
  const first = await reader?.read()
  await reader?.cancel()
  return { status: response.status, text: new TextDecoder().decode(first?.value) }
}

function report(measured: readonly Measured[]): void {
  const misses = ({ status, bytes, taken }: Measured) =>
    [
      ...(status === 200 || status === 303 ? [] : [`answered ${status}`]),
      ...(bytes > most.bytes ? ['too large'] : []),
      ...(median(taken) > most.milliseconds ? ['too slow'] : []),
    ].join(', ')
  const slowestFirst = measured.toSorted((one, other) => median(other.taken) - median(one.taken))
  printTable(
    ['page', 'KB', 'median ms', 'max ms', ''],
    slowestFirst.map((one) => [
      one.place.length > 100 ? `${one.place.slice(0, 99)}…` : one.place,
      (one.bytes / 1000).toFixed(1),
      median(one.taken).toFixed(1),
      Math.max(...one.taken).toFixed(1),
      misses(one),
    ]),
  )
  const missed = measured.filter((one) => misses(one) !== '').length
  console.log(
    `${missed} of ${measured.length} pages are over ${most.bytes / 1000} KB or ${most.milliseconds} ms.`,
  )
}
