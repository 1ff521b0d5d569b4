/**
 * What a provisioning file changes in the database as it is: the writes of one step, or each bad place.
 *
 * Nothing is ever taken away: what a file does not mention stays.
 */
import { randomUUID } from 'node:crypto'
import { formatPrice, maxMinorUnits } from '../../machines/money.ts'
import type { Instant } from '../../machines/time.ts'
import { oneSpelling, writtenProblem } from '../../machines/written-names.ts'
import type { PartyKind } from '../../persistence/schema.ts'
import { accountId, type Row, type Topic } from '../../persistence/store.ts'
import { Problems } from '../foundation/reading.ts'
import { credentialName } from '../keys/credentials.ts'
import { generateSecret, type Vault } from '../keys/vault.ts'
import { move } from '../orders/postings.ts'
import type { NetworkEntry } from '../terms/entries.ts'
import { isSame, type TermsPlan } from '../terms/plan.ts'
import type { PlannedWrite } from '../terms/planned-write.ts'
import { bookedAsLine, hintOfLine, lineOf } from './deposit-lines.ts'
import type { Difference, PlannedChange } from './differences.ts'
import type {
  CredentialEntry,
  DepositEntry,
  MerchantEntry,
  PairEntry,
  ProviderEntry,
  ProvisioningFile,
  RateEntry,
} from './file.ts'
import {
  depositAccounts,
  depositBank,
  depositKey,
  type Known,
  type KnownParty,
  partyKey,
  rateKey,
} from './known.ts'
import { NewNames } from './new-names.ts'
import { pairLimits } from './pair-limits.ts'
import { nothingRead, rateValues } from './plan-rates.ts'
import { calendarNames, planBanksAndCalendars, planMerchantTerms, planProviderTerms } from './plan-terms.ts'
import { standardWebhooksAs } from './plan-webhooks.ts'

export interface Applied {
  merchants: AppliedParty[]
  providers: AppliedParty[]
  /** What was changed, a line each; empty when everything was so already. */
  changes: string[]
  /** Nothing was changed: it was only looked at. */
  dryRun: boolean
  /** The same, member by member. */
  differences: Difference[]
  /** Why it is refused, a bad place a line; of a dry run alone, as anything else is refused by them. */
  problems: string[]
  /** Of what is shown: what is applied with it comes to the same, or nothing is applied. */
  digest: string
}

export interface AppliedParty {
  name: string
  /** `secret` only where it was just made: it is shown only once. */
  credentials: { key: string; secret?: string }[]
  /** Of a merchant whose webhooks are signed by Standard Webhooks from now on: shown only once, too. */
  webhookSecret?: string
}

export interface Plan {
  /** In their order; their writes are those of the step. */
  changes: PlannedChange[]
  wake: Topic[]
  parties: Pick<Applied, 'merchants' | 'providers'>
}

/** Two, so that a party can change over from one to the other. */
export const maxLiveCredentials = 2

export interface PlanOptions {
  vault: Vault
  at: Instant
  /** Names that look like others are meant so. */
  areNew: boolean
  /** What was booked of the banks under the references of the file's deposits. */
  lines: readonly Row<'bank_entries'>[]
}

export function planProvisioning(
  file: ProvisioningFile,
  known: Known,
  options: PlanOptions,
): { plan: Plan; problems: Problems } {
  const planner = new Planner(known, options)
  const calendars = planner.terms(file)
  const merchants = file.merchants.map((entry) => planner.merchant(entry, calendars))
  const providers = file.providers.map((entry) => planner.provider(entry, calendars))
  for (const entry of file.rates) planner.rate(entry)
  const { problems, changes, wake } = planner
  return { plan: { changes, wake: [...wake], parties: { merchants, providers } }, problems }
}

class Planner {
  readonly changes: PlannedChange[] = []
  readonly wake = new Set<Topic>()
  readonly problems = new Problems()
  readonly #known: Known
  readonly #lines: readonly Row<'bank_entries'>[]
  readonly #vault: Vault
  readonly #at: Instant
  readonly #balances: Map<string, bigint>
  readonly #newNames: NewNames
  readonly #terms: TermsPlan

  constructor(known: Known, { vault, at, areNew, lines }: PlanOptions) {
    this.#known = known
    this.#lines = lines
    this.#vault = vault
    this.#at = at
    this.#balances = new Map(known.balances)
    this.#newNames = new NewNames(known, areNew, this.problems)
    const { problems } = this
    const change: TermsPlan['change'] = (what, ...writes) => this.#change(what, ...writes)
    this.#terms = { at, known: known.terms, problems, change }
  }

