/** Accounts of a local Stellar: balances, trust lines, signers, and the rules for what may be moved. */
import type { Asset } from '@stellar/stellar-sdk/base'

const baseReserve = 5_000_000n

export interface TrustLine {
  readonly asset: Asset
  balance: bigint
  limit: bigint
  isAuthorized: boolean
  canBeClawedBack: boolean
}

export interface Account {
  readonly address: string
  sequence: bigint
  /** Raw units of XLM. */
  balance: bigint
  /** By `CODE:ISSUER`. */
  readonly lines: Map<string, TrustLine>
  /** Weights by public key; the account's own is among them. */
  readonly signers: Map<string, number>
  /** Low, medium, high. */
  thresholds: readonly [number, number, number]
  isAuthRequired: boolean
  isClawbackEnabled: boolean
}

export interface ClaimableBalance {
  readonly asset: Asset
  readonly amount: bigint
  readonly claimants: readonly string[]
}

/** An operation that fails: its transaction does nothing but cost its fee. */
export class OperationFailed extends Error {
  readonly code: string
  constructor(code: string) {
    super(code)
    this.code = code
  }
}

export function assetId(asset: Asset): string {
  return asset.isNative() ? 'native' : `${asset.getCode()}:${asset.getIssuer()}`
}

export function assetDetails(asset: Asset): Readonly<Record<string, string | undefined>> {
  if (asset.isNative()) return { asset_type: 'native' }
  return { asset_type: asset.getAssetType(), asset_code: asset.getCode(), asset_issuer: asset.getIssuer() }
}

export function unitsOf(amount: string): bigint {
  const [whole = '', fraction = ''] = amount.split('.')
  return BigInt(whole + fraction.padEnd(7, '0'))
}

export function amountOf(units: bigint): string {
  const digits = units.toString().padStart(8, '0')
  return `${digits.slice(0, -7)}.${digits.slice(-7)}`
}

export class Accounts {
  readonly byAddress: Map<string, Account>
  readonly claimable: Map<string, ClaimableBalance>
  /** What contracts hold, by contract and asset. */
  readonly #contracts: Map<string, bigint>

  /** A copy is what a back end that stops here believes, and what a failed transaction goes back to. */
  constructor(from?: Accounts) {
    const accounts = [...(from?.byAddress ?? [])]
    this.byAddress = new Map(accounts.map(([address, account]) => [address, copied(account)]))
    this.claimable = new Map(from?.claimable)
    this.#contracts = new Map(from?.contracts)
  }

  get contracts(): ReadonlyMap<string, bigint> {
    return this.#contracts
  }

  creditContract(contract: string, asset: Asset, units: bigint): void {
    const key = `${contract}/${assetId(asset)}`
    const balance = (this.#contracts.get(key) ?? 0n) + units
    if (balance < 0n) throw new OperationFailed('invoke_host_function_trapped')
    this.#contracts.set(key, balance)
  }

  create(address: string, sequence: bigint, balance: bigint): Account {
    const account: Account = {
      address,
      sequence,
      balance,
      lines: new Map(),
      signers: new Map([[address, 1]]),
      thresholds: [0, 0, 0],
      isAuthRequired: false,
      isClawbackEnabled: false,
    }
    this.byAddress.set(address, account)
    return account
  }

  get(address: string): Account {
    const account = this.byAddress.get(address)
    if (account === undefined) throw new OperationFailed('op_no_source_account')
    return account
  }

  debit(account: Account, asset: Asset, units: bigint): void {
    if (asset.isNative()) {
      if (spendable(account) < units) throw new OperationFailed('op_underfunded')
      account.balance -= units
      return
    }
    if (asset.getIssuer() === account.address) return
    const line = account.lines.get(assetId(asset))
    if (line === undefined) throw new OperationFailed('op_src_no_trust')
    if (!line.isAuthorized) throw new OperationFailed('op_src_not_authorized')
    if (line.balance < units) throw new OperationFailed('op_underfunded')
    line.balance -= units
  }

  credit(address: string, asset: Asset, units: bigint): void {
    const account = this.byAddress.get(address)
    if (account === undefined) throw new OperationFailed('op_no_destination')
    if (asset.isNative()) {
      account.balance += units
      return
    }
    if (asset.getIssuer() === address) return
    const line = account.lines.get(assetId(asset))
    if (line === undefined) throw new OperationFailed('op_no_trust')
    if (!line.isAuthorized) throw new OperationFailed('op_not_authorized')
    if (line.balance + units > line.limit) throw new OperationFailed('op_line_full')
    line.balance += units
  }
}

function reserveOf(account: Account): bigint {
  return (2n + BigInt(account.lines.size + account.signers.size - 1)) * baseReserve
}

/** XLM above the reserve. */
export function spendable(account: Account): bigint {
  return account.balance - reserveOf(account)
}

/** One more entry has to be paid for. */
export function canAddEntry(account: Account): boolean {
  return spendable(account) >= baseReserve
}

function copied(account: Account): Account {
  return {
    ...account,
    lines: new Map([...account.lines].map(([id, line]) => [id, { ...line }])),
    signers: new Map(account.signers),
  }
}
