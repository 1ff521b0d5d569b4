/** Whether Stellar can be used now, and whether the settings agree with what is on the chain. */
import type { ChainFailure, ChainHealth, CheckItem, Outcome } from '../chain.ts'
import type { Endpoint } from '../endpoints.ts'
import { type Account, type HoldingState, holdingOf, readAccount } from './accounts.ts'
import { recordsOf } from './fields.ts'
import type { Horizon } from './horizon.ts'
import { type AcceptedAsset, attempt, type HorizonNetwork, poolLedgers } from './network.ts'
import type { StellarRpc } from './rpc.ts'

/** A ledger closes about every 5 s, and Horizon has it a second later. */
const maxLagMs = 60_000

export async function health(network: HorizonNetwork): Promise<ChainHealth> {
  const { requests, endpoints, clock } = network
  const read = await network.ask(async (horizon) => ({ host: horizon.host, root: await horizon.root() }))
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
  const { host, root } = read.value
  const failures = [...endpoints.failures, ...(network.rpc?.failures ?? [])]
  const lagMs = clock() - root.headAt
  const behind = root.core - root.head
  const lag = [
    ...(lagMs > maxLagMs ? [`${host} names a ledger that closed ${Math.round(lagMs / 1000)} s ago.`] : []),
    ...(behind > poolLedgers ? [`${host} is ${behind} ledgers behind the node that it follows.`] : []),
  ]
  return {
    ok: lag.length === 0,
    endpoint: host,
    network: root.passphrase,
    head: root.head.toString(),
    headAt: root.headAt,
    lagMs,
    clockOffsetMs: requests.clockOffsetMs(host),
    problems: [...failures.map(({ message }) => message), ...lag],
  }
}

export async function check(network: HorizonNetwork): Promise<readonly CheckItem[]> {
  const rpc = network.rpc?.all ?? []
  const items = [
    ...(await Promise.all(network.endpoints.all.map(checkHorizon))).flat(),
    ...(await Promise.all(rpc.map((endpoint) => checkRpc(network, endpoint)))).flat(),
  ]
  const read = await network.ask(async (horizon) => ({
    treasury: await readAccount(horizon, network.settings.treasury),
    assets: await Promise.all(network.assets.map((asset) => checkAsset(horizon, asset))),
  }))
  if (!read.ok) return items
  const { treasury, assets } = read.value
  return [
    ...items,
    checkTreasury(network, treasury),
    ...assets,
    ...network.assets.map((asset) => checkTrustLine(network, asset, treasury)),
  ]
}

async function checkHorizon(endpoint: Endpoint<Horizon>): Promise<readonly CheckItem[]> {
  const read = await attempt(endpoint, async (horizon) => {
    const { version, head, elder, passphrase } = await horizon.root()
    return { passphrase, found: `answers, version ${version}, ledgers ${elder} to ${head}` }
  })
  return checkEndpoint(endpoint.host, 'horizon', read)
}

async function checkRpc(
  network: HorizonNetwork,
  endpoint: Endpoint<StellarRpc>,
): Promise<readonly CheckItem[]> {
  const read = await attempt(endpoint, async (rpc) => {
    const passphrase = await rpc.passphrase()
    network.recognize(passphrase, 'rpc')
    return { passphrase, found: 'answers' }
  })
  return checkEndpoint(endpoint.host, 'rpc', read)
}

function checkEndpoint(
  host: string,
  setting: 'horizon' | 'rpc',
  read: Outcome<{ readonly passphrase: string; readonly found: string }, ChainFailure>,
): readonly CheckItem[] {
  const endpoint = { what: 'endpoint' as const, subject: host, ok: true, found: 'answers', action: null }
  const network = { what: 'network' as const, subject: host }
  if (read.ok) {
    const { passphrase, found } = read.value
    return [
      { ...endpoint, found },
      { ...network, ok: true, found: passphrase, action: null },
    ]
  }
  const { kind, message } = read.failure
  if (kind === 'wrong_network') {
    const action = `Point chains.STELLAR.${setting} at the right network, or set mode.`
    return [endpoint, { ...network, ok: false, found: message, action }]
  }
  const action = `See that it runs and can be reached, or replace it in chains.STELLAR.${setting}.`
  return [{ ...endpoint, ok: false, found: message, action }]
}

function checkTreasury({ settings }: HorizonNetwork, account: Account | null): CheckItem {
  const item = { what: 'treasury' as const, subject: settings.treasury }
  if (account !== null) return { ...item, ok: true, found: 'an account', action: null }
  return {
    ...item,
    ok: false,
    found: 'no account',
    action: 'Create it with a few XLM for its reserve, or correct chains.STELLAR.treasury.',
  }
}

/** Nobody can forge an issuer; a code alone proves nothing. */
async function checkAsset(horizon: Horizon, asset: AcceptedAsset): Promise<CheckItem> {
  const item = { what: 'asset' as const, subject: `${asset.symbol} ${asset.id}` }
  const query = { asset_code: asset.code, asset_issuer: asset.issuer, limit: '1' }
  const [known] = recordsOf(await horizon.get('/assets', query, 'assets'))
  if (known === undefined)
    return {
      ...item,
      ok: false,
      found: 'nobody holds such an asset',
      action: `Correct the id of ${asset.symbol} in chains.STELLAR.assets.`,
    }
  const flags = known.has('flags') ? known.object('flags') : null
  const powers = [
    ...(flags?.flag('auth_revocable') ? ['its issuer can freeze it'] : []),
    ...(flags?.flag('auth_clawback_enabled') ? ['its issuer can take it back'] : []),
  ]
  return { ...item, ok: true, found: ['known, decimals 7', ...powers].join(', '), action: null }
}

function checkTrustLine(network: HorizonNetwork, asset: AcceptedAsset, account: Account | null): CheckItem {
  const { state, room } = holdingOf(account, asset.id)
  const setUp = `Sign changeTrust for ${asset.id} with the treasury's key, once.`
  const actions: Readonly<Record<HoldingState, string | null>> = {
    ready: room > 0n ? null : `Raise the limit of the treasury's trust line for ${asset.id}.`,
    missing: setUp,
    no_trustline: setUp,
    frozen: `Ask the issuer of ${asset.symbol} to authorize the treasury.`,
  }
  return {
    what: 'treasury_account',
    subject: `${asset.symbol} ${network.settings.treasury}`,
    ok: actions[state] === null,
    found: state === 'ready' ? `ready, room for ${room} units` : state,
    action: actions[state],
  }
}
