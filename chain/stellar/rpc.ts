/**
 * Stellar RPC, where the settings name one. Horizon has no list of given accounts, and its public servers
 * allow 3,600 requests an hour, which some twenty waiting wallets use up. Here a hundred are one request.
 */
import { type Asset, Keypair, xdr } from '@stellar/stellar-sdk/base'
import { hostOf, type Requests, wordsOf } from '../requests.ts'
import type { HoldingState } from './accounts.ts'
import { ChainFailed } from './failed.ts'
import { Fields } from './fields.ts'

/** The wallet's account and its trust line are two of the 200 keys that a request may have at most. */
const walletsPerRequest = 100

/** `TrustLineFlags.AUTHORIZED_FLAG`. */
const authorizedFlag = 1

/** What is known of a wallet and one asset. */
export interface WalletState {
  readonly holding: HoldingState
  /** Of its last transaction; `null` when it is not on the chain. */
  readonly sequence: string | null
}

export interface WalletQuestion {
  readonly wallet: string
  readonly asset: Asset
}

export class StellarRpc {
  readonly host: string
  readonly #url: string
  readonly #requests: Requests

  constructor(url: string, requests: Requests) {
    this.host = hostOf(url)
    this.#url = url
    this.#requests = requests
  }

  async passphrase(): Promise<string> {
    return (await this.#call('getNetwork', {})).text('passphrase')
  }

  /** One state for each question, in their order; `saw` hears as of which ledger. */
  async walletStates(
    questions: readonly WalletQuestion[],
    saw: (ledger: number) => void,
  ): Promise<readonly WalletState[]> {
    const states: WalletState[] = []
    for (let first = 0; first < questions.length; first += walletsPerRequest) {
      const some = questions.slice(first, first + walletsPerRequest).map(keysOf)
      const keys = [...new Set(some.flatMap(({ account, line }) => [account, line]))]
      const result = await this.#call('getLedgerEntries', { keys })
      saw(result.integer('latestLedger'))
      const list = result.has('entries') ? result.list('entries') : []
      const entries = new Map(list.map((entry) => [entry.text('key'), entry.text('xdr')]))
      states.push(
        ...some.map(({ account, line, isIssuer }) =>
          stateOf(entries.get(account), entries.get(line), isIssuer),
        ),
      )
    }
    return states
  }

  async #call(method: string, params: unknown): Promise<Fields> {
    const response = await this.#requests.fetch(this.#url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const answer = new Fields(await response.json(), `the result of ${method}`)
    if (!answer.has('error')) return answer.object('result')
    const error = answer.object('error')
    throw new ChainFailed('refused', `refuses ${method}: ${wordsOf(error.text('message'), this.#url)}.`)
  }
}

interface Keys {
  readonly account: string
  readonly line: string
  readonly isIssuer: boolean
}

function keysOf({ wallet, asset }: WalletQuestion): Keys {
  const accountId = Keypair.fromPublicKey(wallet).xdrAccountId()
  const line = new xdr.LedgerKeyTrustLine({ accountId, asset: asset.toTrustLineXdrObject() })
  return {
    account: xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId })).toXdr('base64'),
    line: xdr.LedgerKey.trustline(line).toXdr('base64'),
    isIssuer: asset.getIssuer() === wallet,
  }
}

function stateOf(account: string | undefined, line: string | undefined, isIssuer: boolean): WalletState {
  if (account === undefined) return { holding: 'missing', sequence: null }
  const entry = decoded(account)
  if (entry.type !== 'account') throw unreadable()
  const sequence = entry.value.seqNum.toString()
  if (line === undefined) return { holding: isIssuer ? 'ready' : 'no_trustline', sequence }
  const trust = decoded(line)
  if (trust.type !== 'trustline') throw unreadable()
  const isAuthorized = (trust.value.flags & authorizedFlag) !== 0
  return { holding: isAuthorized ? 'ready' : 'frozen', sequence }
}

function decoded(entry: string): xdr.LedgerEntryData {
  try {
    return xdr.LedgerEntryData.fromXdr(entry, 'base64')
  } catch {
    throw unreadable()
  }
}

function unreadable(): ChainFailed {
  return new ChainFailed('unavailable', 'answers something else than ledger entries.')
}
