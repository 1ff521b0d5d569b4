/** Deposits of a foreign order as its chain could bring them: recorded by the very book that records what was read. */
import type { Asset } from '../../chain/chain.ts'
import type { ChainDeposit, ChainDepositFlag } from '../../chain/chain-deposits.ts'
import type { Instant } from '../../machines/time.ts'
import type { Row } from '../../persistence/store.ts'
import type { SimulatedStep } from './steps.ts'

export type DepositStep = Extract<SimulatedStep, `deposit_${string}`>

export function isDepositStep(step: SimulatedStep): step is DepositStep {
  return step.startsWith('deposit_')
}

/** What differs of a deposit from one that is right. */
interface Difference {
  amount?: (missing: bigint) => bigint
  at?: (deadline: Instant) => Instant
  asset?: (assets: readonly Asset[], assetId: string) => Pick<Asset, 'id'> & { symbol: string | null }
  sender?: string
  flags?: readonly ChainDepositFlag[]
}

const differences: Readonly<Record<DepositStep, Difference>> = {
  deposit_exact: {},
  deposit_short: { amount: (missing) => (missing > 1n ? missing / 2n : missing) },
  deposit_over: { amount: (missing) => missing + missing / 10n + 1n },
  deposit_late: { at: (deadline) => deadline + 1000 },
  deposit_wrong_asset: {
    asset: (assets, assetId) =>
      assets.find(({ id }) => id !== assetId) ?? { id: 'simulated-asset', symbol: null },
  },
  deposit_wrong_sender: { sender: 'simulated-sender' },
  deposit_reversed: { flags: ['clawback'] },
}

/** @param id of the simulation: carried out again, it is the same deposit */
export function simulatedDeposit(
  step: DepositStep,
  foreign: Row<'foreign_orders'>,
  assets: readonly Asset[],
  { id, at }: { id: string; at: Instant },
): ChainDeposit {
  const { amount, at: late, asset, sender, flags = [] } = differences[step]
  const missing = foreign.expected_minor - foreign.received_minor
  const whole = missing > 0n ? missing : foreign.expected_minor
  const known = { id: foreign.asset_id, symbol: foreign.send_currency }
  const { id: assetId, symbol } = asset?.(assets, foreign.asset_id) ?? known
  return {
    blockchain: foreign.blockchain,
    transactionId: `simulated-${id}`,
    index: '0',
    height: '0',
    at: late?.(foreign.funding_deadline_at) ?? at,
    assetId,
    symbol,
    amount: amount?.(whole) ?? whole,
    sender: sender ?? foreign.wallet,
    references: [foreign.reference],
    flags,
    evidence: { simulated: step },
  }
}
