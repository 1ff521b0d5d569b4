/**
 * Which deposits of a transaction are on record already, also under a name that an earlier version gave them, or that
 * an incomplete answer did. Pure.
 *
 * Version 0.1.0 numbered transfers as the endpoint did (EVM: the log in its block; Solana: the instruction; Stellar:
 * the change in its operation). A database may hold such names for ever, and blocks may be read again at any time.
 */
import { type Blockchain, type BlockchainFamily, blockchainFacts } from '../machines/blockchains.ts'
import type { ChainDeposit } from './chain-deposits.ts'

/** A deposit as it was recorded. */
export interface RecordedChainDeposit {
  readonly index: string
  readonly assetId: string
  readonly sender: string | null
  readonly amount: bigint
  readonly evidence: Readonly<Record<string, string>>
}

type Named = Pick<ChainDeposit, 'index' | 'assetId' | 'evidence'>

/** How a chain's names are read. */
interface Naming {
  /** Names of 0.1.0 that this version gives no more. */
  readonly former: RegExp
  /** Transfers that may stand for each other: of one token account, of one operation, of one token. */
  readonly lotOf: (deposit: Named) => string
}

const namings: Readonly<Record<BlockchainFamily, Naming>> = {
  solana: { former: /^\d+(?:\.\d+)?$/, lotOf: ({ evidence }) => evidence.tokenAccount ?? '' },
  stellar: { former: /^\d+\.\d+$/, lotOf: ({ index }) => index.split('.', 1).join('') },
  evm: { former: /^\d+$/, lotOf: ({ assetId }) => assetId },
}

/** The name of all that an account holds more than before, where the transfers do not explain it. */
export function netName(account: string): string {
  return `net.${account}`
}

function isNet({ index }: Pick<ChainDeposit, 'index'>): boolean {
  return index.startsWith('net.')
}

/**
 * Those of the deposits of one transaction that are not on record. What an account holds more than before is one
 * amount, whether it was recorded as a whole or transfer by transfer: of a whole only what is missing is handed back.
 */
export function unrecorded(
  blockchain: Blockchain,
  deposits: readonly ChainDeposit[],
  recorded: readonly RecordedChainDeposit[],
): readonly ChainDeposit[] {
  if (recorded.length === 0) return deposits
  const { former, lotOf } = namings[blockchainFacts[blockchain].family]
  const names = new Set(recorded.map(({ index }) => index))
  const onRecord = Map.groupBy(recorded, lotOf)
  const lots = Map.groupBy(
    deposits.filter(({ index }) => !names.has(index)),
    lotOf,
  )
  return [...lots].flatMap(([lot, news]) => {
    const known = onRecord.get(lot) ?? []
    if (known.some(isNet)) return []
    return withoutFormer(
      news.flatMap((deposit) => (isNet(deposit) ? restOf(deposit, known) : deposit)),
      known.filter(({ index }) => former.test(index)),
      former,
    )
  })
}

function restOf(whole: ChainDeposit, known: readonly RecordedChainDeposit[]): readonly ChainDeposit[] {
  const amount = known.reduce((left, deposit) => left - deposit.amount, whole.amount)
  return amount > 0n ? [{ ...whole, amount }] : []
}

/** Each former name stands for one transfer of its sender: for one of its amount, where there is one. */
function withoutFormer(
  news: readonly ChainDeposit[],
  known: readonly RecordedChainDeposit[],
  former: RegExp,
): readonly ChainDeposit[] {
  const left = new Set(news.filter(({ index }) => !former.test(index) && !index.startsWith('net.')))
  const isOf = ({ sender }: RecordedChainDeposit, deposit: ChainDeposit): boolean =>
    sender === null || sender === deposit.sender
  const rest = known.filter((one) => {
    const same = [...left].find((deposit) => isOf(one, deposit) && deposit.amount === one.amount)
    if (same !== undefined) left.delete(same)
    return same === undefined
  })
  for (const one of rest) {
    const other = [...left].find((deposit) => isOf(one, deposit))
    if (other !== undefined) left.delete(other)
  }
  return news.filter((deposit) => left.has(deposit) || isNet(deposit) || former.test(deposit.index))
}
