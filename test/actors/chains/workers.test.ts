/** The workers of a chain, over a chain that says what a test tells it to. */
import pino from 'pino'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createChainDepositScanner } from '../../../actors/chains/chain-deposit-scanner.ts'
import { createChainHealth } from '../../../actors/chains/chain-health.ts'
import { createChainStanding } from '../../../actors/chains/chain-standing.ts'
import { ChainValues } from '../../../actors/chains/chain-values.ts'
import { createSightings } from '../../../actors/chains/sightings.ts'
import { createTransactionBuilder } from '../../../actors/chains/transaction-builder.ts'
import { type TreasuryReader, TreasuryReading } from '../../../actors/chains/treasuries.ts'
import { createCondition, readiness } from '../../../actors/condition/condition.ts'
import type {
  BuildRefusal,
  BuildRefusalKind,
  ChainAdapter,
  ChainFailure,
  ChainFailureKind,
  ChainHealth,
  KeptValues,
  Outcome,
  TransferRequest,
} from '../../../chain/chain.ts'
import type { ChainDeposit, ChainDepositPage } from '../../../chain/chain-deposits.ts'
import { type FakeClock, fakeClock } from '../../support/clock.ts'

const failure = (kind: ChainFailureKind, retryAfterMs: number | null = null): ChainFailure => ({
  kind,
  endpoint: 'node.example',
  message: `node.example: ${kind}.`,
  retryable: true,
  retryAfterMs,
})
const refusal = (kind: BuildRefusalKind, retryable = true): BuildRefusal => ({
  kind,
  retryable,
  message: kind,
})
const fine = <Value>(value: Value) => ({ ok: true, value }) as const
const bad = <Failure>(failed: Failure) => ({ ok: false, failure: failed }) as const

function world(clock: FakeClock = fakeClock()) {
  const condition = createCondition()
  condition.send({ type: 'serve' })
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line).msg) })
  const standing = createChainStanding({ blockchain: 'SOLANA', clock, condition, log, pauseMs: 1_000 })
  const reason = () => {
    const ready = readiness(condition)
    return ready.status === 'degraded' ? ready.reasons['chain:SOLANA'] : null
  }
  return { clock, condition, standing, lines, reason }
}

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

// -------------------------------------------------------------------------------------- transactions

const request = (name: string): TransferRequest => ({
  wallet: name,
  symbol: 'USDC',
  orderId: name,
  reference: '00',
  amount: 5n,
  deadline: Number.MAX_SAFE_INTEGER,
})

function builder(life = { network: 20_000, wallet: 600_000 }) {
  const at = world()
  const { clock } = at
  const reads: string[] = []
  const refusals = new Map<string, BuildRefusal>()
  const told: string[] = []
  const waiting: TransferRequest[] = []
  const due: TransferRequest[] = []
  const answers = { network: null as ChainFailure | null, isRead: true }
  const kept = (): KeptValues => ({ readAt: clock.now(), values: {} })
  const values = new ChainValues({
    keptFor: life,
    async readNetwork() {
      reads.push('network')
      return answers.network === null ? fine(kept()) : bad(answers.network)
    },
    async readWallets(requests) {
      reads.push(requests.map(({ wallet }) => wallet).join(' '))
      return requests.map(({ wallet }) => {
        const refused = refusals.get(wallet)
        return refused === undefined ? fine(kept()) : bad(refused)
      })
    },
    assemble({ wallet }, { network, wallet: own }, moment) {
      const isOld = moment - network.readAt > life.network || moment - own.readAt > life.wallet
      if (isOld) return bad(refusal('values_stale'))
      return fine({ transaction: `tx ${wallet}`, signableUntil: 0, landsUntil: null })
    },
  })
  const pass = createTransactionBuilder({
    values,
    clock,
    standing: at.standing,
    isRead: async () => answers.isRead,
    waiting: async () => waiting,
    due: async () => due,
    built: async ({ orderId }, { transaction }) => void told.push(`${orderId}: ${transaction}`),
    refused: async ({ orderId }, { kind }, retryAt) =>
      void told.push(`${orderId}: ${kind} ${retryAt - clock.now()}`),
  })
  return { ...at, values, pass, reads, refusals, told, waiting, due, answers }
}

test('a chain that no order waits for is asked nothing', async () => {
  const { pass, reads } = builder()
  await pass()
  assert.equal(reads, [])
})

test('a due transaction is built once its chain and its wallet were read', async () => {
  const { pass, reads, told, waiting, due, refusals } = builder()
  waiting.push(request('a'), request('b'), request('c'))
  due.push(request('b'), request('c'), request('a'))
  refusals.set('b', refusal('no_trustline'))
  refusals.set('c', refusal('wallet_invalid', false))
  await pass()
  assert.equal(reads, ['network', 'b c a'])
  assert.equal(told, ['b: no_trustline 15000', 'c: wallet_invalid 15000', 'a: tx a'])
})

