/**
 * What a transaction credited to the treasury's token accounts. Pure.
 *
 * The balances before and after are what counts; the transfers explain them. Where they agree, each transfer
 * is a deposit of its own. Where they do not, the balance is one deposit that says so.
 */
import type { PublicKey, VersionedTransactionResponse } from '@solana/web3.js'
import type { Deposit, DepositFlag } from '../chain.ts'
import { base58Bytes, memoProgram, referenceOf, token2022Program, tokenProgram } from './addresses.ts'

export interface CreditsOptions {
  readonly signature: string
  /** The owner's address. */
  readonly treasury: string
  readonly symbolOf: (mint: string) => string | null
}

interface Instruction {
  /** `2`, or `2.0` for the first call made by the third instruction. */
  readonly index: string
  readonly program: string
  readonly accounts: readonly number[]
  readonly data: Buffer
}

interface TokenTransfer {
  readonly index: string
  readonly source: number
  readonly destination: number
  /** Units that leave the source. */
  readonly units: bigint
  /** The part that the instruction itself says is withheld. */
  readonly fee: bigint
  readonly references: readonly string[]
}

interface Change {
  readonly account: number
  readonly mint: string
  readonly program: string
  readonly delta: bigint
}

type Meta = NonNullable<VersionedTransactionResponse['meta']>

export function creditsOf(
  transaction: VersionedTransactionResponse,
  options: CreditsOptions,
): readonly Deposit[] {
  const { meta, slot, blockTime } = transaction
  // Failed transactions move no tokens.
  if (meta === null || meta.err !== null) return []
  const changes = changesOf(meta, options.treasury)
  if (changes.length === 0) return []

  const keys = keysOf(transaction, meta)
  const instructions = instructionsOf(transaction, meta, keys)
  const transfers = instructions.flatMap((instruction) => transferOf(instruction, keys))
  const ownerOf = (account: number): string | null =>
    [...(meta.preTokenBalances ?? []), ...(meta.postTokenBalances ?? [])].find(
      ({ accountIndex }) => accountIndex === account,
    )?.owner ?? null
  const memos = memosOf(instructions)

  return changes.flatMap((change) =>
    explain(change, transfers).map((credit) => ({
      blockchain: 'SOLANA' as const,
      transactionId: options.signature,
      index: credit.index ?? `net.${keys[change.account]?.toBase58()}`,
      height: slot.toString(),
      at: typeof blockTime === 'number' ? blockTime * 1000 : null,
      assetId: change.mint,
      symbol: options.symbolOf(change.mint),
      amount: credit.amount,
      sender: only(credit.transfers.map(({ source }) => ownerOf(source))),
      references: [...new Set(credit.transfers.flatMap(({ references }) => references))],
      flags: credit.flags,
      evidence: {
        tokenAccount: keys[change.account]?.toBase58() ?? '',
        ...(memos === '' ? {} : { memo: memos }),
        ...(credit.flags.includes('fee_withheld') ? { sent: sum(credit.transfers).toString() } : {}),
      },
    })),
  )
}

interface Credit {
  /** `null` for what no single transfer explains. */
  readonly index: string | null
  readonly amount: bigint
  readonly transfers: readonly TokenTransfer[]
  readonly flags: readonly DepositFlag[]
}

function explain(change: Change, transfers: readonly TokenTransfer[]): readonly Credit[] {
  const incoming = transfers.filter(
    ({ source, destination }) => destination === change.account && source !== destination,
  )
  const outgoing = transfers.some(
    ({ source, destination }) => source === change.account && source !== destination,
  )
  const [first, ...others] = incoming
  const agrees = sum(incoming) - incoming.reduce((total, { fee }) => total + fee, 0n) === change.delta
  if (first === undefined || outgoing || (others.length > 0 && !agrees))
    return [{ index: null, amount: change.delta, transfers: incoming, flags: ['unexplained'] }]
  if (agrees)
    return incoming.map((transfer) => ({
      index: transfer.index,
      amount: transfer.units - transfer.fee,
      transfers: [transfer],
      flags: flagsOf(transfer, transfer.fee > 0n),
    }))
  // One transfer, and less arrived than was sent: Token-2022 withholds its fee in the account.
  const isFee = change.program === token2022Program.toBase58() && change.delta < first.units
  const flags = isFee ? flagsOf(first, true) : (['unexplained'] as const)
  return [{ index: first.index, amount: change.delta, transfers: [first], flags }]
}

