/** Whether Solana can be used now, and whether the settings agree with what is on the chain. */
import type { Connection } from '@solana/web3.js'
import type { ChainHealth, CheckItem } from '../chain.ts'
import { canonicalWallet } from './addresses.ts'
import { blockTime } from './listing.ts'
import { attempt, finality, type SolanaAsset, type SolanaNetwork } from './network.ts'
import { readMint } from './token-account.ts'
import { stateOf } from './values.ts'

/** A block is final about 13 s after it was made. */
const maxLagMs = 120_000

export async function health(network: SolanaNetwork): Promise<ChainHealth> {
  const { requests, endpoints, settings, clock } = network
  const read = await network.ask(async (connection, host) => {
    const head = await connection.getSlot(finality)
    return { host, head: head.toString(), headAt: await blockTime(connection, head) }
  })
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
  const { host, head, headAt } = read.value
  const lagMs = headAt === null ? null : clock() - headAt
  const { otherTokensProblem } = network
  const isLate = lagMs !== null && lagMs > maxLagMs
  const lag = `${host} names a final block that is ${Math.round((lagMs ?? 0) / 1000)} s old.`
  return {
    ok: !isLate,
    endpoint: host,
    network: settings.genesisHash,
    head,
    headAt,
    lagMs,
    clockOffsetMs: requests.clockOffsetMs(host),
    problems: [
      ...endpoints.failures.map(({ message }) => message),
      ...(isLate ? [lag] : []),
      ...(otherTokensProblem === null ? [] : [otherTokensProblem]),
    ],
  }
}

export async function check(network: SolanaNetwork): Promise<readonly CheckItem[]> {
  const endpoints = await Promise.all(
    network.endpoints.all.map(({ client, host }) => checkEndpoint(network, client, host)),
  )
  const items = [...endpoints.flat(), checkTreasury(network)]
  const read = await network.ask((connection) =>
    connection.getMultipleAccountsInfo(
      network.assets.flatMap(({ mint, account }) => [mint, account]),
      'confirmed',
    ),
  )
  if (!read.ok) return items
  const accounts = read.value
  const assets = network.assets.flatMap((asset, index) => [
    checkMint(asset, accounts[2 * index] ?? null),
    checkTreasuryAccount(network, asset, accounts[2 * index + 1] ?? null),
  ])
  return [...items, ...assets]
}

async function checkEndpoint(
  network: SolanaNetwork,
  connection: Connection,
  host: string,
): Promise<readonly CheckItem[]> {
  const read = await attempt(connection, host, async () => ({
    genesis: await connection.getGenesisHash(),
    version: (await connection.getVersion())['solana-core'],
  }))
  if (!read.ok)
    return [
      {
        what: 'endpoint',
        subject: host,
        ok: false,
        found: read.failure.message,
        action: 'See that it runs and can be reached, or replace it in chains.SOLANA.rpc.',
      },
    ]
  const { genesis, version } = read.value
  const isExpected = genesis === network.settings.genesisHash
  return [
    { what: 'endpoint', subject: host, ok: true, found: `answers, version ${version}`, action: null },
    {
      what: 'network',
      subject: host,
      ok: isExpected,
      found: `genesis ${genesis}`,
      action: isExpected
        ? null
        : `Expected genesis ${network.settings.genesisHash}. Point chains.SOLANA.rpc at the right cluster, ` +
          'or set mode.',
    },
  ]
}

function checkTreasury({ settings }: SolanaNetwork): CheckItem {
  const canSign = canonicalWallet(settings.treasury) !== null
  return {
    what: 'treasury',
    subject: settings.treasury,
    ok: canSign,
    found: canSign ? 'the address of a key' : 'an address that no key can sign for',
    action: canSign
      ? null
      : "Set chains.SOLANA.treasury to the owner's address, and not to one of its token accounts.",
  }
}

type Account = Parameters<typeof readMint>[0]

/** Token-2022 extensions that a plain transfer cannot serve: a transfer hook, and non-transferable tokens. */
const unsupportedExtensions: Readonly<Record<number, string>> = { 9: 'non-transferable', 14: 'transfer hook' }

function checkMint(asset: SolanaAsset, account: Account): CheckItem {
  const item = { what: 'asset' as const, subject: `${asset.symbol} ${asset.id}` }
  const mint = readMint(account)
  if (mint === null)
    return {
      ...item,
      ok: false,
      found: 'no mint at this address',
      action: `Correct the id of ${asset.symbol} in chains.SOLANA.assets.`,
    }
  const found = `decimals ${mint.decimals}, program ${mint.program}`
  const unsupported = mint.extensions.flatMap((type) => unsupportedExtensions[type] ?? [])
  if (unsupported.length > 0)
    return {
      ...item,
      ok: false,
      found: `${found}, ${unsupported.join(', ')}`,
      action: `Remove ${asset.symbol} from chains.SOLANA.assets: this node cannot build its transfers.`,
    }
  if (mint.decimals === asset.decimals && mint.program === asset.program.toBase58())
    return { ...item, ok: true, found, action: null }
  return {
    ...item,
    ok: false,
    found,
    action:
      `Set decimals ${mint.decimals} and program ${mint.program} for ${asset.symbol} in ` +
      'chains.SOLANA.assets.',
  }
}

function checkTreasuryAccount(network: SolanaNetwork, asset: SolanaAsset, account: Account): CheckItem {
  const state = stateOf(account, asset.id)
  const actions = {
    ready: null,
    missing:
      `Create it once: spl-token create-account ${asset.id} --owner ${network.settings.treasury} ` +
      `--program-id ${asset.program.toBase58()}.`,
    frozen: `Ask the issuer of ${asset.symbol} to thaw it.`,
  }
  return {
    what: 'treasury_account',
    subject: `${asset.symbol} ${asset.account.toBase58()}`,
    ok: state === 'ready',
    found: state,
    action: actions[state],
  }
}
