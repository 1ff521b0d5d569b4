/** References in call data: what this node writes, and what wallets make of it. */
import fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { encodeFunctionData, encodePacked, type Hex, hexToBytes, parseAbi, size } from 'viem'
import { canonicalAddress, settledAddress } from '../../../chain/evm/addresses.ts'
import { directTransfer, embeddedTransfers, transferData } from '../../../chain/evm/transfer-data.ts'

const treasury = '0x754704Bc059F8C67012fEd69BC8A327a5aafb603'
const stranger = '0x534b2f3A21130d7a60830c2Df862319e593943A3'
const reference = 'ab'.repeat(32)
const call = transferData(treasury, 25_500_000n, reference)
const bare = call.slice(0, 2 + 2 * 68) as Hex

test('a transfer with a reference is 68 bytes and 32 more', () => {
  assert.is(
    call,
    '0xa9059cbb' +
      '000000000000000000000000754704bc059f8c67012fed69bc8a327a5aafb603' +
      '0000000000000000000000000000000000000000000000000000000001851960' +
      reference,
  )
})

test('what is no reference is not written', () => {
  for (const wrong of ['', 'ab', reference.toUpperCase(), `0x${reference}`, `${reference}00`])
    assert.throws(() => transferData(treasury, 1n, wrong), /64 lower-case/)
})

test('a reference is read right behind the arguments, whatever a wallet adds', () => {
  assert.equal(directTransfer(call, treasury), { units: 25_500_000n, reference })
  assert.equal(directTransfer(`${call}07626173656170700080218021`, treasury), {
    units: 25_500_000n,
    reference,
  })
  assert.equal(directTransfer(call.toUpperCase().replace('0X', '0x') as Hex, treasury)?.reference, reference)
})

test('a transfer without a whole reference has none', () => {
  assert.equal(directTransfer(bare, treasury), { units: 25_500_000n, reference: null })
  assert.equal(directTransfer(call.slice(0, -2) as Hex, treasury)?.reference, null)
})

test('another call, another recipient and too few arguments are no transfer to the treasury', () => {
  assert.is(directTransfer(transferData(stranger, 1n, reference), treasury), null)
  assert.is(directTransfer(`0x095ea7b3${call.slice(10)}`, treasury), null)
  assert.is(directTransfer(bare.slice(0, -2) as Hex, treasury), null)
  assert.is(directTransfer('0x', treasury), null)
})

const wallets = parseAbi([
  'function execute(address to, uint256 value, bytes data)',
  'function executeBatch(address[] to, bytes[] data)',
  'function multiSend(bytes transactions)',
])

test('a reference is found in the calls that a contract wallet is told to make', () => {
  const execute = encodeFunctionData({ abi: wallets, functionName: 'execute', args: [stranger, 0n, call] })
  assert.equal(embeddedTransfers(execute, treasury), [{ units: 25_500_000n, reference }])
  const other = transferData(treasury, 7n, 'cd'.repeat(32))
  const batch = encodeFunctionData({
    abi: wallets,
    functionName: 'executeBatch',
    args: [
      [stranger, stranger, stranger],
      [call, transferData(stranger, 1n, reference), other],
    ],
  })
  assert.equal(embeddedTransfers(batch, treasury), [
    { units: 25_500_000n, reference },
    { units: 7n, reference: 'cd'.repeat(32) },
  ])
  // Packed as Safe packs them: operation, target, value, length, data.
  const packed = encodePacked(
    ['uint8', 'address', 'uint256', 'uint256', 'bytes'],
    [0, stranger, 0n, BigInt(size(call)), call],
  )
  const safe = encodeFunctionData({ abi: wallets, functionName: 'multiSend', args: [packed] })
  assert.equal(embeddedTransfers(safe, treasury), [{ units: 25_500_000n, reference }])
})

test('padding behind a bare transfer is not taken for a reference', () => {
  const execute = encodeFunctionData({ abi: wallets, functionName: 'execute', args: [stranger, 0n, bare] })
  assert.equal(embeddedTransfers(execute, treasury), [{ units: 25_500_000n, reference: null }])
  const args = [
    [stranger, stranger],
    [bare, call],
  ] as const
  const batch = encodeFunctionData({ abi: wallets, functionName: 'executeBatch', args })
  assert.equal(
    embeddedTransfers(batch, treasury).map((one) => one.reference),
    [null, reference],
  )
})

test('bytes that only look like a transfer are none', () => {
  const lengths = ['', 'f'.repeat(64), '0'.repeat(64), (43).toString(16).padStart(64, '0')]
  for (const length of lengths) assert.equal(embeddedTransfers(`0x${length}${call.slice(2)}`, treasury), [])
  const cut = (100).toString(16).padStart(64, '0')
  assert.equal(embeddedTransfers(`0x${cut}${call.slice(2, -2)}`, treasury), [])
  assert.equal(embeddedTransfers(`0x${cut}0${call.slice(2)}0`, treasury), [])
})

test('a transaction full of transfers yields a few', () => {
  const data = Array.from({ length: 500 }, () => call)
  const args = [data.map((): typeof stranger => stranger), data] as const
  const batch = encodeFunctionData({ abi: wallets, functionName: 'executeBatch', args })
  assert.is(embeddedTransfers(batch, treasury).length, 16)
})

test('any amount and reference come back as they were written, directly and embedded', () => {
  const hex = fc
    .uint8Array({ minLength: 32, maxLength: 32 })
    .map((bytes) => Buffer.from(bytes).toString('hex'))
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 2n ** 256n - 1n }), hex, (units, written) => {
      const data = transferData(treasury, units, written)
      assert.is(hexToBytes(data).length, 100)
      assert.equal(directTransfer(data, treasury), { units, reference: written })
      const args = [stranger, 0n, data] as const
      const execute = encodeFunctionData({ abi: wallets, functionName: 'execute', args })
      assert.equal(embeddedTransfers(execute, treasury), [{ units, reference: written }])
    }),
    { numRuns: 50 },
  )
})

test('no input is too strange to be read', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(300), (bytes, at) => {
      const noise = Buffer.concat([bytes.subarray(0, at), hexToBytes(call), bytes.subarray(at)])
      const input: Hex = `0x${noise.toString('hex')}`
      directTransfer(input, treasury)
      embeddedTransfers(input, treasury)
    }),
    { numRuns: 200 },
  )
})

test('an address has one form: the checksum of EIP-55', () => {
  assert.is(canonicalAddress(treasury), treasury)
  assert.is(canonicalAddress(treasury.toLowerCase()), treasury)
  for (const wrong of [
    treasury.replace('Bc', 'bc'),
    `0x${treasury.slice(2).toUpperCase()}`,
    treasury.replace('0x', '0X'),
    treasury.slice(2),
    ` ${treasury}`,
    '0x0000000000000000000000000000000000000000',
    '0x0000000000000000000000000000000000001000',
    'vitalik.eth',
  ])
    assert.is(canonicalAddress(wrong), null, wrong)
  const mistyped = () => settledAddress(treasury.replace('Bc', 'bc'), 'chains.MONAD.treasury')
  assert.throws(mistyped, /^chains\.MONAD\.treasury: 0x7547.+ checksum is wrong/)
})

test.run()