test('a refused build is tried again with its wallet read again', async () => {
  const { pass, reads, told, waiting, due, refusals } = builder()
  waiting.push(request('a'))
  due.push(request('a'))
  refusals.set('a', refusal('no_trustline'))
  await pass()
  refusals.delete('a')
  await pass()
  assert.equal(reads, ['network', 'a', 'a'])
  assert.equal(told, ['a: no_trustline 15000', 'a: tx a'])
})

test('what a GET is given is never too old, as long as the chain answers', async () => {
  const { pass, values, waiting, clock, reads } = builder()
  waiting.push(request('a'))
  assert.is(values.assemble(request('a'), clock.now()).ok, false)
  for (let second = 0; second < 700; second += 2) {
    await pass()
    assert.is(values.assemble(request('a'), clock.now()).ok, true)
    clock.advance(2_000)
  }
  assert.is(reads.filter((read) => read === 'a').length, 2)
  assert.ok(reads.length < 700 / 12 + 3)
})

test('nothing is payable before the place from which deposits are read is stored', async () => {
  const { pass, values, waiting, due, clock, answers, told } = builder()
  answers.isRead = false
  waiting.push(request('a'))
  due.push(request('a'))
  await pass()
  assert.is(values.assemble(request('a'), clock.now()).ok, false)
  answers.isRead = true
  await pass()
  assert.is(values.assemble(request('a'), clock.now()).ok, true)
  answers.isRead = false
  await pass()
  assert.is(values.assemble(request('a'), clock.now()).ok, false)
  assert.equal(told, ['a: tx a'])
})

test('a clock that was set back does not make old values young', async () => {
  const { pass, values, waiting, clock } = builder()
  waiting.push(request('a'))
  await pass()
  clock.advance(-1)
  assert.is(values.assemble(request('a'), clock.now()).ok, false)
  await pass()
  assert.is(values.assemble(request('a'), clock.now()).ok, true)
})

test('a wallet that could not be read, or not pay, is asked about again soon', async () => {
  const { pass, values, waiting, clock, refusals } = builder()
  waiting.push(request('a'), request('b'))
  refusals.set('a', refusal('rpc_unavailable'))
  refusals.set('b', refusal('no_trustline'))
  await pass()
  refusals.clear()
  const isOffered = () => ['a', 'b'].map((name) => values.assemble(request(name), clock.now()).ok)
  clock.advance(3_000)
  await pass()
  assert.equal(isOffered(), [true, false])
  clock.advance(12_000)
  await pass()
  assert.equal(isOffered(), [true, true])
})

test('whoever asks for an order that is not among the listed ones is served a moment later', async () => {
  const { pass, values, waiting, clock } = builder()
  waiting.push(request('a'))
  assert.is(values.assemble(request('b'), clock.now()).ok, false)
  await pass()
  assert.is(values.assemble(request('b'), clock.now()).ok, true)
})

test('an outage is over for those who wait to pay within ten seconds of its end', async () => {
  const { pass, waiting, clock, answers, values } = builder()
  waiting.push(request('a'))
  answers.network = failure('unavailable')
  for (let second = 0; second < 300; second += 1) {
    await pass()
    clock.advance(1_000)
  }
  answers.network = null
  for (let second = 0; second < 10; second += 1) {
    clock.advance(1_000)
    await pass()
  }
  assert.is(values.assemble(request('a'), clock.now()).ok, true)
})

test('while the chain is out old values serve until they are too old, and orders are told why', async () => {
  const { pass, values, waiting, due, clock, answers, told, reason } = builder()
  waiting.push(request('a'))
  await pass()
  answers.network = failure('unavailable')
  clock.advance(15_000)
  await pass()
  assert.is(values.assemble(request('a'), clock.now()).ok, true)
  assert.is(reason(), 'node.example: unavailable.')
  clock.advance(10_000)
  due.push(request('a'))
  await pass()
  assert.equal(told, ['a: values_stale 3000'])
  answers.network = null
  clock.advance(3_000)
  await pass()
  assert.equal([told.at(-1), reason()], ['a: tx a', null])
})

test('wallets whose values age quickly are read for as long as somebody wants them', async () => {
  const { pass, values, waiting, clock, reads } = builder({ network: 60_000, wallet: 20_000 })
  waiting.push(request('a'), request('b'))
  const readsOf = async (seconds: number, each: () => void = () => {}) => {
    reads.length = 0
    for (let second = 0; second < seconds; second += 2) {
      each()
      await pass()
      clock.advance(2_000)
    }
    return reads.filter((read) => read !== 'network').join(' ')
  }
  await readsOf(200)
  assert.is(await readsOf(60), '')
  assert.match(await readsOf(60, () => values.assemble(request('b'), clock.now())), /^b( b){4,5}$/)
})

test('a thousand wallets are read a few hundred at a time', async () => {
  const { pass, waiting, reads } = builder()
  for (let index = 0; index < 1000; index += 1) waiting.push(request(`w${index}`))
  let passes = 1
  while ((await pass()).more) passes += 1
  assert.is(passes, 5)
  assert.is(reads.join(' ').match(/w\d+/g)?.length, 1000)
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
