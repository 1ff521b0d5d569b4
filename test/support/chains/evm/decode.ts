/**
 * Reads an unsigned transaction byte by byte, with nothing of the adapter's and no library that knows ABIs,
 * so that a mistake of either is seen.
 */
import { getAddress } from 'viem/utils'
import type { DecodedTransfer } from '../local-chain.ts'

const names = [
  'type',
  'chainId',
  'from',
  'to',
  'value',
  'data',
  'gas',
  'maxFeePerGas',
  'maxPriorityFeePerGas',
]

/** First four bytes of the Keccak hash of `transfer(address,uint256)`. */
const transferSelector = 'a9059cbb'

export function decodeTransfer(text: string, chainId: number): DecodedTransfer {
  const members = membersOf(text)
  const member = (name: string): string => {
    const value = members.get(name)
    if (value === undefined) throw new Error(`no ${name}`)
    return value
  }
  for (const name of ['type', 'chainId', 'value', 'gas', 'maxFeePerGas', 'maxPriorityFeePerGas'])
    if (!/^0x(0|[1-9a-f][0-9a-f]*)$/.test(member(name))) throw new Error(`${name} is no quantity`)
  if (member('type') !== '0x2') throw new Error('not of type 2')

  const data = Buffer.from(member('data').slice(2), 'hex')
  if (`0x${data.toString('hex')}` !== member('data')) throw new Error('data is no lower-case hexadecimal')
  if (data.subarray(0, 4).toString('hex') !== transferSelector) throw new Error('another function')
  if (!data.subarray(4, 16).every((byte) => byte === 0)) throw new Error('an address of 32 bytes')
  const behind = data.subarray(68)
  if (behind.length % 32 !== 0) throw new Error('what follows is no reference')
  const references = Array.from({ length: behind.length / 32 }, (_, index) =>
    behind.subarray(32 * index, 32 * (index + 1)).toString('hex'),
  )
  const others = [...members.keys()].filter((name) => !names.includes(name))
  if (Number(member('chainId')) !== chainId) others.push('another network')
  if (member('value') !== '0x0') others.push('moves coins')
  return {
    from: member('from'),
    to: getAddress(`0x${data.subarray(16, 36).toString('hex')}`),
    assetId: member('to'),
    units: BigInt(`0x${data.subarray(36, 68).toString('hex')}`),
    references,
    signatures: ['r', 's', 'v', 'yParity', 'signature'].some((name) => members.has(name)) ? 1 : 0,
    others,
  }
}

function membersOf(text: string): ReadonlyMap<string, string> {
  const parsed: unknown = JSON.parse(text)
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw new Error('no object')
  return new Map(
    Object.entries(parsed).map(([name, value]) => {
      if (typeof value !== 'string') throw new Error(`${name} is no text`)
      return [name, value]
    }),
  )
}
