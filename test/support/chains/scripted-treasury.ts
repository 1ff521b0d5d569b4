/** A treasury whose chain says what a test has moved, one block a second, at one endpoint that answers at once. */
import type { TreasuryReader } from '../../../actors/chains/treasuries.ts'
import type { Asset, ChainAdapter, ChainReader, TreasuryLook } from '../../../chain/chain.ts'
import type { ChainDeposit, ChainDepositPage, Outflow } from '../../../chain/chain-deposits.ts'
import type { Blockchain } from '../../../machines/blockchains.ts'
import type { FakeClock } from '../clock.ts'

interface Moved {
  readonly id: string
  readonly height: number
  /** Below zero what left. */
  readonly units: bigint
  readonly wallet: string
  readonly isSilent: boolean
}

export class ScriptedTreasury {
  readonly address: string
  readonly #about: { blockchain: Blockchain; asset: Asset; clock: FakeClock }
  readonly #moves: Moved[] = []
  readonly #opening: bigint
  /** Blocks behind which something was read again, in order. */
  readonly readAgainFrom: number[] = []

  constructor(options: {
    blockchain: Blockchain
    asset: Asset
    clock: FakeClock
    address: string
    opening: bigint
  }) {
    const { address, opening, ...about } = options
    this.address = address
    this.#opening = opening
    this.#about = about
  }

  get head(): number {
    return Math.floor(this.#about.clock.now() / 1000)
  }

  /** In the present block. Returns the id of the transaction. */
  move(units: bigint, { wallet = 'a stranger', isSilent = false } = {}): string {
    const id = `${this.address} ${this.#moves.length}`
    this.#moves.push({ id, height: this.head, units, wallet, isSilent })
    return id
  }

  /** What the node reads and counts it by. */
  get chain(): TreasuryReader & Pick<ChainAdapter, 'blockchain' | 'endpoints' | 'reader'> {
    return {
      blockchain: this.#about.blockchain,
      endpoints: 1,
      reader: () => this.#reader(),
      startCursor: async () => ({ ok: true, value: `${this.head}` }),
      deposits: async (cursor) => ({ ok: true, value: this.#page(Number(cursor)) }),
      unfinalizedChainDeposits: async () => ({ ok: true, value: [] }),
    }
  }

  #reader(): ChainReader {
    return {
      look: async () => ({ ok: true, value: this.#look() }),
      cursorAt: async (height) => {
        this.readAgainFrom.push(Number(height))
        return { ok: true, value: height }
      },
      deposits: async (cursor) => ({ ok: true, value: this.#page(Number(cursor)) }),
      close: async () => {},
    }
  }

  #look(): TreasuryLook {
    const units = this.#moves.reduce((sum, one) => sum + one.units, this.#opening)
    const { asset } = this.#about
    const height = `${this.head}`
    const at = this.head * 1000
    return { treasury: this.address, endpoint: 'node.example', height, at, holdings: [{ asset, units }] }
  }

  #page(behind: number): ChainDepositPage {
    const news = this.#moves.filter(({ height, isSilent }) => height > behind && !isSilent)
    return {
      deposits: news.filter(({ units }) => units > 0n).map((one) => this.#deposit(one)),
      outflows: news.filter(({ units }) => units < 0n).map((one) => this.#outflow(one)),
      cursor: `${this.head}`,
      more: false,
      // The block of this second is read, too.
      scannedTo: this.head * 1000 + 1,
    }
  }

  #deposit({ id, height, units, wallet }: Moved): ChainDeposit {
    const { blockchain, asset } = this.#about
    return {
      ...{ blockchain, transactionId: id, index: '0', height: `${height}`, at: height * 1000 },
      ...{ assetId: asset.id, symbol: asset.symbol, amount: units, sender: wallet },
      ...{ references: [], flags: [], evidence: {} },
    }
  }

  #outflow({ id, height, units, wallet }: Moved): Outflow {
    const { blockchain, asset } = this.#about
    return {
      ...{ blockchain, transactionId: id, index: 'out', height: `${height}`, at: height * 1000 },
      ...{ assetId: asset.id, amount: -units, to: wallet, references: [] },
    }
  }
}
