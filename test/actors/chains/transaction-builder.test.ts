/** What the builder of a chain reads, builds and keeps, over a chain that says what a test tells it to. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ChainValues } from '../../../actors/chains/chain-values.ts'
import { createTransactionBuilder } from '../../../actors/chains/transaction-builder.ts'
import type { BuildRefusal, ChainFailure, KeptValues, TransferRequest } from '../../../chain/chain.ts'
import { bad, failure, fine, refusal, world } from './worker-world.ts'

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

test.run()
