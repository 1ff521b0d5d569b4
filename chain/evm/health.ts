/** Whether the chain can be used now, and whether the settings agree with what is on the chain. */
import { decodeFunctionResult, encodeFunctionData, formatEther, parseAbi } from 'viem/utils'
import type { ChainHealth, CheckItem } from '../chain.ts'
import { isHex, readCount, readQuantity, readWord } from './answers.ts'
import { type Answer, type Call, resultOf } from './json-rpc.ts'
import { attempt, balanceCall, type EvmAsset, type EvmEndpoint, type EvmNetwork } from './network.ts'

export async function health(network: EvmNetwork): Promise<ChainHealth> {
  const { requests, endpoints, settings, clock } = network
  const read = await network.askAtHead(async ({ rpc }, head) => ({ host: rpc.host, head }))
  if (!read.ok)
    return {
      ok: false,
      endpoint: read.failure.endpoint,
      network: null,
      head: null,
      headAt: null,
      lagMs: null,
      clockOffsetMs: requests.clockOffsetMs(read.failure.endpoint),
      problems: [read.failure.message],
    }
  const { host, head } = read.value
  const lagMs = clock() - head.at
  const isLate = lagMs > network.chain.maxLagMs
  const lag = `${host} names a final block that is ${Math.round(lagMs / 1000)} s old.`
  return {
    ok: !isLate,
    endpoint: host,
    network: settings.chainId.toString(),
    head: head.height.toString(),
    headAt: head.at,
    lagMs,
    clockOffsetMs: requests.clockOffsetMs(host),
    problems: [...endpoints.failures.map(({ message }) => message), ...(isLate ? [lag] : [])],
  }
}

export async function check(network: EvmNetwork): Promise<readonly CheckItem[]> {
  const endpoints = await Promise.all(
    network.endpoints.all.map(({ client, host }) => checkEndpoint(network, client, host)),
  )
  // Within the asking: what cannot be read is no answer, and another endpoint is asked.
  const read = await network.ask(async ({ rpc }) => {
    const [balance, ...answers] = await rpc.ask(callsOf(network))
    const assets = network.assets.map((asset, index) => checkAsset(network, asset, answers.slice(4 * index)))
    return [checkTreasury(network, balance), ...assets]
  })
  return [...endpoints.flat(), ...(read.ok ? read.value : [])]
}

async function checkEndpoint(
  network: EvmNetwork,
  endpoint: EvmEndpoint,
  host: string,
): Promise<readonly CheckItem[]> {
  const read = await attempt(endpoint, async ({ rpc }) => {
    const [chainId] = await rpc.results([{ method: 'eth_chainId', params: [] }])
    return readCount(chainId, 'a chain id')
  })
  if (!read.ok)
    return [
      {
        what: 'endpoint',
        subject: host,
        ok: false,
        found: read.failure.message,
        action: `See that it runs and can be reached, or replace it in ${network.setting('rpc')}.`,
      },
    ]
  const expected = network.settings.chainId
  const isExpected = read.value === expected
  return [
    { what: 'endpoint', subject: host, ok: true, found: 'answers', action: null },
    {
      what: 'network',
      subject: host,
      ok: isExpected,
      found: `chain id ${read.value}`,
      action: isExpected
        ? null
        : `Expected chain id ${expected}. Point ${network.setting('rpc')} at the right network, or set mode.`,
    },
  ]
}

const abi = parseAbi(['function decimals() view returns (uint8)', 'function symbol() view returns (string)'])

function callsOf({ treasury, assets }: EvmNetwork): readonly Call[] {
  const view = (to: string, functionName: 'decimals' | 'symbol'): Call => ({
    method: 'eth_call',
    params: [{ to, data: encodeFunctionData({ abi, functionName }) }, 'latest'],
  })
  return [
    { method: 'eth_getBalance', params: [treasury, 'latest'] },
    ...assets.flatMap(({ id }) => [
      { method: 'eth_getCode', params: [id, 'latest'] },
      view(id, 'decimals'),
      view(id, 'symbol'),
      balanceCall(id, treasury, 'latest'),
    ]),
  ]
}

/** Every address can receive; what it takes to pay somebody back is the operator's to keep there. */
function checkTreasury({ chain, treasury }: EvmNetwork, balance: Answer | undefined): CheckItem {
  const wei = balance?.ok ? readQuantity(balance.value, 'a balance') : null
  const found = wei === null ? 'an address' : `holds ${formatEther(wei)} ${chain.coin} for refunds`
  return { what: 'treasury', subject: treasury, ok: true, found, action: null }
}

function checkAsset(network: EvmNetwork, asset: EvmAsset, answers: readonly Answer[]): CheckItem {
  const [code, decimals, symbol, balance] = answers
  const place = network.setting('assets')
  const item = { what: 'asset' as const, subject: `${asset.symbol} ${asset.id}` }
  if (code?.ok && code.value === '0x')
    return {
      ...item,
      ok: false,
      found: 'no contract at this address',
      action: `Correct the id of ${asset.symbol} in ${place}.`,
    }
  const found = decimals?.ok ? readWord(decimals.value) : null
  if (found === null || !balance?.ok)
    return {
      ...item,
      ok: false,
      found: 'a contract that is no ERC-20 token',
      action: `Correct the id of ${asset.symbol} in ${place}.`,
    }
  const name = symbol?.ok ? nameIn(symbol) : ''
  const isExpected = found === BigInt(asset.decimals)
  return {
    ...item,
    ok: isExpected,
    found: `${name === '' ? 'a token' : name}, decimals ${found}`,
    action: isExpected ? null : `Set decimals ${found} for ${asset.symbol} in ${place}.`,
  }
}

/** What the token calls itself; an old kind answers with bytes, and is not quoted. */
function nameIn(symbol: Answer): string {
  const data = resultOf(symbol)
  if (!isHex(data)) return ''
  try {
    return decodeFunctionResult({ abi, functionName: 'symbol', data }).slice(0, 20)
  } catch {
    return ''
  }
}
