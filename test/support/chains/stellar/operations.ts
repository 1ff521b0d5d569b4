/** What operations do, in the words in which Horizon tells of them. */
import { Asset, extractBaseAddress, type OperationRecord } from '@stellar/stellar-sdk/base'
import {
  type Account,
  type Accounts,
  amountOf,
  assetDetails,
  assetId,
  canAddEntry,
  OperationFailed,
  unitsOf,
} from './accounts.ts'
import type { Applied, Context, Effect, Market } from './applied.ts'
import { applyCall } from './contract-calls.ts'

export function apply(operation: OperationRecord, context: Context): Applied {
  const { accounts, source } = context
  switch (operation.type) {
    case 'payment': {
      const { destination, asset, amount } = operation
      accounts.debit(source, asset, unitsOf(amount))
      accounts.credit(extractBaseAddress(destination), asset, unitsOf(amount))
      return moved('payment', context, destination, asset, amount, {})
    }
    case 'pathPaymentStrictReceive': {
      const { sendAsset, sendMax, destination, destAsset, destAmount } = operation
      const market = marketOf(context, sendAsset, destAsset)
      const sent = (unitsOf(destAmount) + market.price - 1n) / market.price
      if (sent > unitsOf(sendMax)) throw new OperationFailed('op_over_source_max')
      exchange(context, market, [sendAsset, sent], [destAsset, unitsOf(destAmount)], destination)
      const details = { ...sourceDetails(sendAsset, sent), source_max: sendMax, path: [] }
      return moved('path_payment_strict_receive', context, destination, destAsset, destAmount, details)
    }
    case 'pathPaymentStrictSend': {
      const { sendAsset, sendAmount, destination, destAsset, destMin } = operation
      const market = marketOf(context, sendAsset, destAsset)
      const received = unitsOf(sendAmount) * market.price
      if (received < unitsOf(destMin)) throw new OperationFailed('op_under_dest_min')
      exchange(context, market, [sendAsset, unitsOf(sendAmount)], [destAsset, received], destination)
      const details = { ...sourceDetails(sendAsset, unitsOf(sendAmount)), destination_min: destMin, path: [] }
      const amount = amountOf(received)
      return moved('path_payment_strict_send', context, destination, destAsset, amount, details)
    }
    case 'createAccount':
      return createAccount(context, operation.destination, unitsOf(operation.startingBalance))
    case 'accountMerge':
      return mergeAccount(context, operation.destination)
    case 'createClaimableBalance': {
      const { asset, amount, claimants } = operation
      accounts.debit(source, asset, unitsOf(amount))
      const destinations = claimants.map(({ destination }) => destination)
      const balanceId = context.transaction.getClaimableBalanceId(context.index)
      accounts.claimable.set(balanceId, { asset, amount: unitsOf(amount), claimants: destinations })
      return {
        type: 'create_claimable_balance',
        details: {
          asset: assetId(asset),
          amount,
          claimants: destinations.map((destination) => ({ destination, predicate: { unconditional: true } })),
        },
        participants: destinations,
        effects: [
          { type: 'claimable_balance_created', account: source.address, balance_id: balanceId },
          debited(source.address, asset, amount),
        ],
        balanceId,
      }
    }
    case 'claimClaimableBalance':
      return claim(context, operation.balanceId)
    case 'clawback': {
      const { asset, amount, from } = operation
      const line = accounts.byAddress.get(extractBaseAddress(from))?.lines.get(assetId(asset))
      if (asset.getIssuer() !== source.address) throw new OperationFailed('op_not_clawback_enabled')
      if (line?.canBeClawedBack !== true) throw new OperationFailed('op_not_clawback_enabled')
      if (line.balance < unitsOf(amount)) throw new OperationFailed('op_underfunded')
      line.balance -= unitsOf(amount)
      return {
        type: 'clawback',
        details: { ...assetDetails(asset), ...addressDetails('from', from), amount },
        participants: [extractBaseAddress(from)],
        effects: [credited(source.address, asset, amount), debited(extractBaseAddress(from), asset, amount)],
      }
    }
    case 'invokeHostFunction':
      return applyCall(operation, context)
    default:
      return applyToAccount(operation, context)
  }
}

/** Operations that change an account and move nothing. */
function applyToAccount(operation: OperationRecord, { accounts, source }: Context): Applied {
  const plain = { details: {}, participants: [], effects: [] }
  switch (operation.type) {
    case 'changeTrust': {
      if (!('code' in operation.line)) throw new OperationFailed('op_not_supported')
      changeTrust(accounts, source, operation.line, unitsOf(operation.limit))
      const details = { ...assetDetails(operation.line), trustor: source.address, limit: operation.limit }
      return { ...plain, type: 'change_trust', details }
    }
    case 'setTrustLineFlags': {
      const { trustor, asset, flags } = operation
      const line = accounts.byAddress.get(trustor)?.lines.get(assetId(asset))
      if (asset.getIssuer() !== source.address || line === undefined)
        throw new OperationFailed('op_no_trust_line')
      line.isAuthorized = flags.authorized ?? line.isAuthorized
      return { ...plain, type: 'set_trust_line_flags', details: { trustor }, participants: [trustor] }
    }
    case 'setOptions': {
      const { signer, masterWeight, lowThreshold, medThreshold, highThreshold, setFlags } = operation
      if (signer && 'ed25519PublicKey' in signer && typeof signer.ed25519PublicKey === 'string') {
        const { ed25519PublicKey: key, weight } = signer
        if (Number(weight) === 0) source.signers.delete(key)
        else source.signers.set(key, Number(weight))
      }
      if (masterWeight !== undefined) source.signers.set(source.address, masterWeight)
      const [low, medium, high] = source.thresholds
      source.thresholds = [lowThreshold ?? low, medThreshold ?? medium, highThreshold ?? high]
      if (((setFlags ?? 0) & 1) !== 0) source.isAuthRequired = true
      if (((setFlags ?? 0) & 8) !== 0) source.isClawbackEnabled = true
      return { ...plain, type: 'set_options' }
    }
    case 'bumpSequence': {
      const to = BigInt(operation.bumpTo)
      if (to > source.sequence) source.sequence = to
      return { ...plain, type: 'bump_sequence', details: { bump_to: operation.bumpTo } }
    }
    default:
      throw new OperationFailed('op_not_supported')
  }
}

