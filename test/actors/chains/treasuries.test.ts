/** Deposits to a chain's treasury and its former ones are read from one cursor that holds the place of each. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createChainDepositScanner } from '../../../actors/chains/chain-deposit-scanner.ts'
import type { ChainProblem } from '../../../actors/chains/chain-standing.ts'
import { type TreasuryReader, TreasuryReading, treasuryName } from '../../../actors/chains/treasuries.ts'
import type { ChainFailure, Outcome } from '../../../chain/chain.ts'
import type { ChainDeposit, ChainDepositPage, Outflow } from '../../../chain/chain-deposits.ts'
import { fakeClock } from '../../support/clock.ts'

const failure: ChainFailure = {
  kind: 'history_missing',
  endpoint: 'node.example',
  message: 'node.example keeps no history that old.',
  retryable: false,
  retryAfterMs: null,
}

function deposit(transactionId: string, sender: string): ChainDeposit {
  return {
    ...{
      blockchain: 'SOLANA',
      transactionId,
      index: '0',
      height: '1',
      at: 1,
      assetId: 'mint',
      symbol: 'USDC',
    },
    ...{ amount: 1n, sender, references: [], flags: [], evidence: {} },
  }
}

function outflow(transactionId: string, to: string): Outflow {
  const { blockchain, index, height, at, assetId, amount, references } = deposit(transactionId, to)
  return { blockchain, transactionId, index, height, at, assetId, amount, references, to }
}

/** A treasury whose chain is read one further with each page. */
function treasury(
  name: string,
  told: { deposits?: ChainDeposit[]; outflows?: Outflow[]; isOut?: boolean; scannedTo?: number } = {},
) {
  const chain: TreasuryReader = {
    startCursor: async () => ({ ok: true, value: '100' }),
    async deposits(cursor): Promise<Outcome<ChainDepositPage, ChainFailure>> {
      if (told.isOut) return { ok: false, failure }
      const { deposits = [], outflows = [], scannedTo = 5 } = told
      const next = String(Number(cursor) + 1)
      return { ok: true, value: { deposits, outflows, cursor: next, more: false, scannedTo } }
    },
    unfinalizedChainDeposits: async () => ({ ok: true, value: told.deposits ?? [] }),
  }
  return { name, chain }
}

const cursorOf = (treasuries: Record<string, string>) => JSON.stringify({ treasuries })

test('a treasury that has no place begins at the head, and the others keep theirs', async () => {
  const before = new TreasuryReading({ current: treasury('A'), former: [] })
  const after = new TreasuryReading({ current: treasury('B'), former: [treasury('A')] })
  for (const stored of [cursorOf({ A: '7' }), '7'])
    assert.equal([before.isReadFrom(stored), before.unplacedIn(stored)], [true, []])
  assert.equal(
    [after.isReadFrom(cursorOf({ A: '7' })), after.unplacedIn(cursorOf({ A: '7' }))],
    [false, ['B']],
  )
  const extended = await after.startCursor(cursorOf({ A: '7', C: '3' }))
  assert.equal(extended, { ok: true, value: cursorOf({ A: '7', C: '3', B: '100' }) })
  if (!extended.ok) return
  assert.equal([after.isReadFrom(extended.value), after.strangersIn(extended.value)], [true, ['C']])
  const page = await after.deposits(extended.value)
  assert.is(page.ok && page.value.cursor, cursorOf({ A: '8', C: '3', B: '101' }))
})

test('nothing counts as read past what each of them was read past', async () => {
  const reading = new TreasuryReading({
    current: treasury('A', { scannedTo: 9 }),
    former: [treasury('B', { scannedTo: 4 })],
  })
  const page = await reading.deposits(cursorOf({ A: '1', B: '1' }))
  assert.is(page.ok && page.value.scannedTo, 4)
})

test('one that cannot be read keeps its place, and does not keep the others', async () => {
  const reading = new TreasuryReading({
    current: treasury('A', { deposits: [deposit('paid', 'Ana')] }),
    former: [treasury('B', { isOut: true })],
  })
  const page = await reading.deposits(cursorOf({ A: '1', B: '1' }))
  assert.ok(page.ok)
  if (!page.ok) return
  const { deposits, cursor, scannedTo, problem } = page.value
  assert.equal(
    [deposits.length, cursor, scannedTo, problem],
    [1, cursorOf({ A: '2', B: '1' }), null, failure],
  )
  const alone = new TreasuryReading({ current: treasury('A', { isOut: true }), former: [] })
  assert.equal(await alone.deposits(cursorOf({ A: '1' })), { ok: false, failure })
})

test('what goes from one treasury to another is no deposit, and one to a former treasury says so', async () => {
  const reading = new TreasuryReading({
    current: treasury('A', { deposits: [deposit('moved', 'B'), deposit('paid', 'Ana')] }),
    former: [treasury('B', { deposits: [deposit('paid late', 'Eva')] })],
  })
  const page = await reading.deposits(cursorOf({ A: '1', B: '1' }))
  const seen = page.ok && page.value.deposits.map(({ transactionId, evidence }) => [transactionId, evidence])
  assert.equal(seen, [
    ['paid', {}],
    ['paid late', { formerTreasury: 'B' }],
  ])
})

test('what leaves a former treasury says so, unless it goes to another one', async () => {
  const reading = new TreasuryReading({
    current: treasury('A', { outflows: [outflow('sent', 'Ana'), outflow('put by', 'B')] }),
    former: [treasury('B', { outflows: [outflow('moved', 'A'), outflow('gone', 'Eva')] })],
  })
  const page = await reading.deposits(cursorOf({ A: '1', B: '1' }))
  const seen =
    page.ok &&
    page.value.outflows?.map(({ transactionId, formerTreasury }) => [transactionId, formerTreasury])
  assert.equal(seen, [
    ['sent', undefined],
    ['gone', 'B'],
  ])
})

test('an address has one name, however its letters are written', () => {
  const address = '0x534b2f3A21130d7a60830c2Df862319e593943A3'
  assert.is(treasuryName(address), treasuryName(address.toLowerCase()))
  assert.not.equal(treasuryName('GABC'), treasuryName('gabc'))
})

test('a node that does not know a treasury of open orders says so, and ends none by what it read', async () => {
  const clock = fakeClock()
  const problems: ChainProblem[] = []
  const recorded: ChainDepositPage[] = []
  let named: string[] = []
  const pass = createChainDepositScanner({
    lost: { find: async () => ({ ok: true, value: new Map() }) },
    reading: new TreasuryReading({ current: treasury('A'), former: [] }),
    clock,
    standing: { failed: (_, problem) => problems.push(problem), answered: () => {} },
    pollMs: 500,
    cursor: async () => cursorOf({ A: '1', B: '1' }),
    begin: async () => {},
    record: async (page) => void recorded.push(page),
    namedByOrders: async (strangers) => strangers.filter((name) => named.includes(name)),
    setting: 'chains.SOLANA.formerTreasuries',
  })
  await pass()
  named = ['B']
  await pass()
  assert.equal(
    recorded.map(({ scannedTo, cursor }) => [scannedTo, cursor]),
    [
      [5, cursorOf({ A: '2', B: '1' })],
      [null, cursorOf({ A: '2', B: '1' })],
    ],
  )
  assert.equal(
    problems.map(({ message }) => message),
    [
      'Open orders name the treasury B, which this node does not read. ' +
        'List it in chains.SOLANA.formerTreasuries on every node, and restart this one.',
    ],
  )
})

test.run()
