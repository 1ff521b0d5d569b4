/** What happens to foreign-currency orders, told over HTTP on one local network. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readiness } from '../../../actors/condition/condition.ts'
import { type Blockchain, type BlockchainFamily, blockchainFacts } from '../../../machines/blockchains.ts'
import { CommandError } from '../../../node/exit-codes.ts'
import { exceptionsPage } from '../../../persistence/queries/operations.ts'
import { isLargeShare } from '../../durability/share.ts'
import { unitsOf } from '../../support/chains/networks.ts'
import { type ForeignWorld, openForeignWorld } from '../../support/foreign-world.ts'

const minuteMs = 60_000

/** What is asked only to read deposits. */
const isReading: Readonly<Record<BlockchainFamily, RegExp>> = {
  solana: /getSlot|getTokenAccountsByOwner/,
  stellar: /\/operations/,
  evm: /finalized|safe/,
}

/** Open exceptions about a transaction, in short. */
async function exceptionsOf({ node }: ForeignWorld, transactionId: string) {
  const statement = exceptionsPage({ state: 'open' }, { after: null, limit: 1000 })
  const page = await node.core.store.query(statement, {})
  return page.filter((one) => one.transaction_id === transactionId)
}

type Story = ReturnType<typeof suite<{ world: ForeignWorld }>>

export function tellStories(blockchain: Blockchain): void {
  const test = suite<{ world: ForeignWorld }>(`foreign orders on ${blockchain}`)

  test.before(async (context) => {
    context.world = await openForeignWorld(blockchain)
  })
  test.after(({ world }) => world.close())

  tellPayments(test)
  tellUnexpectedMoney(test, blockchain)
  // How outages and restarts are borne is the same code for each: `npm run test:front` tells of all, `npm test` of one.
  if (isLargeShare || blockchain === 'SOLANA') {
    tellOutages(test, blockchain)
    tellOperation(test, blockchain)
  }
  test.run()
}

function tellPayments(test: Story): void {
  test('quote, order, transaction, signature, deposit, cash: each step is told to the merchant', async ({
    world,
  }) => {
    const { order, id, wallet } = await world.ready({ send: '100.00' })
    // (100 − 0.50 − 1.00) × 17
    assert.equal([order.status, order.price, order.price_currency], ['CREATED', '1674.50', 'MXN'])
    const before = await world.chain.balanceOf(world.chain.treasury, world.chain.asset.id)
    await world.sign(order)
    await world.finalize()
    const ready = await world.toldThat(id, ({ status }) => status === 'READY')
    assert.is(ready.transaction, '')
    const after = await world.chain.balanceOf(world.chain.treasury, world.chain.asset.id)
    assert.is(after - before, unitsOf(world.chain, '100'))
    assert.is(await world.chain.balanceOf(wallet.address, world.chain.asset.id), 0n)
    await world.payOut(id)
    const completed = await world.toldThat(id, ({ status }) => status === 'COMPLETED')
    assert.ok(completed.paid)
    assert.equal(
      world.told(id).map(({ status }) => status),
      ['CREATED', 'READY', 'COMPLETED'],
    )
  })

  test('the transaction moves exactly the quoted amount of the asset to the treasury, and nothing else', async ({
    world,
  }) => {
    const { order, wallet, transfer } = await world.ready({ send: '12.345678' })
    const { others, references, ...moved } = transfer
    assert.equal(moved, {
      from: wallet.address,
      to: world.chain.treasury,
      assetId: world.chain.asset.id,
      units: unitsOf(world.chain, '12.345678'),
      signatures: 0,
    })
    assert.is(references.length, 1)
    assert.match(references[0] ?? '', /^[0-9a-f]{64}$/)
    const harmless = /^(compute (limit|price) \d+|memo [0-9a-f-]{36}|time bounds)$/
    assert.equal(
      others.filter((other) => !harmless.test(other)),
      [],
    )
    const asked = await world.read(order.id)
    const { others: _, ...again } = world.chain.decode(asked.transaction)
    assert.equal(again, { ...moved, references })
  })

  test('a part is not enough, and the next transaction asks for the rest', async ({ world }) => {
    const { id, wallet, transfer } = await world.ready({ send: '30.00' })
    const part = unitsOf(world.chain, '10')
    await world.chain.pay(wallet, { units: part, references: transfer.references })
    await world.finalize()
    // A sighting takes the transaction away, too; what follows is counted from the deposit.
    await world.hasDeposit(id)
    await world.node.until(async () => (await world.read(id)).transaction === '')
    // On Solana the first version has to be past landing before another is built.
    await world.pass(3 * minuteMs)
    await world.node.until(async () => (await world.read(id)).transaction !== '')
    const rest = await world.read(id)
    assert.is(rest.status, 'CREATED')
    assert.is(world.chain.decode(rest.transaction).units, unitsOf(world.chain, '20'))
    await world.sign(rest)
    await world.finalize()
    await world.toldThat(id, ({ status }) => status === 'READY')
  })
}

