/** What Stellar's wallets have signed is sent on, and nothing else. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ChainAdapter, TransferRequest } from '../../../chain/chain.ts'
import type { LocalWallet } from '../../support/chains/local-chain.ts'
import { type LocalStellar, startStellar } from '../../support/chains/stellar/local.ts'
import { assemble, minuteMs, newReference, transfer } from '../asking.ts'

type World = { chain: LocalStellar; adapter: ChainAdapter }

const test = suite<World & { hasty: ChainAdapter }>('relay on Stellar')
test.before(async (t) => {
  t.chain = await startStellar()
  t.adapter = t.chain.open({ clock: t.chain.now, timeoutMs: 60_000 })
  t.hasty = t.chain.open({ clock: t.chain.now, timeoutMs: 500 })
})
test.after(async ({ chain, adapter, hasty }) => {
  await adapter.close()
  await hasty.close()
  await chain.close()
})

/** An order's transaction, signed by its wallet unless another is named. */
async function signed({ chain, adapter }: World, wallet: LocalWallet, units: bigint, signer = wallet) {
  const request = transfer(chain, wallet, units, { deadline: chain.now() + 30 * minuteMs })
  const { transaction } = await assemble(chain, adapter, request)
  return { request, text: chain.sign(transaction, [signer]) }
}

function relay({ adapter }: World, text: string, order: Pick<TransferRequest, 'wallet' | 'reference'>) {
  if (adapter.relay === undefined) throw new Error('Stellar relays')
  return adapter.relay(text, order)
}

test('a signed transaction reaches the treasury once, however often it is sent on', async (t) => {
  const { request, text } = await signed(t, await t.chain.newWallet(50n), 50n)
  const before = await t.chain.balanceOf(t.chain.treasury, t.chain.asset.id)
  assert.is(await relay(t, text, request), 'sent')
  assert.is(await relay(t, text, request), 'sent')
  assert.is(await t.chain.balanceOf(t.chain.treasury, t.chain.asset.id), before + 50n)
})

test('what is not the order’s is not sent', async (t) => {
  const wallet = await t.chain.newWallet(50n)
  const other = await t.chain.newWallet(50n)
  const { request, text } = await signed(t, wallet, 50n)
  const before = t.chain.ledger.transactions.size
  assert.is(await relay(t, text, { ...request, reference: newReference() }), 'failed')
  assert.is(await relay(t, text, { ...request, wallet: other.address }), 'failed')
  const byAnother = await signed(t, wallet, 50n, other)
  assert.is(await relay(t, byAnother.text, byAnother.request), 'failed')
  assert.is(await relay(t, 'AAAA', request), 'failed')
  assert.is(t.chain.ledger.transactions.size, before)
})

test('a wallet without the money, and one that signed too late, are told apart', async (t) => {
  const poor = await signed(t, await t.chain.newWallet(50n), 51n)
  assert.is(await relay(t, poor.text, poor.request), 'insufficient')
  const late = await signed(t, await t.chain.newWallet(50n), 50n)
  await t.chain.pass(31 * minuteMs)
  assert.is(await relay(t, late.text, late.request), 'expired')
})

test('where nobody answers it can be sent again, and where it may have arrived the deposit will tell', async (t) => {
  const { gate, spareGate } = t.chain
  const { request, text } = await signed(t, await t.chain.newWallet(50n), 50n)
  const isSubmission = ({ method }: { method: string }) => method === 'POST'
  const troubles = [
    ['cut', 'unavailable'],
    [{ status: 503 }, 'unavailable'],
    [{ status: 429 }, 'unavailable'],
    [{ status: 504 }, 'sent'],
    ['silence', 'sent'],
  ] as const
  for (const [trouble, told] of troubles) {
    for (const each of [gate, spareGate]) {
      if (each !== null) each.trouble = (asked) => (isSubmission(asked) ? trouble : null)
    }
    const { chain, hasty } = t
    const asked = trouble === 'silence' ? { chain, adapter: hasty } : t
    assert.is(await relay(asked, text, request), told, String(trouble))
  }
  gate.trouble = null
  assert.is(await relay(t, text, request), 'sent')
  // What a stranger made an endpoint refuse is no reason to leave it alone.
  assert.ok((await t.adapter.readNetwork()).ok)
  if (spareGate !== null) spareGate.trouble = null
})

test.run()
