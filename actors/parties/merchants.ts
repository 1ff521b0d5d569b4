/** What an operator may ask about merchants. */
import { currencyDecimals, formatAmount, formatPrice } from '../../machines/money.ts'
import { formatInstant } from '../../machines/time.ts'
import { balancesOfKind, waitingOfMerchant } from '../../persistence/queries/operations.ts'
import {
  accountsOfOwner,
  credentialsOfParty,
  depositsOfMerchant,
  pairsOfMerchant,
  partiesOfKind,
} from '../../persistence/queries/provisioning.ts'
import type { Row, Store } from '../../persistence/store.ts'
import { text } from '../foundation/fields.ts'
import { defineOperation, type OperationContext } from '../foundation/operation.ts'
import { isNamed, partOfName } from './names.ts'
import {
  type CredentialDocument,
  credentialDocument,
  findParty,
  type PartyDocument,
  partyDocument,
} from './operations.ts'

/** Amounts of one currency. */
export interface MerchantBalance {
  currency: string
  available: string
  /** For orders that are READY or held. */
  reserved: string
  /** Set aside by statements: it is due, or will be, and not ordered at a bank yet. */
  payable: string
  /** Ordered at a bank that has not booked it yet. */
  transit: string
  /** Of orders that ended while they were held: a person has to say where the cash is. */
  suspense: string
  /** What it owes: taken back after it was spent. What arrives repays it before it becomes available. */
  debt: string
}

export interface MerchantSummary extends PartyDocument {
  balances: MerchantBalance[]
}

export const merchantList = defineOperation({
  name: 'merchant.list',
  summary: 'List merchants with their balances.',
  fields: { name: partOfName },
  isRead: true,
  async run({ store }: OperationContext, { name }): Promise<{ merchants: MerchantSummary[] }> {
    const accounts = await store.query(balancesOfKind, { kind: 'merchant' })
    const byOwner = Map.groupBy(accounts, (account) => account.owner_id)
    const merchants = await store.query(partiesOfKind, { kind: 'merchant' })
    return {
      merchants: merchants.filter(isNamed(name)).map((merchant) => ({
        ...partyDocument(merchant),
        balances: merchantBalances(byOwner.get(merchant.id) ?? []),
      })),
    }
  },
})

export interface DepositSummary {
  reference: string
  currency: string
  amount: string
  /** At which of the operator's banks; null where none is named. */
  bank: string | null
  at: string
  reversed: string | null
}

export function depositSummary(deposit: Omit<Row<'account_deposits'>, 'merchant_id'>): DepositSummary {
  return {
    reference: deposit.reference,
    currency: deposit.currency,
    amount: formatPrice(deposit.amount_minor, deposit.currency),
    bank: deposit.bank || null,
    at: formatInstant(deposit.deposited_at),
    reversed: deposit.reversed_at === null ? null : formatInstant(deposit.reversed_at),
  }
}

export interface MerchantDocument extends MerchantSummary {
  /** Since then none of its webhooks is sent. */
  webhooksPaused: string | null
  /** Its webhooks are signed by Standard Webhooks, too, with a secret of then. */
  standardWebhooks: { since: string; formerUntil: string | null } | null
  credentials: CredentialDocument[]
  pairs: {
    country: string
    currency: string
    min: string
    max: string
    directions: string[]
    cashIncrement: string
  }[]
  deposits: DepositSummary[]
  /** What the orders need that wait for a balance. */
  waiting: { currency: string; amount: string }[]
}

export const merchantShow = defineOperation({
  name: 'merchant.show',
  summary: 'Show a merchant: balances, keys, limits, deposits.',
  fields: { name: text() },
  arguments: ['name'],
  isRead: true,
  async run({ store }, { name }): Promise<MerchantDocument> {
    const merchant = await findParty(store, name, 'merchant')
    const merchantId = merchant.id
    const balances = await balancesOf(store, merchantId)
    const credentials = await store.query(credentialsOfParty, { partyId: merchantId })
    const pairs = await store.query(pairsOfMerchant, { merchantId })
    const deposits = await store.query(depositsOfMerchant, { merchantId })
    const waiting = await store.query(waitingOfMerchant, { merchantId })
    return {
      ...partyDocument(merchant),
      webhooksPaused:
        merchant.webhooks_paused_at === null ? null : formatInstant(merchant.webhooks_paused_at),
      standardWebhooks: standardDocument(merchant),
      balances,
      credentials: credentials.map(credentialDocument),
      pairs: pairs.map(pairDocument),
      deposits: deposits.map(depositSummary),
      waiting: waiting.map((sum) => ({
        currency: sum.currency,
        amount: formatPrice(sum.waiting_minor, sum.currency),
      })),
    }
  },
})

function standardDocument({
  webhook_secret_at: since,
  former_webhook_secret_until_at: until,
}: Row<'parties'>): MerchantDocument['standardWebhooks'] {
  if (since === null) return null
  return { since: formatInstant(since), formerUntil: until === null ? null : formatInstant(until) }
}

type Balance = Pick<Row<'accounts'>, 'kind' | 'currency' | 'balance_minor'>

export async function balancesOf(
  store: Pick<Store, 'query'>,
  merchantId: string,
): Promise<MerchantBalance[]> {
  return merchantBalances(await store.query(accountsOfOwner, { ownerId: merchantId }))
}

const shownKinds: readonly Balance['kind'][] = [
  'available',
  'reserved',
  'payable',
  'transit',
  'suspense',
  'debt',
]

/** The accounts of one merchant, by currency: without the assets that only passed through on a blockchain. */
export function merchantBalances(accounts: readonly Balance[]): MerchantBalance[] {
  const shown = accounts.filter(({ kind }) => shownKinds.includes(kind))
  return [...Map.groupBy(shown, (account) => account.currency)].map(([currency, ofCurrency]) => {
    const balance = (kind: Balance['kind']) =>
      ofCurrency.find((account) => account.kind === kind)?.balance_minor ?? 0n
    return {
      currency,
      available: formatPrice(balance('available'), currency),
      reserved: formatPrice(balance('reserved'), currency),
      payable: formatPrice(balance('payable'), currency),
      transit: formatPrice(balance('transit'), currency),
      suspense: formatPrice(balance('suspense'), currency),
      debt: formatPrice(-balance('debt'), currency),
    }
  })
}

function pairDocument(pair: Row<'pairs'>): MerchantDocument['pairs'][number] {
  const decimals = currencyDecimals(pair.currency)
  return {
    country: pair.country,
    currency: pair.currency,
    min: formatAmount(pair.min_minor, decimals),
    max: formatAmount(pair.max_minor, decimals),
    directions: [...(pair.pay_out === 1 ? ['PAY_OUT'] : []), ...(pair.pay_in === 1 ? ['PAY_IN'] : [])],
    cashIncrement: formatAmount(pair.cash_increment_minor, decimals),
  }
}
