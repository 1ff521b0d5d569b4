/** The part of Stellar RPC that this node uses, over the same ledger. */
import { Address, Keypair, xdr } from '@stellar/stellar-sdk/base'
import type { Account, TrustLine } from './accounts.ts'
import { type HorizonAnswer, Problem } from './horizon.ts'
import type { StellarLedger } from './ledger.ts'

const maxKeys = 200

interface RpcRequest {
  readonly id: unknown
  readonly method: string
  readonly params: { readonly keys?: readonly string[] }
}

export class RpcApi {
  readonly #ledger: StellarLedger

  constructor(ledger: StellarLedger) {
    this.#ledger = ledger
  }

  answer(method: string, _url: URL, body: string): HorizonAnswer {
    if (method !== 'POST') throw new Problem(405, 'Method Not Allowed')
    this.#ledger.follow()
    const request: RpcRequest = JSON.parse(body)
    return { body: { jsonrpc: '2.0', id: request.id, ...this.#call(request) }, latestLedger: null }
  }

  #call({ method, params }: RpcRequest): Readonly<Record<string, unknown>> {
    const { sequence, passphrase } = this.#ledger
    if (method === 'getNetwork') return { result: { passphrase, protocolVersion: 28 } }
    if (method !== 'getLedgerEntries') return { error: { code: -32601, message: 'method not found' } }
    const keys = params.keys ?? []
    if (keys.length > maxKeys)
      return {
        error: { code: -32602, message: `key count (${keys.length}) exceeds maximum supported (200)` },
      }
    const entries = keys.flatMap((key) => {
      const entry = this.#entry(xdr.LedgerKey.fromXdr(key, 'base64'))
      return entry === null
        ? []
        : [{ key, xdr: entry.toXdr('base64'), lastModifiedLedgerSeq: sequence, extXdr: 'AAAAAA==' }]
    })
    return { result: { entries, latestLedger: sequence } }
  }

  #entry(key: xdr.LedgerKey): xdr.LedgerEntryData | null {
    if (key.type !== 'account' && key.type !== 'trustline') throw new Problem(400, 'Bad Request')
    const address = Address.account(key.value.accountId.value.toBytes()).toString()
    const account = this.#ledger.accounts.byAddress.get(address)
    if (account === undefined) return null
    if (key.type === 'account') return accountEntry(account)
    const wanted = key.value.asset.toXdr('hex')
    const line = [...account.lines.values()].find(
      ({ asset }) => asset.toTrustLineXdrObject().toXdr('hex') === wanted,
    )
    return line === undefined ? null : trustLineEntry(account, line)
  }
}

function accountEntry({ address, balance, sequence, lines, thresholds }: Account): xdr.LedgerEntryData {
  return xdr.LedgerEntryData.account(
    new xdr.AccountEntry({
      accountId: Keypair.fromPublicKey(address).xdrAccountId(),
      balance,
      seqNum: sequence,
      numSubEntries: lines.size,
      inflationDest: null,
      flags: 0,
      homeDomain: '',
      thresholds: new Uint8Array([1, ...thresholds]),
      signers: [],
      ext: xdr.AccountEntryExt.v0(),
    }),
  )
}

function trustLineEntry({ address }: Account, line: TrustLine): xdr.LedgerEntryData {
  return xdr.LedgerEntryData.trustline(
    new xdr.TrustLineEntry({
      accountId: Keypair.fromPublicKey(address).xdrAccountId(),
      asset: line.asset.toTrustLineXdrObject(),
      balance: line.balance,
      limit: line.limit,
      flags: (line.isAuthorized ? 1 : 0) | (line.canBeClawedBack ? 4 : 0),
      ext: xdr.TrustLineEntryExt.v0(),
    }),
  )
}
