/** What an operator may ask about providers. */
import { formatPrice } from '../../machines/money.ts'
import { formatInstant } from '../../machines/time.ts'
import { balancesOfKind, ordersHeldBy } from '../../persistence/queries/operations.ts'
import {
  accountsOfOwner,
  credentialsOfParty,
  networkIds,
  networksOfProvider,
  partiesOfKind,
} from '../../persistence/queries/provisioning.ts'
import type { Row } from '../../persistence/store.ts'
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

/** What is owed to the provider; below zero, what it owes. */
export interface ProviderBalance {
  currency: string
  amount: string
  /** Ordered at a bank that has not booked it yet: no part of the amount. */
  transit: string
}

export interface ProviderSummary extends PartyDocument {
  networks: string[]
  balances: ProviderBalance[]
}

export const providerList = defineOperation({
  name: 'provider.list',
  summary: 'List providers with their networks and what is owed to them.',
  fields: { name: partOfName },
  isRead: true,
  async run({ store }: OperationContext, { name }): Promise<{ providers: ProviderSummary[] }> {
    const accounts = await store.query(balancesOfKind, { kind: 'provider' })
    const byOwner = Map.groupBy(accounts, (account) => account.owner_id)
    const networks = Map.groupBy(await store.query(networkIds, {}), ({ name }) => name)
    const providers = await store.query(partiesOfKind, { kind: 'provider' })
    return {
      providers: providers.filter(isNamed(name)).map((provider) => ({
        ...partyDocument(provider),
        networks: (networks.get(provider.name) ?? []).map((network) => network.network_id).sort(),
        balances: balancesOf(byOwner.get(provider.id) ?? []),
      })),
    }
  },
})

/** More than a provider ever holds on a good day. */
const maxHeldShown = 500

export interface ProviderDocument extends ProviderSummary {
  credentials: CredentialDocument[]
  /** Orders it holds, the longest held first. */
  held: { order: string; since: string }[]
}

export const providerShow = defineOperation({
  name: 'provider.show',
  summary: 'Show a provider: networks, keys, what is owed to it, the orders it holds.',
  fields: { name: text() },
  arguments: ['name'],
  isRead: true,
  async run({ store }, { name }): Promise<ProviderDocument> {
    const provider = await findParty(store, name, 'provider')
    const networks = await store.query(networksOfProvider, { providerId: provider.id })
    const accounts = await store.query(accountsOfOwner, { ownerId: provider.id })
    const credentials = await store.query(credentialsOfParty, { partyId: provider.id })
    const held = await store.query(ordersHeldBy, { providerId: provider.id, limit: maxHeldShown })
    return {
      ...partyDocument(provider),
      networks: networks.map((network) => network.network_id),
      balances: balancesOf(accounts),
      credentials: credentials.map(credentialDocument),
      held: held.map((order) => ({ order: order.id, since: formatInstant(order.locked_at ?? 0) })),
    }
  },
})

type Balance = Pick<Row<'accounts'>, 'kind' | 'currency' | 'balance_minor'>

/** Its commissions and their taxes are accounts of their own, and in what it is owed already. */
function balancesOf(accounts: readonly Balance[]): ProviderBalance[] {
  const position = accounts.filter(({ kind }) => kind === 'provider' || kind === 'transit')
  return [...Map.groupBy(position, ({ currency }) => currency)].map(([currency, ofCurrency]) => {
    const balance = (kind: Balance['kind']) =>
      formatPrice(ofCurrency.find((account) => account.kind === kind)?.balance_minor ?? 0n, currency)
    return { currency, amount: balance('provider'), transit: balance('transit') }
  })
}
