/** A wallet of any chain, as the panel uses it. */

/** What the page has a sentence for. */
export type ProblemKind =
  | 'wrong_network'
  | 'other_account'
  | 'refused'
  | 'insufficient'
  | 'expired'
  | 'paid'
  | 'closed'
  | 'building'
  | 'unavailable'
  | 'failed'

export class Problem extends Error {
  readonly kind: ProblemKind
  constructor(kind: ProblemKind, detail = '') {
    super(detail)
    this.kind = kind
  }
}

export interface Order {
  family: 'solana' | 'stellar' | 'evm'
  /** As the chain's wallets name it. */
  network: string
  /** The only account that can pay. */
  address: string
  /** The path of the order's page. */
  url: string
}

export interface Wallet {
  name: string
  /** A `data:` address; others are not shown. */
  icon: string | null
  /** Asks the user; the order's account must be among the wallet's. */
  connect(): Promise<void>
  signAndSend(transaction: string): Promise<void>
}

/** Calls `found` for each wallet there is, also for one that makes itself known later. */
export type Discover = (order: Order, found: (wallet: Wallet) => void) => void

/** What wallets say in words of their own, and codes that they share. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  const { code, message } = partsOf(error)
  const of = (kind: ProblemKind) => new Problem(kind, message)
  // EIP-1193: 4001 refused by the user, 4100 not allowed, 4901 not on that network; -4 is Freighter's refusal.
  if (code === 4001 || code === 4100 || code === -4) return of('refused')
  if (code === 4901 || code === 4902) return of('wrong_network')
  if (/reject|declin|denied|cancel|refus/i.test(message)) return of('refused')
  if (/insufficient|not enough|underfunded|exceeds balance/i.test(message)) return of('insufficient')
  if (/blockhash not found|block height exceeded|expired|too.?late|bad.?seq/i.test(message))
    return of('expired')
  if (/(wrong|different|unsupported|mismatch).{0,20}(network|chain)/i.test(message))
    return of('wrong_network')
  return of('failed')
}

function partsOf(error: unknown): { code: unknown; message: string } {
  if (typeof error !== 'object' || error === null) return { code: undefined, message: String(error) }
  const code = 'code' in error ? error.code : undefined
  const message = 'message' in error && typeof error.message === 'string' ? error.message : ''
  // A wallet may wrap what its node said.
  const inner = 'data' in error ? partsOf(error.data).message : ''
  return { code, message: inner === 'undefined' ? message : `${message} ${inner}`.trim() }
}

export function shownIcon(icon: unknown): string | null {
  return typeof icon === 'string' && icon.startsWith('data:image/') ? icon : null
}
