/** What the database holds of the things a provisioning file names. */

import type { Instant } from '../../machines/time.ts'
import { oneSpelling } from '../../machines/written-names.ts'
import {
  accountById,
  credentialsOfParty,
  depositByReference,
  networkIds,
  ownerOfKey,
  ownerOfNetwork,
  pairsOfMerchant,
  partyByName,
  partyNames,
} from '../../persistence/queries/provisioning.ts'
import { rateByPair } from '../../persistence/queries/rates.ts'
import { allBanks } from '../../persistence/queries/terms.ts'
import type { PartyKind } from '../../persistence/schema.ts'
import { type AccountRef, accountId, type Row, type Store } from '../../persistence/store.ts'
import { type KnownTerms, readKnownTerms } from '../terms/known.ts'
import type { ProvisioningFile, RateEntry } from './file.ts'

export interface KnownParty {
  party: Row<'parties'>
  /** Revoked ones too. */
  credentials: Row<'credentials'>[]
  pairs: Row<'pairs'>[]
}

export interface Owner {
  id: string
  kind: PartyKind
  name: string
}

export interface Known {
  parties: ReadonlyMap<string, KnownParty>
  keyOwners: ReadonlyMap<string, Owner>
  networkOwners: ReadonlyMap<string, { id: string; name: string }>
  /** Of every party, where the file names one that is not there. */
  names: readonly { kind: string; name: string }[]
  /** Of every provider, where the file names one that is not there. */
  networkIds: readonly { network_id: string; name: string }[]
  deposits: ReadonlyMap<string, Row<'account_deposits'>>
  rates: ReadonlyMap<string, Row<'rates'>>
  /** The operator's own banks with their currencies, the file's among them. */
  banks: ReadonlyMap<string, string>
  /** Balances of the accounts that deposits move, and of the debts that they repay, by account id. */
  balances: ReadonlyMap<string, bigint>
  terms: KnownTerms
}

export function partyKey(kind: PartyKind, name: string): string {
  return `${kind}:${name}`
}

export function depositKey(merchantId: string, reference: string): string {
  return `${merchantId}:${reference}`
}

export function rateKey(blockchain: string, rate: Pick<RateEntry, 'send' | 'country' | 'target'>): string {
  return `${blockchain}:${rate.send}:${rate.country}:${rate.target}`
}

/** At which bank money of a currency arrives that nobody has named one for: the only one there is, or else one without a name. */
export function depositBank(
  banks: Iterable<readonly [name: string, currency: string]>,
  currency: string,
): string {
  const [only, ...others] = [...banks].filter(([, its]) => its === currency)
  return only === undefined || others.length > 0 ? '' : only[0]
}

/** Where a deposit comes from, and where it goes. */
export function depositAccounts(
  merchantId: string,
  { currency, bank }: Pick<Row<'account_deposits'>, 'currency' | 'bank'>,
) {
  const debit: AccountRef = { kind: 'bank', ownerId: bank, currency }
  const credit: AccountRef = { kind: 'available', ownerId: merchantId, currency }
  return { debit, credit }
}

export async function readKnown(store: Store, file: ProvisioningFile, now: Instant): Promise<Known> {
  const parties = new Map<string, KnownParty>()
  const keyOwners = new Map<string, Owner>()
  const networkOwners = new Map<string, { id: string; name: string }>()
  const deposits = new Map<string, Row<'account_deposits'>>()
  const rates = new Map<string, Row<'rates'>>()
  const balances = new Map<string, bigint>()
  const stored = await store.query(allBanks, {})
  const banks = new Map([...file.banks, ...stored].map(({ name, currency }) => [name, currency]))

  const readParty = async (kind: PartyKind, name: string): Promise<KnownParty | null> => {
    const party = await findSpelling(name, async (spelling) => {
      const [found] = await store.query(partyByName, { kind, name: spelling })
      return found
    })
    if (party === undefined) return null
    const credentials = await store.query(credentialsOfParty, { partyId: party.id })
    const pairs = await store.query(pairsOfMerchant, { merchantId: party.id })
    const known = { party, credentials, pairs }
    parties.set(partyKey(kind, name), known)
    return known
  }

  for (const { name, deposits: entries } of file.merchants) {
    const known = await readParty('merchant', name)
    for (const entry of entries) {
      const merchantId = known?.party.id ?? ''
      const deposit = await findSpelling(entry.reference, async (reference) => {
        const [found] = await store.query(depositByReference, { merchantId, reference })
        return found
      })
      if (deposit) deposits.set(depositKey(merchantId, entry.reference), deposit)
      const { currency } = entry
      const place = { currency, bank: depositBank(banks, currency) }
      const debt: AccountRef = { kind: 'debt', ownerId: merchantId, currency }
      for (const account of [...Object.values(depositAccounts(merchantId, place)), debt]) {
        const [row] = await store.query(accountById, { id: accountId(account) })
        if (row) balances.set(row.id, row.balance_minor)
      }
    }
  }
  for (const { name, networks } of file.providers) {
    await readParty('provider', name)
    for (const { networkId } of networks) {
      const [owner] = await store.query(ownerOfNetwork, { networkId })
      if (owner) networkOwners.set(networkId, owner)
    }
  }
  for (const { key } of [...file.merchants, ...file.providers].flatMap((party) => party.credentials)) {
    const [owner] = await store.query(ownerOfKey, { key })
    if (owner) keyOwners.set(key, owner)
  }
  for (const entry of file.rates) {
    for (const blockchain of entry.blockchains) {
      const { send, country, target } = entry
      const [rate] = await store.query(rateByPair, { blockchain, send, country, target })
      if (rate) rates.set(rateKey(blockchain, entry), rate)
    }
  }
  const isEveryPartyKnown = parties.size === file.merchants.length + file.providers.length
  const isEveryNetworkKnown = file.providers.every(({ networks }) =>
    networks.every(({ networkId }) => networkOwners.has(networkId)),
  )
  return {
    parties,
    keyOwners,
    networkOwners,
    names: isEveryPartyKnown ? [] : await store.query(partyNames, {}),
    networkIds: isEveryNetworkKnown ? [] : await store.query(networkIds, {}),
    deposits,
    rates,
    banks,
    balances,
    terms: await readKnownTerms(
      store,
      [...parties.values()].map(({ party }) => party.id),
      now,
    ),
  }
}

/** What was kept under the spelling that is given comes first: older versions kept what they were given. */
export async function findSpelling<Found>(
  written: string,
  find: (spelling: string) => Promise<Found | undefined>,
): Promise<Found | undefined> {
  const spelling = oneSpelling(written)
  return (await find(written)) ?? (spelling === written ? undefined : find(spelling))
}
