/** Everybody on a local EVM chain: the issuer of its tokens, and wallets whose keys are held here. */
import { readFileSync } from 'node:fs'
import type { Address, Hex, TransactionSerializableEIP1559 } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { encodeAbiParameters, encodeFunctionData, getAddress, numberToHex, parseAbi } from 'viem/utils'
import type { Anvil } from './anvil.ts'

export const tokenAbi = parseAbi([
  'function transfer(address to, uint256 value) returns (bool)',
  'function mint(address to, uint256 value)',
  'function approve(address spender, uint256 value) returns (bool)',
  'function transferFrom(address from, address to, uint256 value) returns (bool)',
  'function balanceOf(address owner) view returns (uint256)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])

const walletWei = 100n * 10n ** 18n
const code: Readonly<Record<'TestToken' | 'ContractWallet' | 'Flood', Hex>> = JSON.parse(
  readFileSync(new URL('./contracts.json', import.meta.url), 'utf8'),
)

/** What a wallet fills in itself when it is given no more. */
export interface SentCall {
  readonly to: Address | null
  readonly data: Hex
  readonly gas?: bigint
  readonly maxFeePerGas?: bigint
  readonly maxPriorityFeePerGas?: bigint
  readonly value?: bigint
}

export interface Receipt {
  readonly transactionId: Hex
  readonly done: boolean
  readonly contract: Address | null
  readonly gasUsed: bigint
}

export class EvmAccounts {
  readonly #anvil: Anvil
  readonly #chainId: number
  readonly #beforeBlock: () => Promise<void>
  readonly #keys = new Map<string, PrivateKeyAccount>()
  readonly #issuer: PrivateKeyAccount

  /** `beforeBlock` is called before each transaction. */
  constructor(anvil: Anvil, chainId: number, beforeBlock: () => Promise<void>) {
    this.#anvil = anvil
    this.#chainId = chainId
    this.#beforeBlock = beforeBlock
    this.#issuer = this.newKey()
  }

  newKey(): PrivateKeyAccount {
    const account = privateKeyToAccount(generatePrivateKey())
    this.#keys.set(account.address, account)
    return account
  }

  /** With coins for fees. */
  async newWallet(): Promise<Address> {
    const { address } = this.newKey()
    await this.fund(address)
    return address
  }

  async fund(address: Address): Promise<void> {
    await this.#anvil.call('anvil_setBalance', address, numberToHex(walletWei))
  }

  /** Of MON. */
  async balance(address: Address): Promise<bigint> {
    return BigInt(String(await this.#anvil.call('eth_getBalance', address, 'latest')))
  }

  /** Of a fee in basis points, and whether its events tell of the fee. */
  async deployToken(feeBps = 0, announcesAll = false): Promise<Address> {
    await this.fund(this.#issuer.address)
    const parameters = [{ type: 'uint256' }, { type: 'bool' }] as const
    const values = encodeAbiParameters(parameters, [BigInt(feeBps), announcesAll])
    return await this.deploy(this.#issuer.address, `${code.TestToken}${values.slice(2)}`)
  }

  deployWallet(owner: Address): Promise<Address> {
    return this.deploy(owner, code.ContractWallet)
  }

  deployFlood(): Promise<Address> {
    return this.deploy(this.#issuer.address, code.Flood)
  }

  async deploy(from: Address, data: Hex): Promise<Address> {
    const { contract } = await this.send(from, { to: null, data })
    if (contract === null) throw new Error('no contract was created')
    return contract
  }

  async mint(token: Address, to: Address, units: bigint): Promise<void> {
    const data = encodeFunctionData({ abi: tokenAbi, functionName: 'mint', args: [to, units] })
    await this.send(this.#issuer.address, { to: token, data })
  }

  async balanceOf(token: Address, owner: Address): Promise<bigint> {
    const data = encodeFunctionData({ abi: tokenAbi, functionName: 'balanceOf', args: [owner] })
    return BigInt(String(await this.#anvil.call('eth_call', { to: token, data }, 'latest')))
  }

  /** Signs and broadcasts. Rejects when it is refused, or when it fails in its block. */
  async send(from: Address, call: SentCall): Promise<Receipt> {
    const receipt = await this.broadcast(await this.sign(from, call))
    if (!receipt.done) throw new Error(`transaction ${receipt.transactionId} failed`)
    return receipt
  }

  /** One block with all of them, as the next one. Whether they do what they should is not looked at. */
  async sendTogether(calls: readonly (SentCall & { readonly from: Address })[]): Promise<void> {
    const signed: Hex[] = []
    const sent = new Map<string, number>()
    for (const { from, ...call } of calls) {
      const earlier = sent.get(from) ?? 0
      sent.set(from, earlier + 1)
      signed.push(await this.sign(from, call, earlier))
    }
    await this.#beforeBlock()
    await this.#anvil.call('evm_setAutomine', false)
    await this.#anvil.batch(signed.map((raw) => ({ method: 'eth_sendRawTransaction', params: [raw] })))
    await this.#anvil.call('anvil_mine', 1)
    await this.#anvil.call('evm_setAutomine', true)
  }

  /** The signed bytes; `earlier` transactions of the sender are on their way. */
  async sign(from: Address, call: SentCall, earlier = 0): Promise<Hex> {
    const account = this.#keys.get(from)
    if (account === undefined) throw new Error(`nobody here has the key of ${from}`)
    const nonce = earlier + Number(await this.#anvil.call('eth_getTransactionCount', from, 'latest'))
    return await account.signTransaction(await this.complete(from, call, nonce))
  }

  async complete(from: Address, call: SentCall, nonce: number): Promise<TransactionSerializableEIP1559> {
    const { to, data, value = 0n } = call
    const estimated =
      call.gas ?? (await this.#anvil.call('eth_estimateGas', { from, data, ...(to && { to }) }))
    return {
      type: 'eip1559',
      chainId: this.#chainId,
      nonce,
      to,
      data,
      value,
      gas: BigInt(String(estimated)),
      maxFeePerGas: call.maxFeePerGas ?? 500_000_000_000n,
      maxPriorityFeePerGas: call.maxPriorityFeePerGas ?? 1_000_000_000n,
    }
  }

  /** Rejects when the network refuses it. It may be in a block and have failed there. */
  async broadcast(signed: Hex): Promise<Receipt> {
    await this.#beforeBlock()
    const receipt: AnvilReceipt = Object(await this.#anvil.call('eth_sendRawTransactionSync', signed))
    return {
      transactionId: receipt.transactionHash,
      done: receipt.status === '0x1',
      contract: receipt.contractAddress ? getAddress(receipt.contractAddress) : null,
      gasUsed: BigInt(receipt.gasUsed),
    }
  }
}

interface AnvilReceipt {
  readonly transactionHash: Hex
  readonly status: Hex
  readonly contractAddress: Address | null
  readonly gasUsed: Hex
}