function changeTrust(accounts: Accounts, source: Account, asset: Asset, limit: bigint): void {
  const issuer = accounts.byAddress.get(asset.getIssuer() ?? '')
  if (issuer === undefined) throw new OperationFailed('op_no_issuer')
  const line = source.lines.get(assetId(asset))
  if (limit < (line?.balance ?? 0n)) throw new OperationFailed('op_invalid_limit')
  if (limit === 0n) {
    source.lines.delete(assetId(asset))
    return
  }
  if (line !== undefined) {
    line.limit = limit
    return
  }
  if (!canAddEntry(source)) throw new OperationFailed('op_low_reserve')
  const flags = { isAuthorized: !issuer.isAuthRequired, canBeClawedBack: issuer.isClawbackEnabled }
  source.lines.set(assetId(asset), { asset, balance: 0n, limit, ...flags })
}

function createAccount({ accounts, source, nextSequence }: Context, address: string, units: bigint): Applied {
  if (accounts.byAddress.has(address)) throw new OperationFailed('op_already_exists')
  if (units < 10_000_000n) throw new OperationFailed('op_low_reserve')
  accounts.debit(source, Asset.native(), units)
  accounts.create(address, nextSequence, units)
  return {
    type: 'create_account',
    details: { account: address, funder: source.address, starting_balance: amountOf(units) },
    participants: [address],
    effects: [
      { type: 'account_created', account: address, starting_balance: amountOf(units) },
      { type: 'account_debited', account: source.address, asset_type: 'native', amount: amountOf(units) },
    ],
  }
}

function mergeAccount({ accounts, source }: Context, destination: string): Applied {
  const into = accounts.byAddress.get(extractBaseAddress(destination))
  if (into === undefined) throw new OperationFailed('op_no_account')
  if (source.lines.size > 0) throw new OperationFailed('op_has_sub_entries')
  const amount = amountOf(source.balance)
  into.balance += source.balance
  accounts.byAddress.delete(source.address)
  const native = { asset_type: 'native', amount }
  return {
    type: 'account_merge',
    details: { account: source.address, ...addressDetails('into', destination) },
    participants: [into.address],
    effects: [
      { type: 'account_debited', account: source.address, ...native },
      { type: 'account_credited', account: into.address, ...native },
      { type: 'account_removed', account: source.address },
    ],
  }
}

function claim({ accounts, source }: Context, balanceId: string): Applied {
  const balance = accounts.claimable.get(balanceId)
  if (balance === undefined) throw new OperationFailed('op_does_not_exist')
  if (!balance.claimants.includes(source.address)) throw new OperationFailed('op_cannot_claim')
  accounts.credit(source.address, balance.asset, balance.amount)
  accounts.claimable.delete(balanceId)
  const amount = amountOf(balance.amount)
  const claimed = { balance_id: balanceId, asset: assetId(balance.asset), amount }
  return {
    type: 'claim_claimable_balance',
    details: { balance_id: balanceId, claimant: source.address },
    participants: [],
    effects: [
      { type: 'claimable_balance_claimed', account: source.address, ...claimed },
      credited(source.address, balance.asset, amount),
    ],
    balanceId,
  }
}

function marketOf({ markets }: Context, from: Asset, to: Asset): Market {
  const market = markets.get(`${assetId(from)}>${assetId(to)}`)
  if (market === undefined) throw new OperationFailed('op_too_few_offers')
  return market
}

function exchange(
  { accounts, source }: Context,
  { maker }: Market,
  [sendAsset, sent]: [Asset, bigint],
  [asset, received]: [Asset, bigint],
  destination: string,
): void {
  accounts.debit(source, sendAsset, sent)
  accounts.credit(maker, sendAsset, sent)
  accounts.debit(accounts.get(maker), asset, received)
  accounts.credit(extractBaseAddress(destination), asset, received)
}

function moved(
  type: string,
  { source, sourceAddress }: Context,
  destination: string,
  asset: Asset,
  amount: string,
  more: Readonly<Record<string, unknown>>,
): Applied {
  const to = extractBaseAddress(destination)
  return {
    type,
    details: {
      ...addressDetails('from', sourceAddress),
      ...addressDetails('to', destination),
      ...assetDetails(asset),
      amount,
      ...more,
    },
    participants: [to],
    effects: [credited(to, asset, amount), debited(source.address, asset, amount)],
  }
}

function sourceDetails(asset: Asset, units: bigint): Readonly<Record<string, unknown>> {
  const members = Object.entries(assetDetails(asset)).map(([name, value]) => [`source_${name}`, value])
  return { ...Object.fromEntries(members), source_amount: amountOf(units) }
}

/** The base account, and the sub-account where one was given. */
function addressDetails(name: string, address: string): Readonly<Record<string, string>> {
  const base = { [name]: extractBaseAddress(address) }
  return address.startsWith('M') ? { ...base, [`${name}_muxed`]: address } : base
}

function credited(account: string, asset: Asset, amount: string): Effect {
  return { type: 'account_credited', account, ...assetDetails(asset), amount }
}

function debited(account: string, asset: Asset, amount: string): Effect {
  return { type: 'account_debited', account, ...assetDetails(asset), amount }
}