  /** Returns the calendars there are from now on. */
  terms(file: ProvisioningFile): string[] {
    const { banks, calendars } = this.#known.terms
    for (const { name, path } of file.banks) if (!banks.has(name)) this.#newNames.term('bank', name, path)
    for (const { name, path } of file.calendars) {
      if (!calendars.has(name)) this.#newNames.term('calendar', name, path)
    }
    planBanksAndCalendars(this.#terms, file)
    return calendarNames(this.#terms, file)
  }

  merchant(entry: MerchantEntry, calendars: readonly string[]): AppliedParty {
    const { id, known, applied } = this.#party('merchant', entry)
    for (const pair of entry.pairs) this.#pair(id, applied.name, known, pair)
    const party = { id, who: `merchant ${applied.name}`, isNew: known === undefined }
    planMerchantTerms(this.#terms, party, entry, known?.pairs ?? [], calendars)
    // By the days of the terms that come with it.
    for (const deposit of entry.deposits) this.#deposit(id, applied.name, deposit)
    const webhookSecret = this.#standardWebhooks(id, applied.name, known?.party, entry)
    return webhookSecret === null ? applied : { ...applied, webhookSecret }
  }

  #standardWebhooks(id: string, name: string, before: Row<'parties'> | undefined, entry: MerchantEntry) {
    const options = { id, vault: this.#vault, at: this.#at }
    const change = standardWebhooksAs(entry.standardWebhooks, before, options)
    if (change === null) return null
    this.#change(`merchant ${name}: ${change.what}`, { update: 'parties', key: { id }, set: change.set })
    return change.secret
  }

  provider(entry: ProviderEntry, calendars: readonly string[]): AppliedParty {
    const { id, known, applied } = this.#party('provider', entry)
    const party = { id, who: `provider ${applied.name}`, isNew: known === undefined }
    const register = ({ path, networkId }: NetworkEntry, values: Partial<Row<'networks'>>) => {
      const owner = this.#known.networkOwners.get(networkId)
      if (owner !== undefined) {
        this.problems.add(path, `network ${networkId} is registered to provider ${owner.name}`)
        return false
      }
      this.#newNames.network(networkId, path)
      this.#change(`provider ${applied.name}: network ${networkId} registered`, {
        insert: 'networks',
        values: { ...values, network_id: networkId, provider_id: id },
      })
      return true
    }
    planProviderTerms(this.#terms, party, entry, register, calendars)
    return applied
  }

  rate(entry: RateEntry): void {
    const { send, country, target } = entry
    for (const blockchain of entry.blockchains) {
      const before = this.#known.rates.get(rateKey(blockchain, entry))
      const key = { blockchain, send_currency: send, country, target_currency: target }
      const values = rateValues(entry, before)
      // What was read stays while its sources do.
      const isRead = values.source_json !== null && values.source_json === before?.source_json
      const rate = values.source_json === null ? (entry.rate ?? null) : null
      const set = isRead ? values : { ...values, ...nothingRead, rate }
      // A fixed rate that ages is confirmed by applying it again.
      const isConfirmed = values.source_json === null && values.max_age_seconds !== null
      if (before && !isConfirmed && isSame(before, set)) continue
      const at = isRead ? {} : { updated_at: this.#at }
      this.#change(
        before
          ? `rate ${send} to ${country} ${target} on ${blockchain}: set`
          : `rate ${send} to ${country} ${target} on ${blockchain}: added`,
        before
          ? { update: 'rates', key, set: { ...set, ...at } }
          : { insert: 'rates', values: { ...key, ...values, rate, updated_at: this.#at } },
      )
    }
  }

  #change(what: string, ...writes: PlannedWrite[]): void {
    this.changes.push({ what, writes })
    this.wake.add('provisioning')
  }

  #party(kind: PartyKind, entry: MerchantEntry | ProviderEntry) {
    const known = this.#known.parties.get(partyKey(kind, entry.name))
    const id = known?.party.id ?? randomUUID()
    const values = {
      contact: entry.contact ?? known?.party.contact ?? '',
      requests_per_minute:
        entry.requestsPerMinute === undefined
          ? (known?.party.requests_per_minute ?? null)
          : entry.requestsPerMinute,
    }
    const name = known?.party.name ?? oneSpelling(entry.name)
    const who = `${kind} ${name}`
    if (known === undefined) {
      this.#newNames.party(kind, name, entry.path)
      const fresh = { id, kind, name, frozen_at: null, frozen_reason: null, created_at: this.#at }
      this.#change(`${who}: created`, { insert: 'parties', values: { ...fresh, ...values } })
    } else if (!isSame(known.party, values)) {
      this.#change(`${who}: contact or limits set`, { update: 'parties', key: { id }, set: values })
    }
    let live = known?.credentials.filter((credential) => credential.revoked_at === null).length ?? 0
    const credentials = entry.credentials.map((credential) => {
      const before = known?.credentials.find(({ key }) => key === credential.key)
      const owner = this.#known.keyOwners.get(credential.key)
      if (owner && owner.id !== id) {
        this.problems.add(credential.path, `key ${credential.key} belongs to ${owner.kind} ${owner.name}`)
      } else if (before) {
        this.#checkCredential(credential, before)
      } else {
        live += 1
        if (live > maxLiveCredentials) {
          this.problems.add(
            credential.path,
            `key ${credential.key} would be a third live secret of ${who}; it may have ${maxLiveCredentials}`,
          )
        }
        return this.#newCredential(id, who, credential)
      }
      return { key: credential.key }
    })
    return { id, known, applied: { name, credentials } }
  }

  #checkCredential(entry: CredentialEntry, before: Row<'credentials'>): void {
    const { path, key, secret } = entry
    if (before.revoked_at !== null) {
      this.problems.add(path, `key ${key} was revoked; a new credential needs a new key`)
      return
    }
    if (secret === undefined) return
    if (secret !== this.#vault.open(credentialName(key), before.secret_ciphertext)) {
      this.problems.add(`${path}.secret`, `is not the secret of ${key}; a new secret needs a new key`)
    }
  }

  #newCredential(partyId: string, who: string, { key, secret }: CredentialEntry) {
    const made = secret ?? generateSecret()
    this.#change(`${who}: key ${key} added`, {
      insert: 'credentials',
      values: {
        key,
        party_id: partyId,
        secret_ciphertext: this.#vault.seal(credentialName(key), made),
        created_at: this.#at,
        first_used_at: null,
        last_used_at: null,
        revoked_at: null,
      },
    })
    return secret === undefined ? { key, secret: made } : { key }
  }

  #pair(merchantId: string, name: string, known: KnownParty | undefined, entry: PairEntry): void {
    const { country, currency } = entry
    const before = known?.pairs.find((pair) => pair.country === country && pair.currency === currency)
    const key = { merchant_id: merchantId, country, currency }
    const allows = (direction: 'PAY_OUT' | 'PAY_IN', stays: 0 | 1) =>
      entry.directions === undefined ? stays : entry.directions.has(direction) ? 1 : 0
    const limits = pairLimits(entry, before, this.problems)
    if (limits === null) return
    const values = {
      min_minor: limits.minMinor,
      max_minor: limits.maxMinor,
      cash_increment_minor: entry.cashIncrementMinor ?? before?.cash_increment_minor ?? 1n,
      pay_out: allows('PAY_OUT', before?.pay_out ?? 1),
      pay_in: allows('PAY_IN', before?.pay_in ?? 1),
    } as const
    if (before && isSame(before, values)) return
    this.#change(
      before
        ? `merchant ${name}: ${country} ${currency} set`
        : `merchant ${name}: ${country} ${currency} enabled`,
      before ? { update: 'pairs', key, set: values } : { insert: 'pairs', values: { ...key, ...values } },
    )
  }

  #deposit(merchantId: string, name: string, entry: DepositEntry): void {
    const { path, currency, amountMinor } = entry
    const before = this.#known.deposits.get(depositKey(merchantId, entry.reference))
    const reference = before?.reference ?? oneSpelling(entry.reference)
    if (before) {
      if (before.currency === currency && before.amount_minor === amountMinor) return
      const booked = `${formatPrice(before.amount_minor, before.currency)} ${before.currency}`
      this.problems.add(path, `deposit ${reference} was booked as ${booked}; another needs another reference`)
      return
    }
    const odd = writtenProblem(reference)
    if (odd !== null) {
      this.problems.add(`${path}.reference`, `${JSON.stringify(reference)} ${odd}`)
      return
    }
    const line = lineOf(this.#lines, { currency, reference })
    if (line !== undefined) {
      this.problems.add(path, `deposit ${reference} ${bookedAsLine(line)}. ${hintOfLine(line)}`)
      return
    }
    const bank = depositBank(this.#known.banks, currency)
    const { debit, credit } = depositAccounts(merchantId, { currency, bank })
    if (this.#overflows(accountId(debit), -amountMinor) || this.#overflows(accountId(credit), amountMinor)) {
      this.problems.add(`${path}.amount`, 'is more than the ledger can hold, with what is in it already')
      return
    }
    const deposit = move({ kind: 'deposit', debit, credit, amountMinor, orderId: null, reference })
    const where = bank === '' ? '' : ` at ${bank}`
    this.#change(
      `merchant ${name}: deposit ${reference} of ${formatPrice(amountMinor, currency)} ${currency} booked${where}`,
      {
        insert: 'account_deposits',
        values: {
          merchant_id: merchantId,
          reference,
          currency,
          amount_minor: amountMinor,
          deposited_at: this.#at,
          reversed_at: null,
          bank,
        },
      },
      ...deposit.writes,
    )
    for (const topic of deposit.wake) this.wake.add(topic)
  }

  /** Adds up what the file's deposits make of an account. */
  #overflows(account: string, amountMinor: bigint): boolean {
    const balance = (this.#balances.get(account) ?? 0n) + amountMinor
    this.#balances.set(account, balance)
    return balance > maxMinorUnits || balance < -maxMinorUnits
  }
}
