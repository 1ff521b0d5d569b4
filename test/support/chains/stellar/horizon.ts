/** The part of Horizon that wallets and this node use, over a ledger as one back end sees it. */
import { type Account, type Accounts, amountOf, assetDetails } from './accounts.ts'
import { Refused } from './authorization.ts'
import type { OperationEntry, StellarLedger, TransactionRecord } from './ledger.ts'

/** What one back end knows of the ledger. */
export interface BackEnd {
  /** It stopped following the chain here. */
  stale: { readonly sequence: number; readonly closedAt: number; readonly accounts: Accounts } | null
  /** Its history begins here. */
  elder: number
  /** How many ledgers it is behind the node that it follows. */
  behindCore: number
  /** What half of the transactions paid lately, in stroops. */
  usualFee: string
}

export function newBackEnd(): BackEnd {
  return { stale: null, elder: 1, behindCore: 0, usualFee: '100' }
}

/** An answer that is a problem. */
export class Problem extends Error {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  constructor(status: number, title: string, extras?: unknown) {
    super(title)
    this.status = status
    const type = `https://stellar.org/horizon-errors/${title.toLowerCase().replaceAll(' ', '_')}`
    this.body = { type, title, status, ...(extras === undefined ? {} : { extras }) }
  }
}

export interface HorizonAnswer {
  readonly body: unknown
  /** State endpoints say as of which ledger they answer. */
  readonly latestLedger: number | null
}

export class HorizonApi {
  readonly #ledger: StellarLedger
  readonly #backEnd: BackEnd

  constructor(ledger: StellarLedger, backEnd: BackEnd) {
    this.#ledger = ledger
    this.#backEnd = backEnd
  }