function tellUnexpectedMoney(test: Story, blockchain: Blockchain): void {
  test('the version for all, sent after a part had come, is not kept silently', async ({ world }) => {
    const { order, id, wallet, transfer } = await world.ready({ send: '30.00', extraUnits: 10_000_000_000n })
    const part = unitsOf(world.chain, '10')
    await world.chain.pay(wallet, { units: part, references: transfer.references })
    const all = await world.sign(order).catch(() => null)
    // On Stellar the wallet's sequence has moved on, and the version for all cannot land any more.
    assert.is(all === null, blockchain === 'STELLAR')
    await world.finalize()
    if (all === null) return
    await world.toldThat(id, ({ status }) => status === 'READY')
    const [rest, ...more] = await exceptionsOf(world, all)
    assert.equal([more.length, rest?.kind, rest?.order_id], [0, 'deposit_unmatched', id])
    assert.match(rest?.amount ?? '', /^10\.0+$/)
  })

  test('two orders of one wallet and amount are each paid with their own transaction, the later one first', async ({
    world,
  }) => {
    const funds = await world.chain.newWallet(unitsOf(world.chain, '40'))
    const { id: first } = await world.ready({ wallet: funds })
    const { id: second } = await world.ready({ wallet: funds })
    for (const [id, other] of [
      [second, first],
      [first, second],
    ] as const) {
      // On Stellar what is offered has the wallet's sequence as it was last read: before that it cannot land.
      await world.node.until(async () => (await world.sign(await world.read(id)).catch(() => null)) !== null)
      await world.finalize()
      await world.toldThat(id, ({ status }) => status === 'READY')
      assert.is((await world.read(other)).status, id === second ? 'CREATED' : 'READY')
    }
  })

  test('too much funds the order, and the rest waits for a person', async ({ world }) => {
    const { id, wallet, transfer } = await world.ready({ send: '5.00', extraUnits: 7n })
    const payment = await world.chain.pay(wallet, {
      units: transfer.units + 7n,
      references: transfer.references,
    })
    await world.finalize()
    await world.toldThat(id, ({ status }) => status === 'READY')
    const [rest, ...more] = await exceptionsOf(world, payment)
    assert.equal([more.length, rest?.kind, rest?.sender], [0, 'deposit_unmatched', wallet.address])
    assert.match(rest?.amount ?? '', /^0\.0+7$/)
  })

  test("another wallet's money never makes an order READY", async ({ world }) => {
    const { id, transfer } = await world.ready({ send: '5.00' })
    const stranger = await world.chain.newWallet(transfer.units)
    const payment = await world.chain.pay(stranger, {
      units: transfer.units,
      references: transfer.references,
    })
    await world.finalize()
    await world.node.until(async () => (await exceptionsOf(world, payment)).length === 1)
    const order = await world.read(id)
    assert.is(order.status, 'CREATED')
    assert.not.equal(order.transaction, '')
  })

  test('a second payment is not kept silently', async ({ world }) => {
    const { order, id, wallet, transfer } = await world.ready({ send: '5.00', extraUnits: 5_000_000_000n })
    await world.sign(order)
    await world.finalize()
    await world.toldThat(id, ({ status }) => status === 'READY')
    const second = await world.chain.pay(wallet, { units: transfer.units, references: transfer.references })
    await world.finalize()
    await world.node.until(async () => (await exceptionsOf(world, second)).length === 1)
    assert.is((await world.read(id)).status, 'READY')
  })
}

