/** The workers of a chain, over a chain that says what a test tells it to. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createChainDepositScanner } from '../../../actors/chains/chain-deposit-scanner.ts'
import { createChainHealth } from '../../../actors/chains/chain-health.ts'
import { createSightings } from '../../../actors/chains/sightings.ts'
import { type TreasuryReader, TreasuryReading } from '../../../actors/chains/treasuries.ts'
import type { ChainAdapter, ChainFailure, ChainHealth, Outcome } from '../../../chain/chain.ts'
import type { ChainDeposit, ChainDepositPage } from '../../../chain/chain-deposits.ts'
import { bad, failure, fine, world } from './worker-world.ts'

test('a failure is logged once, degrades the node, and pauses longer each time', () => {
  const { standing, lines, reason, clock } = world()
  const waits = [1, 2, 3].map(() => standing.failed('deposits', failure('unavailable')) - clock.now())
  assert.equal(waits, [1_000, 2_000, 4_000])
  assert.is(standing.failed('deposits', failure('rate_limited', 90_000)) - clock.now(), 90_000)
  assert.is(reason(), 'node.example: rate_limited.')
  for (let again = 0; again < 20; again += 1) standing.failed('deposits', failure('rate_limited'))
  assert.is(standing.failed('deposits', failure('rate_limited')) - clock.now(), 60_000)
  standing.answered('transactions')
  standing.answered('deposits')
  standing.answered('deposits')
  assert.is(reason(), null)
  assert.equal(lines, ['node.example: unavailable.', 'node.example: rate_limited.', 'no longer in trouble'])
})

test('while one part of a chain fails the node stays degraded', () => {
  const { standing, reason } = world()
  standing.failed('health', failure('inconsistent'))
  standing.failed('deposits', failure('unavailable'))
  assert.is(reason(), 'node.example: unavailable.')
  standing.answered('deposits')
  assert.is(reason(), 'node.example: inconsistent.')
})

test('what a stop cuts off is no failure', () => {
  const { standing, condition, lines } = world()
  condition.send({ type: 'drain' })
  standing.failed('deposits', failure('unavailable'))
  assert.equal(lines, [])
})

test('health degrades with its first problem, and the clock watch hears every clock', async () => {
  const { standing, reason } = world()
  const healths: ChainHealth[] = []
  const heard: (readonly number[])[] = []
  const health = (ok: boolean, clockOffsetMs: number | null): ChainHealth => {
    const problems = ok ? [] : ['node.example is late.']
    return {
      ok,
      endpoint: 'node.example',
      network: null,
      head: null,
      headAt: null,
      lagMs: 5,
      clockOffsetMs,
      problems,
    }
  }
  const chain = {
    blockchain: 'SOLANA',
    health: async () => healths.shift() ?? health(true, null),
  } as ChainAdapter
  const pass = createChainHealth({
    chains: new Map([['SOLANA', chain]]),
    standings: new Map([['SOLANA', standing]]),
    clockWatch: { hear: async (offsets) => void heard.push(offsets) },
  })
  healths.push(health(false, 7), health(true, null))
  await pass()
  assert.is(reason(), 'node.example is late.')
  assert.equal((await pass()).seen, { 'lagMs:SOLANA': 5 })
  assert.is(reason(), null)
  assert.equal(heard, [[7], []])
})

// ------------------------------------------------------------------------------------------ deposits

test('reading begins at the head, goes on page after page, and repeats what was not recorded', async () => {
  const { clock, standing, reason } = world()
  const pages: Outcome<ChainDepositPage, ChainFailure>[] = []
  const asked: string[] = []
  let cursor: string | null = null
  let isBroken = false
  const chain: TreasuryReader = {
    startCursor: async () => fine('0'),
    deposits: async (from) => {
      asked.push(from)
      return pages.shift() ?? bad(failure('unavailable'))
    },
    unfinalizedChainDeposits: async () => fine([]),
  }
  const pass = createChainDepositScanner({
    lost: { find: async () => ({ ok: true, value: new Map() }) },
    clock,
    standing,
    pollMs: 500,
    reading: new TreasuryReading({ current: { name: 'treasury', chain }, former: [] }),
    setting: 'chains.SOLANA.formerTreasuries',
    namedByOrders: async () => [],
    cursor: async () => cursor,
    async begin(start) {
      cursor = start
    },
    async record(page) {
      if (isBroken) throw new Error('the disk is full')
      cursor = page.cursor
    },
  })
  const page = (next: string, more: boolean) => fine({ deposits: [], cursor: next, more, scannedTo: null })
  assert.is((await pass()).more, true)
  pages.push(page('1', true), page('2', false))
  assert.is((await pass()).more, true)
  assert.is((await pass()).nextAt, clock.now() + 500)
  assert.is((await pass()).nextAt, clock.now() + 1_000)
  assert.is(reason(), 'node.example: unavailable.')
  isBroken = true
  pages.push(page('3', false), page('3', false))
  let thrown = ''
  await pass().catch((error) => {
    thrown = String(error)
  })
  assert.is(thrown, 'Error: the disk is full')
  isBroken = false
  await pass()
  assert.equal(
    [asked, cursor, reason()],
    [['0', '1', '2', '2', '2'], '{"treasuries":{"treasury":"3"}}', null],
  )
})

// ----------------------------------------------------------------------------------------- sightings

test('what is not final is marked while an order can be paid, and nothing is asked otherwise', async () => {
  const { clock, standing, reason } = world()
  let isWatched = false
  let answer: Outcome<readonly ChainDeposit[], ChainFailure> = bad(failure('unavailable'))
  const marked: number[] = []
  const pass = createSightings({
    clock,
    standing,
    pollMs: 500,
    chain: { unfinalizedChainDeposits: async () => answer },
    isWatched: async () => isWatched,
    mark: async (deposits) => void marked.push(deposits.length),
  })
  await pass()
  assert.is(reason(), null)
  isWatched = true
  assert.is((await pass()).nextAt, clock.now() + 1_000)
  assert.is(reason(), 'node.example: unavailable.')
  answer = fine([])
  assert.is((await pass()).nextAt, clock.now() + 500)
  assert.equal([marked, reason()], [[0], null])
})

test.run()