  answer(method: string, url: URL, body: string): HorizonAnswer {
    this.#ledger.follow()
    const path = url.pathname.replace(/(.)\/$/, '$1')
    const [, noun = '', id = '', part = '', ...more] = path.split('/')
    const history = (value: unknown): HorizonAnswer => ({ body: value, latestLedger: null })
    const state = (value: unknown): HorizonAnswer => ({ body: value, latestLedger: this.#head.sequence })
    if (method === 'POST' && path === '/transactions')
      return history(this.#submit(new URLSearchParams(body).get('tx') ?? ''))
    if (method !== 'GET' || more.length > 0) throw missing()
    switch (`${noun}/${id === '' ? '' : ':'}/${part}`) {
      case '//':
        return history(this.#root())
      case 'fee_stats//':
        return history(this.#feeStats())
      case 'accounts/:/':
        return state(this.#account(id))
      case 'assets//':
        return state(this.#assets(url.searchParams))
      case 'accounts/:/operations':
      case 'claimable_balances/:/operations':
        return history(this.#operations(id, url.searchParams))
      case 'operations/:/effects':
        return history(this.#effects(id))
      case 'transactions/:/':
        return history(transactionView(this.#transaction(id)))
      default:
        throw missing()
    }
  }

  get #head(): { readonly sequence: number; readonly closedAt: number; readonly accounts: Accounts } {
    return this.#backEnd.stale ?? this.#ledger
  }

  #root(): unknown {
    const { sequence, closedAt } = this.#head
    return {
      horizon_version: '28.0.0-local',
      core_version: 'local',
      ingest_latest_ledger: sequence,
      history_latest_ledger: sequence,
      history_latest_ledger_closed_at: timeText(closedAt),
      history_elder_ledger: this.#backEnd.elder,
      core_latest_ledger: sequence + this.#backEnd.behindCore,
      network_passphrase: this.#ledger.passphrase,
      current_protocol_version: 28,
    }
  }

  #feeStats(): unknown {
    const { usualFee } = this.#backEnd
    const paid = {
      max: '1000',
      min: '100',
      mode: '100',
      p10: '100',
      p50: usualFee,
      p90: usualFee,
      p99: '1000',
    }
    return {
      last_ledger: this.#head.sequence.toString(),
      last_ledger_base_fee: '100',
      ledger_capacity_usage: '0.05',
      fee_charged: paid,
      max_fee: paid,
    }
  }

  #account(address: string): unknown {
    if (!/^G[A-Z2-7]{55}$/.test(address))
      throw new Problem(400, 'Bad Request', { invalid_field: 'account_id' })
    const account = this.#head.accounts.byAddress.get(address)
    if (account === undefined) throw missing()
    return accountView(account)
  }

  #assets(query: URLSearchParams): unknown {
    const id = `${query.get('asset_code')}:${query.get('asset_issuer')}`
    const holders = [...this.#head.accounts.byAddress.values()].filter(({ lines }) => lines.has(id))
    const line = holders[0]?.lines.get(id)
    const issuer = this.#head.accounts.byAddress.get(query.get('asset_issuer') ?? '')
    if (line === undefined || issuer === undefined) return page([])
    const flags = { auth_required: issuer.isAuthRequired, auth_clawback_enabled: issuer.isClawbackEnabled }
    return page([{ ...assetDetails(line.asset), paging_token: id, flags }])
  }

  /** Ascending from behind the cursor, or descending; an older cursor begins where the history begins. */
  #operations(key: string, query: URLSearchParams): unknown {
    const limit = Number(query.get('limit') ?? '10')
    if (!Number.isInteger(limit) || limit < 1 || limit > 200)
      throw new Problem(400, 'Bad Request', { invalid_field: 'limit' })
    const { elder } = this.#backEnd
    const all = this.#ledger.operationsOf.get(key) ?? []
    const from = firstAfter(all, (BigInt(elder) << 32n) - 1n)
    const to = firstAfter(all, (BigInt(this.#head.sequence + 1) << 32n) - 1n)
    // Horizon finds no history of an account that has none (left).
    if (to <= from) throw missing()
    const cursor = query.get('cursor')
    const isDescending = query.get('order') === 'desc'
    if (cursor !== null && !/^\d+$/.test(cursor)) throw new Problem(400, 'Bad Request')
    if (isDescending && cursor !== null && BigInt(cursor) <= BigInt(elder) << 32n)
      throw new Problem(410, 'Before History')
    const start = cursor === null ? from : Math.max(from, firstAfter(all, BigInt(cursor)))
    const records = isDescending
      ? all.slice(from, cursor === null ? to : firstAfter(all, BigInt(cursor) - 1n)).toReversed()
      : all.slice(start, to)
    const withTransactions = query.get('join') === 'transactions'
    return page(records.slice(0, limit).map((entry) => operationView(entry, withTransactions)))
  }

  #effects(id: string): unknown {
    const entry = /^\d+$/.test(id) ? this.#ledger.operationByToken.get(BigInt(id)) : undefined
    if (entry === undefined || !this.#hasLedger(entry.transaction.ledger)) throw missing()
    return page(
      entry.effects.map((effect, index) => ({
        id: `${id}-${index + 1}`,
        paging_token: `${id}-${index + 1}`,
        created_at: timeText(entry.transaction.closedAt),
        ...effect,
      })),
    )
  }

  #hasLedger(ledger: number): boolean {
    return ledger >= this.#backEnd.elder && ledger <= this.#head.sequence
  }

  #transaction(hash: string): TransactionRecord {
    const record = this.#ledger.transactions.get(hash)
    if (record === undefined || !this.#hasLedger(record.ledger)) throw missing()
    return record
  }

  #submit(envelope: string): unknown {
    try {
      return transactionView(this.#ledger.submit(envelope))
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      if (error.code === 'transaction_malformed') throw new Problem(400, 'Transaction Malformed')
      const { code: transaction, operations } = error
      const codes = { transaction, ...(operations.length === 0 ? {} : { operations }) }
      throw new Problem(400, 'Transaction Failed', { envelope_xdr: envelope, result_codes: codes })
    }
  }
}

function missing(): Problem {
  return new Problem(404, 'Resource Missing')
}

/** Index of the first entry behind a token, by bisection. */
function firstAfter(entries: readonly OperationEntry[], token: bigint): number {
  let [low, high] = [0, entries.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((entries[middle]?.token ?? token) > token) high = middle
    else low = middle + 1
  }
  return low
}

function page(records: readonly unknown[]): unknown {
  const link = { href: '' }
  return { _links: { self: link, next: link, prev: link }, _embedded: { records } }
}

/** Horizon's times have whole seconds. */
function timeText(at: number): string {
  return new Date(at).toISOString().replace(/\.\d{3}Z$/, 'Z')
}

function accountView({ address, sequence, balance, lines, signers, thresholds }: Account): unknown {
  const liabilities = { buying_liabilities: '0.0000000', selling_liabilities: '0.0000000' }
  const [low, medium, high] = thresholds
  return {
    _links: {},
    id: address,
    account_id: address,
    sequence: sequence.toString(),
    subentry_count: lines.size + signers.size - 1,
    thresholds: { low_threshold: low, med_threshold: medium, high_threshold: high },
    balances: [
      ...[...lines.values()].map((line) => ({
        balance: amountOf(line.balance),
        limit: amountOf(line.limit),
        ...liabilities,
        is_authorized: line.isAuthorized,
        is_authorized_to_maintain_liabilities: line.isAuthorized,
        is_clawback_enabled: line.canBeClawedBack,
        ...assetDetails(line.asset),
      })),
      { balance: amountOf(balance), ...liabilities, asset_type: 'native' },
    ],
    signers: [...signers].map(([key, weight]) => ({ key, weight, type: 'ed25519_public_key' })),
    data: {},
    paging_token: address,
  }
}

function operationView(entry: OperationEntry, withTransaction: boolean): unknown {
  const { token, transaction, source, type, details } = entry
  return {
    id: token.toString(),
    paging_token: token.toString(),
    transaction_successful: transaction.isSuccessful,
    source_account: source,
    type,
    created_at: timeText(transaction.closedAt),
    transaction_hash: transaction.hash,
    ...(withTransaction ? { transaction: transactionView(transaction) } : {}),
    ...details,
  }
}

function transactionView(record: TransactionRecord): unknown {
  return {
    id: record.hash,
    hash: record.hash,
    paging_token: record.token.toString(),
    successful: record.isSuccessful,
    ledger: record.ledger,
    created_at: timeText(record.closedAt),
    source_account: record.source,
    source_account_sequence: record.sequence,
    fee_charged: record.fee.toString(),
    max_fee: record.maxFee,
    operation_count: record.operationCodes.length,
    envelope_xdr: record.envelope,
    ...memoView(record.memo),
    ...(record.innerHash === null
      ? {}
      : { fee_bump_transaction: { hash: record.hash }, inner_transaction: { hash: record.innerHash } }),
  }
}

function memoView({ type, value }: TransactionRecord['memo']): Readonly<Record<string, string>> {
  if (value === null) return { memo_type: type }
  if (typeof value === 'string') return { memo_type: type, memo: value }
  return { memo_type: type, memo: Buffer.from(value).toString(type === 'text' ? 'utf8' : 'base64') }
}
