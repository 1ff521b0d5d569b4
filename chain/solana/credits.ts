/**
 * What a transaction credited to the treasury's token accounts. Pure.
 *
 * The balances before and after are what counts; the transfers explain them. Where they agree, each transfer
 * is a deposit of its own. Where they do not, the balance is one deposit that says so.
 */
import type { PublicKey, VersionedTransactionResponse } from '@solana/web3.js'
import type { ChainDeposit, ChainDepositFlag } from '../chain-deposits.ts'
import { netName } from '../recorded.ts'
import { transferNames } from '../transfer-names.ts'
import { memoProgram, referenceOf, token2022Program, tokenProgram } from './addresses.ts'
import { ChainFailed } from './network.ts'
import { type Instruction, type WholeTransaction, wholeTransaction } from './whole-transaction.ts'

export interface CreditsOptions {
  readonly signature: string
  /** The owner's address. */
  readonly treasury: string
  /** Its token accounts for the accepted assets. */
  readonly accounts: readonly string[]
  readonly symbolOf: (mint: string) => string | null
}

export interface Credits {
  readonly deposits: readonly ChainDeposit[]
  /** What looks as if the answer had left something out, and may be true; `null` where nothing does. */
  readonly doubt: string | null
}

interface TokenTransfer {
  /** Made by a program that the transaction calls. */
  readonly isInner: boolean
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

/** @throws ChainFailed where the answer lacks what a decision needs. */
export function creditsOf(transaction: VersionedTransactionResponse, options: CreditsOptions): Credits {
  const whole = wholeTransaction(transaction, options.signature)
  // Failed transactions move no tokens.
  if (whole === null) return { deposits: [], doubt: null }
  const changes = changesOf(whole, options.treasury)
  for (const { account } of changes) assertBalanceBefore(whole, account, options)
  const transfers = whole.instructions.flatMap((instruction) => transferOf(instruction, whole.keys))
  const credits = changes.map((change) => ({ change, credits: explain(change, transfers) }))
  const deposits = credits.flatMap((explained) => chainDepositsOf(whole, explained, options))
  const gap = gapIn(whole, options)
  const unknown = credits.flatMap((one) => one.credits).some((credit) => isSourceMissing(whole, credit))
  const isUnexplained = deposits.some(({ flags }) => flags.includes('unexplained'))
  const source = unknown ? 'what a source of its transfers held' : null
  const why = isUnexplained ? 'transfers that explain what the treasury was credited with' : null
  return { deposits, doubt: gap ?? source ?? why }
}

/**
 * Only an account that this very transaction opens held nothing before it. Of an account for an accepted asset that is no
 * matter of belief: else all that it ever held would be taken for a credit.
 */
function assertBalanceBefore(
  { keys, balances, instructions }: WholeTransaction,
  account: number,
  { accounts, signature }: CreditsOptions,
): void {
  const address = keys[account]?.toBase58() ?? ''
  if (!accounts.includes(address) || balances.get(account)?.before !== null) return
  if (instructions.some((instruction) => opens(instruction, account))) return
  throw new ChainFailed(
    'inconsistent',
    `serves transaction ${signature} without what ${address} held before it. It is asked again; ` +
      'add an endpoint that keeps whole transactions to chains.SOLANA.rpc.',
  )
}

/** `InitializeAccount` (1, 16, 18) of both token programs, or a batch (255), in which it may be. */
function opens({ program, accounts, data }: Instruction, account: number): boolean {
  if (!isTokenProgram(program)) return false
  const [kind = -1] = data
  return (
    ([1, 16, 18].includes(kind) && accounts[0] === account) || (kind === 255 && accounts.includes(account))
  )
}

function isTokenProgram(program: string): boolean {
  return program === tokenProgram.toBase58() || program === token2022Program.toBase58()
}

/** A token account that is there before and after has a balance before and after. */
function gapIn(whole: WholeTransaction, { treasury, accounts }: CreditsOptions): string | null {
  const { keys, balances, existedBefore, existsAfter } = whole
  const isGap = keys.some((key, account) => {
    const balance = balances.get(account)
    if (balance === undefined) return accounts.includes(key.toBase58()) && existsAfter(account)
    const { owner, before, after } = balance
    if (owner !== treasury) return false
    return (before === null && existedBefore(account)) || (after === null && existsAfter(account))
  })
  return isGap ? "a balance of the treasury's token account" : null
}

/** Accounts that live for one transaction only have no balance; those that were there before have one. */
function isSourceMissing({ balances, existedBefore }: WholeTransaction, { transfers }: Credit): boolean {
  return transfers.some(({ source }) => !balances.has(source) && existedBefore(source))
}

function chainDepositsOf(
  { keys, instructions, balances, slot, at }: WholeTransaction,
  { change, credits }: { readonly change: Change; readonly credits: readonly Credit[] },
  { signature, symbolOf }: CreditsOptions,
): readonly ChainDeposit[] {
  const account = keys[change.account]?.toBase58() ?? ''
  const ownerOf = (source: number): string | null => balances.get(source)?.owner ?? null
  const memos = memosOf(instructions)
  const names = transferNames(
    credits.map(({ transfers: [transfer] }) => [account, ...(transfer ? contentOf(transfer, keys) : [])]),
  )
  return credits.map((credit, place) => ({
    blockchain: 'SOLANA' as const,
    transactionId: signature,
    index: credit.isWhole ? netName(account) : (names[place] ?? ''),
    height: slot.toString(),
    at,
    assetId: change.mint,
    symbol: symbolOf(change.mint),
    amount: credit.amount,
    sender: only(credit.transfers.map(({ source }) => ownerOf(source))),
    references: [...new Set(credit.transfers.flatMap(({ references }) => references))],
    flags: credit.flags,
    evidence: {
      tokenAccount: account,
      ...(memos === '' ? {} : { memo: memos }),
      ...(credit.flags.includes('fee_withheld') ? { sent: sum(credit.transfers).toString() } : {}),
    },
  }))
}

/** What a transfer says of itself, wherever it stands in its transaction. */
function contentOf({ source, units, references }: TokenTransfer, keys: readonly PublicKey[]): string[] {
  return [keys[source]?.toBase58() ?? '', units.toString(), ...references]
}

interface Credit {
  /** All that the account holds more than before: no single transfer explains it. */
  readonly isWhole: boolean
  readonly amount: bigint
  readonly transfers: readonly TokenTransfer[]
  readonly flags: readonly ChainDepositFlag[]
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
    return [{ isWhole: true, amount: change.delta, transfers: incoming, flags: ['unexplained'] }]
  if (agrees)
    return incoming.map((transfer) => ({
      isWhole: false,
      amount: transfer.units - transfer.fee,
      transfers: [transfer],
      flags: flagsOf(transfer, transfer.fee > 0n),
    }))
  // One transfer, and less arrived than was sent: Token-2022 withholds its fee in the account.
  const isFee = change.program === token2022Program.toBase58() && change.delta < first.units
  const flags = isFee ? flagsOf(first, true) : (['unexplained'] as const)
  return [{ isWhole: !isFee, amount: change.delta, transfers: [first], flags }]
}

function flagsOf(transfer: TokenTransfer, feeWithheld: boolean): readonly ChainDepositFlag[] {
  return [
    ...(feeWithheld ? (['fee_withheld'] as const) : []),
    ...(transfer.isInner ? (['contract_call'] as const) : []),
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
function changesOf({ balances }: WholeTransaction, treasury: string): readonly Change[] {
  return [...balances].flatMap(([account, { owner, mint, program, before, after }]) => {
    const delta = (after ?? 0n) - (before ?? 0n)
    return owner === treasury && delta > 0n ? [{ account, mint, program, delta }] : []
  })
}

/** `Transfer` (3), `TransferChecked` (12) and `TransferCheckedWithFee` (26, 1) of both token programs. */
export function transferOf(instruction: Instruction, keys: readonly PublicKey[]): readonly TokenTransfer[] {
  const { program, accounts, data, isInner } = instruction
  if (!isTokenProgram(program)) return []
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
      isInner,
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
