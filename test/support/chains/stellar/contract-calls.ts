/**
 * Calls to the contract of an asset (its Stellar Asset Contract). Other contracts are not executed here, and
 * a contract that pays (a contract wallet) is taken to have agreed.
 */
import {
  Address,
  type Asset,
  extractBaseAddress,
  MuxedAccount,
  type OperationRecord,
  scValToNative,
} from '@stellar/stellar-sdk/base'
import { type Accounts, amountOf, assetDetails, assetId, OperationFailed } from './accounts.ts'
import type { Applied, Context } from './applied.ts'

type Call = Extract<OperationRecord, { type: 'invokeHostFunction' }>

interface Movement {
  readonly type: 'transfer' | 'mint' | 'clawback'
  readonly from: string | null
  readonly to: string | null
  readonly units: bigint
}

export function applyCall({ func }: Call, context: Context): Applied {
  if (func.type !== 'hostFunctionTypeInvokeContract') throw new OperationFailed('op_not_supported')
  const { contractAddress, functionName, args } = func.value
  const asset = assetOfContract(context, Address.fromScAddress(contractAddress).toString())
  const values: unknown[] = args.map((argument) => scValToNative(argument))
  const movement = movementOf(functionName.toString(), values, context.source.address, asset)
  move(context.accounts, asset, movement)
  const { type, from, to, units } = movement
  const base = to === null ? null : baseOf(to)
  const change = {
    type,
    ...(from === null ? {} : { from }),
    ...(base === null ? {} : { to: base }),
    amount: amountOf(units),
    ...assetDetails(asset),
    ...(to?.startsWith('M') ? { destination_muxed_id: MuxedAccount.fromAddress(to, '0').id() } : {}),
  }
  return {
    type: 'invoke_host_function',
    details: { function: 'HostFunctionTypeHostFunctionTypeInvokeContract', asset_balance_changes: [change] },
    participants: [from, base].filter((address) => address?.startsWith('G')).map(String),
    effects: [],
  }
}

/** Only who calls can spend an account's balance, and only the issuer makes and takes back. */
function movementOf(name: string, values: readonly unknown[], caller: string, asset: Asset): Movement {
  const [first, second, third] = values
  const issues = caller === asset.getIssuer()
  if (name === 'transfer' && typeof third === 'bigint') {
    const [from, to] = [String(first), String(second)]
    if (!from.startsWith('C') && from !== caller) throw new OperationFailed('invoke_host_function_trapped')
    return { type: 'transfer', from, to, units: third }
  }
  if (name === 'mint' && issues && typeof second === 'bigint')
    return { type: 'mint', from: null, to: String(first), units: second }
  if (name === 'clawback' && issues && typeof second === 'bigint')
    return { type: 'clawback', from: String(first), to: null, units: second }
  throw new OperationFailed('invoke_host_function_trapped')
}

function move(accounts: Accounts, asset: Asset, { from, to, units }: Movement): void {
  if (from?.startsWith('C')) accounts.creditContract(from, asset, -units)
  else if (from !== null) accounts.debit(accounts.get(from), asset, units)
  if (to?.startsWith('C')) accounts.creditContract(to, asset, units)
  else if (to !== null) accounts.credit(baseOf(to), asset, units)
}

function baseOf(address: string): string {
  return address.startsWith('M') ? extractBaseAddress(address) : address
}

function assetOfContract({ accounts, passphrase }: Context, contract: string): Asset {
  const lines = [...accounts.byAddress.values()].flatMap((account) => [...account.lines.values()])
  const assets = new Map(lines.map(({ asset }) => [assetId(asset), asset]))
  const found = [...assets.values()].find((asset) => asset.contractId(passphrase) === contract)
  if (found === undefined) throw new OperationFailed('invoke_host_function_trapped')
  return found
}