function flagsOf(transfer: TokenTransfer, feeWithheld: boolean): readonly DepositFlag[] {
  return [
    ...(feeWithheld ? (['fee_withheld'] as const) : []),
    ...(transfer.index.includes('.') ? (['contract_call'] as const) : []),
  ]
}

function sum(transfers: readonly TokenTransfer[]): bigint {
  return transfers.reduce((total, { units }) => total + units, 0n)
}

/** The one value that all have, else `null`. */
function only(values: readonly (string | null)[]): string | null {
  const [value = null] = values
  return values.every((other) => other === value) ? value : null
}

/** The treasury's token accounts that hold more than before. */
function changesOf(meta: Meta, treasury: string): readonly Change[] {
  return (meta.postTokenBalances ?? []).flatMap((after) => {
    if (after.owner !== treasury) return []
    const before = meta.preTokenBalances?.find(({ accountIndex }) => accountIndex === after.accountIndex)
    const delta = BigInt(after.uiTokenAmount.amount) - BigInt(before?.uiTokenAmount.amount ?? '0')
    if (delta <= 0n) return []
    return [{ account: after.accountIndex, mint: after.mint, program: after.programId ?? '', delta }]
  })
}

export function keysOf({ transaction }: VersionedTransactionResponse, meta: Meta): readonly PublicKey[] {
  const { message } = transaction
  const loaded = meta.loadedAddresses
  return (
    'accountKeys' in message
      ? message.getAccountKeys()
      : message.getAccountKeys(loaded ? { accountKeysFromLookups: loaded } : undefined)
  )
    .keySegments()
    .flat()
}

export function instructionsOf(
  { transaction }: VersionedTransactionResponse,
  meta: Meta,
  keys: readonly PublicKey[],
): readonly Instruction[] {
  const program = (index: number): string => keys[index]?.toBase58() ?? ''
  const outer = transaction.message.compiledInstructions.map((instruction, index) => ({
    index: index.toString(),
    program: program(instruction.programIdIndex),
    accounts: instruction.accountKeyIndexes,
    data: Buffer.from(instruction.data),
  }))
  const inner = (meta.innerInstructions ?? []).flatMap((group) =>
    group.instructions.map((instruction, index) => ({
      index: `${group.index}.${index}`,
      program: program(instruction.programIdIndex),
      accounts: instruction.accounts,
      data: Buffer.from(base58Bytes(instruction.data)),
    })),
  )
  return [...outer, ...inner]
}

/** `Transfer` (3), `TransferChecked` (12) and `TransferCheckedWithFee` (26, 1) of both token programs. */
export function transferOf(instruction: Instruction, keys: readonly PublicKey[]): readonly TokenTransfer[] {
  const { program, accounts, data, index } = instruction
  if (program !== tokenProgram.toBase58() && program !== token2022Program.toBase58()) return []
  const isPlain = data[0] === 3 && data.length >= 9
  const isChecked = data[0] === 12 && data.length >= 10
  const withFee = data[0] === 26 && data[1] === 1 && data.length >= 19
  if (!isPlain && !isChecked && !withFee) return []
  const [source, destination] = isPlain ? [accounts[0], accounts[1]] : [accounts[0], accounts[2]]
  if (source === undefined || destination === undefined) return []
  // Accounts behind those the program needs: references, and the signers of a multisig owner.
  const extra = accounts.slice(isPlain ? 3 : 4)
  return [
    {
      index,
      source,
      destination,
      units: data.readBigUInt64LE(withFee ? 2 : 1),
      fee: withFee ? data.readBigUInt64LE(11) : 0n,
      references: extra.flatMap((account) => {
        const key = keys[account]
        return key === undefined ? [] : [referenceOf(key)]
      }),
    },
  ]
}

function memosOf(instructions: readonly Instruction[]): string {
  return instructions
    .filter(({ program }) => program === memoProgram.toBase58())
    .map(({ data }) => data.toString('utf8'))
    .join(' ')
    .slice(0, 500)
}