function tellOutages(test: Story, blockchain: Blockchain): void {
  test('money on its way is not asked for again', async ({ world }) => {
    if (!world.chain.finalizesLater) return
    const { order, id } = await world.ready({ send: '5.00' })
    await world.sign(order)
    world.wake()
    await world.node.until(async () => (await world.read(id)).transaction === '')
    assert.is((await world.read(id)).status, 'CREATED')
    await world.finalize()
    await world.toldThat(id, ({ status }) => status === 'READY')
  })

  test('a payment during an outage is found after it, and the outage shows while it lasts', async ({
    world,
  }) => {
    const { order, id } = await world.ready({ send: '5.00' })
    const reasons = () => {
      const ready = readiness(world.node.core.condition)
      return ready.status === 'degraded' ? ready.reasons : {}
    }
    const answerAgain = world.cutOff()
    world.wake()
    await world.node.until(async () => `chain:${blockchain}` in reasons())
    await world.sign(order)
    await world.follow(20_000)
    answerAgain()
    await world.pass(2 * minuteMs)
    await world.passUntil(async () => world.told(id).some(({ status }) => status === 'READY'))
    await world.node.until(async () => {
      world.wake()
      return !(`chain:${blockchain}` in reasons())
    })
  })

  test('a payment while the node is stopped is found at its next start', async ({ world }) => {
    const { order, id } = await world.ready({ send: '5.00' })
    await world.stopNode()
    await world.sign(order)
    await world.follow(20_000)
    await world.startNode()
    await world.toldThat(id, ({ status }) => status === 'READY')
  })

  test('a payment after the funding window waits for a person, and nothing is offered then', async ({
    world,
  }) => {
    const { id, wallet, transfer } = await world.ready({ send: '5.00' })
    await world.pass(31 * minuteMs)
    assert.is((await world.read(id)).transaction, '')
    const late = await world.chain.pay(wallet, { units: transfer.units, references: transfer.references })
    await world.finalize()
    await world.node.until(async () => (await exceptionsOf(world, late)).length === 1)
    assert.is((await world.read(id)).status, 'CREATED')
  })

  test('a wallet that cannot pay yet is told why, and is served once it can', async ({ world }) => {
    const wallet = await world.chain.unpreparedWallet()
    if (wallet === null) return
    const { id } = await world.order({ wallet })
    await world.node.until(async () => 'transaction_error' in (await world.read(id)))
    await world.chain.prepareWallet(wallet.address)
    await world.pass(20_000)
    const order = await world.built(id)
    assert.not('transaction_error' in order)
    await world.chain.grant(wallet.address, unitsOf(world.chain, '20'))
    await world.sign(await world.read(id))
    await world.finalize()
    await world.toldThat(id, ({ status }) => status === 'READY')
  })

  test('in an outage nothing is offered once it is too old, and after it something is again', async ({
    world,
  }) => {
    const { id } = await world.ready({ send: '5.00' })
    const answerAgain = world.cutOff()
    // 20 s of a block hash or a sequence, 600 s of fees.
    await world.pass(blockchainFacts[blockchain].family === 'evm' ? 10 * minuteMs + 1 : 20_001)
    assert.is((await world.read(id)).transaction, '')
    await world.pass(minuteMs)
    assert.is((await world.read(id)).transaction, '')
    answerAgain()
    await world.pass(minuteMs)
    await world.passUntil(async () => (await world.read(id)).transaction !== '')
    await world.sign(await world.read(id))
    await world.finalize()
    await world.toldThat(id, ({ status }) => status === 'READY')
  })

  test('what is offered after minutes in which nobody looked can be sent', async ({ world }) => {
    const { id, wallet } = await world.ready({ send: '5.00', extraUnits: 10n })
    // The wallet does something else meanwhile: on Stellar that takes up its sequence.
    await world.chain.pay(wallet, { units: 10n })
    for (let minutes = 0; minutes < 4; minutes += 1) await world.pass(minuteMs)
    await world.node.until(async () => (await world.read(id)).transaction !== '')
    await world.sign(await world.read(id))
    await world.finalize()
    await world.toldThat(id, ({ status }) => status === 'READY')
  })
}

function tellOperation(test: Story, blockchain: Blockchain): void {
  test('a treasury that open orders name is not forgotten: it is listed and read, or the node does not start', async ({
    world,
  }) => {
    const [paid, unpaid] = [await world.ready({ send: '5.00' }), await world.ready({ send: '6.00' })]
    const former = world.chain.treasury
    const { address: treasury } = await world.chain.newWallet()
    await world.stopNode()
    world.set({ treasury })
    const refused = await world.startNode().catch((error: unknown) => error)
    assert.instance(refused, CommandError)
    assert.match(
      refused instanceof CommandError ? refused.message : '',
      new RegExp(
        `^chains\\.${blockchain}\\.treasury: \\d+ open orders name the former treasury ${former}\\. `,
        'i',
      ),
    )
    assert.match(String(refused), new RegExp(`chains\\.${blockchain}\\.formerTreasuries`))

    world.set({ treasury, formerTreasuries: [former] })
    await world.startNode()
    await world.sign(paid.order)
    await world.finalize()
    await world.toldThat(paid.id, ({ status }) => status === 'READY')
    await world.node.until(async () => (await world.read(unpaid.id)).transaction !== '')
    const renewed = await world.read(unpaid.id)
    assert.is(world.chain.decode(renewed.transaction).to, treasury)
    await world.sign(renewed)
    await world.finalize()
    await world.toldThat(unpaid.id, ({ status }) => status === 'READY')
  })

  test('at a first start without a chain nothing is payable, and what is paid right after it counts', async ({
    world,
  }) => {
    const answerAgain = world.cutOff()
    await world.startAnew()
    const { id } = await world.order({ send: '5.00' })
    const isNothingOffered = async () =>
      world.told(id).length === 0 && (await world.read(id)).transaction === ''
    await world.pass(45_000)
    assert.ok(await isNothingOffered())
    // Transactions could be built by now, and deposits not be read.
    answerAgain()
    const readAgain = world.cutOff(({ path, body }) =>
      isReading[blockchainFacts[blockchain].family].test(path + body),
    )
    for (let seconds = 0; seconds < 60; seconds += 10) {
      await world.pass(10_000)
      await world.hasRun('transactions')
      assert.ok(await isNothingOffered())
    }
    readAgain()
    await world.passUntil(async () => (await world.read(id)).transaction !== '')
    await world.sign(await world.read(id))
    await world.finalize()
    await world.toldThat(id, ({ status }) => status === 'READY')
  })
}
