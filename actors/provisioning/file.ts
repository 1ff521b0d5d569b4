/**
 * A provisioning file as data: what `apply` is given, read and checked as far as the file alone shows.
 *
 * Each item keeps its path, so that what is wrong only in the light of the database is named by place too.
 */

import { type Blockchain, blockchains } from '../../machines/blockchains.ts'
import type { Direction } from '../../machines/order.ts'
import { formatDecimal, parseDecimal } from '../../machines/rate.ts'
import { oneSpelling } from '../../machines/written-names.ts'
import { amountOf, country, currency } from '../foundation/money-reading.ts'
import {
  identifier,
  Members,
  matching,
  noteRepeated,
  nullOr,
  type Problems,
  type Read,
  setOf,
  text,
  trueOrFalse,
  Wrong,
  whole,
} from '../foundation/reading.ts'
import type { RateSources } from '../rates/source.ts'
import {
  type BankEntry,
  type CalendarEntry,
  type ExposureEntry,
  type FeeEntry,
  type NetworkEntry,
  noteRepeatedFees,
  readBank,
  readCalendar,
  readExposure,
  readFee,
  readNetwork,
  readSettles,
  type SettlesEntry,
} from '../terms/entries.ts'
import { type JudgeUrl, readSourcesOf } from './sources.ts'

export interface ProvisioningFile {
  merchants: MerchantEntry[]
  providers: ProviderEntry[]
  rates: RateEntry[]
  banks: BankEntry[]
  calendars: CalendarEntry[]
}

interface PartyEntry {
  path: string
  name: string
  contact: string | undefined
  /** `null` takes the party's own limit away. */
  requestsPerMinute: number | null | undefined
  credentials: CredentialEntry[]
  settles: SettlesEntry[]
}

export interface MerchantEntry extends PartyEntry {
  pairs: PairEntry[]
  deposits: DepositEntry[]
  /** Whether its webhooks are signed by Standard Webhooks, too; undefined, it stays as it is. */
  standardWebhooks: boolean | undefined
}

export interface ProviderEntry extends PartyEntry {
  networks: NetworkEntry[]
  exposure: ExposureEntry[]
}

export interface CredentialEntry {
  path: string
  key: string
  secret: string | undefined
}

export interface PairEntry {
  path: string
  country: string
  currency: string
  /** Undefined, it stays as it is. */
  minMinor: bigint | undefined
  maxMinor: bigint | undefined
  directions: ReadonlySet<Direction> | undefined
  cashIncrementMinor: bigint | undefined
  fees: FeeEntry[]
}

export interface DepositEntry {
  path: string
  currency: string
  amountMinor: bigint
  reference: string
}

export interface RateEntry {
  path: string
  blockchains: readonly Blockchain[]
  send: string
  country: string
  target: string
  rate: string | undefined
  feeFixed: string | undefined
  feeBps: number | undefined
  maxAgeSeconds: number | null | undefined
  /** `null` takes the entry's own away. */
  maxJumpPercent: number | null | undefined
  /** With what is expected of them; undefined for a fixed rate. */
  sources: RateSources | undefined
}

/** Reads a file; the items that are wrong are missing from it, and noted. */
export function readProvisioningFile(
  document: unknown,
  problems: Problems,
  judgeUrl: JudgeUrl,
): ProvisioningFile {
  const file = Members.of(document, '', ['merchants', 'providers', 'rates', 'banks', 'calendars'], problems)
  const read = <Item>(
    key: string,
    readItem: (value: unknown, path: string, problems: Problems) => Item | undefined,
  ) => file?.list(key, (value, path) => readItem(value, path, problems)) ?? []
  const merchants = read('merchants', readMerchant)
  const providers = read('providers', readProvider)
  const rates = read('rates', (value, path) => readRate(value, path, problems, judgeUrl))
  const banks = read('banks', readBank)
  const calendars = read('calendars', readCalendar)
  const keys = [...merchants, ...providers].flatMap((party) => party.credentials)
  noteRepeated(problems, merchants, ({ name }) => `merchant ${oneSpelling(name)}`)
  noteRepeated(problems, providers, ({ name }) => `provider ${oneSpelling(name)}`)
  noteRepeated(problems, keys, ({ key }) => `key ${key}`)
  const networks = providers.flatMap((provider) => provider.networks)
  noteRepeated(problems, networks, ({ networkId }) => `network ${networkId}`)
  noteRepeated(problems, banks, ({ name }) => `bank ${name}`)
  noteRepeated(problems, calendars, ({ name }) => `calendar ${name}`)
  for (const { settles } of [...merchants, ...providers]) {
    noteRepeated(problems, settles, (one) => `settlement of ${one.currency}`)
  }
  for (const { exposure } of providers)
    noteRepeated(problems, exposure, (one) => `exposure in ${one.currency}`)
  for (const { pairs, deposits } of merchants) {
    for (const { fees } of pairs) noteRepeatedFees(problems, fees)
    noteRepeated(problems, pairs, ({ country, currency }) => `pair ${country} ${currency}`)
    noteRepeated(problems, deposits, ({ reference }) => `deposit ${oneSpelling(reference)}`)
  }
  noteRepeated(
    problems,
    rates.flatMap(eachBlockchain),
    ({ blockchain, send, country, target }) => `rate of ${send} to ${country} ${target} on ${blockchain}`,
  )
  return { merchants, providers, rates, banks, calendars }
}

function eachBlockchain(rate: RateEntry) {
  return rate.blockchains.map((blockchain) => ({ ...rate, blockchain }))
}

const partyMembers = ['name', 'contact', 'credentials', 'limits'] as const

function readParty(members: Members, problems: Problems, keeps: boolean): PartyEntry | undefined {
  const name = members.required('name', text(200))
  const contact = members.optional('contact', (value) => (value === '' ? '' : text(200)(value)))
  const limits = members.section('limits', ['requestsPerMinute'])
  const requestsPerMinute = limits?.optional('requestsPerMinute', nullOr(whole(1, 10_000_000)))
  const credentials = members.list('credentials', (value, path) => readCredential(value, path, problems))
  const settles = members.list('settles', (value, path) => readSettles(keeps)(value, path, problems))
  if (name === undefined) return undefined
  return { path: members.path, name, contact, requestsPerMinute, credentials, settles }
}

function readMerchant(value: unknown, path: string, problems: Problems): MerchantEntry | undefined {
  const known = [...partyMembers, 'pairs', 'deposits', 'settles', 'standardWebhooks']
  const members = Members.of(value, path, known, problems)
  if (members === null) return undefined
  const party = readParty(members, problems, true)
  const pairs = members.list('pairs', (item, at) => readPair(item, at, problems))
  const deposits = members.list('deposits', (item, at) => readDeposit(item, at, problems))
  const standardWebhooks = members.optional('standardWebhooks', trueOrFalse)
  return party && { ...party, pairs, deposits, standardWebhooks }
}

function readProvider(value: unknown, path: string, problems: Problems): ProviderEntry | undefined {
  const members = Members.of(value, path, [...partyMembers, 'networks', 'settles', 'exposure'], problems)
  if (members === null) return undefined
  const party = readParty(members, problems, false)
  const networks = members.list('networks', (item, at) => readNetwork(item, at, problems))
  const exposure = members.list('exposure', (item, at) => readExposure(item, at, problems))
  return party && { ...party, networks, exposure }
}

const secretText: Read<string> = (value) =>
  typeof value === 'string' && /^[\x20-\x7e]{32,128}$/.test(value)
    ? value
    : new Wrong('is not 32 to 128 printable ASCII characters', false)

function readCredential(value: unknown, path: string, problems: Problems): CredentialEntry | undefined {
  const members = Members.of(value, path, ['key', 'secret'], problems)
  const key = members?.required('key', identifier)
  const secret = members?.optional('secret', secretText)
  return key === undefined ? undefined : { path, key, secret }
}

function readPair(value: unknown, path: string, problems: Problems): PairEntry | undefined {
  const known = ['country', 'currency', 'min', 'max', 'directions', 'cashIncrement', 'fees']
  const members = Members.of(value, path, known, problems)
  if (members === null) return undefined
  const inCountry = members.required('country', country)
  const inCurrency = members.required('currency', currency)
  const amount = amountOf(inCurrency)
  const minMinor = members.optional('min', amount)
  const maxMinor = members.optional('max', amount)
  const directions = members.optional('directions', setOf(['PAY_OUT', 'PAY_IN']))
  const cashIncrementMinor = members.optional('cashIncrement', amount)
  if (minMinor !== undefined && maxMinor !== undefined && minMinor > maxMinor)
    members.note('max', 'is less than min')
  const fees = members.list('fees', (item, at) => readFee(item, at, problems, inCurrency))
  if (inCountry === undefined || inCurrency === undefined) return undefined
  const isWrong = (key: string, read: bigint | undefined) => members.has(key) && read === undefined
  if (isWrong('min', minMinor) || isWrong('max', maxMinor)) return undefined
  return {
    path,
    country: inCountry,
    currency: inCurrency,
    minMinor,
    maxMinor,
    directions,
    cashIncrementMinor,
    fees,
  }
}

function readDeposit(value: unknown, path: string, problems: Problems): DepositEntry | undefined {
  const members = Members.of(value, path, ['currency', 'amount', 'reference'], problems)
  if (members === null) return undefined
  const inCurrency = members.required('currency', currency)
  const amountMinor = members.required('amount', amountOf(inCurrency))
  const reference = members.required('reference', text(200))
  if (inCurrency === undefined || amountMinor === undefined || reference === undefined) return undefined
  return { path, currency: inCurrency, amountMinor, reference }
}

const decimal: Read<string> = (value) => {
  const parsed = typeof value === 'string' ? parseDecimal(value) : null
  return parsed === null
    ? new Wrong('is not a decimal, written as a text such as "17.25"')
    : formatDecimal(parsed)
}

const positiveDecimal: Read<string> = (value) => {
  const read = decimal(value)
  return read === '0' ? new Wrong('is not above zero') : read
}

function readRate(
  value: unknown,
  path: string,
  problems: Problems,
  judgeUrl: JudgeUrl,
): RateEntry | undefined {
  const known = [
    'blockchains',
    'send',
    'country',
    'target',
    'rate',
    'feeFixed',
    'feeBps',
    'maxAgeSeconds',
    'maxJumpPercent',
    'source',
    'sources',
  ]
  const members = Members.of(value, path, known, problems)
  if (members === null) return undefined
  const on = members.required('blockchains', setOf(blockchains))
  const send = members.required('send', matching(/^[A-Za-z0-9]{1,12}$/, 'an asset such as "USDC"'))
  const inCountry = members.required('country', country)
  const target = members.required('target', currency)
  const rate = members.optional('rate', positiveDecimal)
  const feeFixed = members.optional('feeFixed', decimal)
  const feeBps = members.optional('feeBps', whole(0, 10_000))
  const maxAgeSeconds = members.optional('maxAgeSeconds', nullOr(whole(1, 31_536_000)))
  const maxJumpPercent = members.optional('maxJumpPercent', nullOr(whole(1, 900)))
  const sources = readSourcesOf(members, { send, target, maxAgeSeconds, problems, judgeUrl })
  if (!members.has('rate') && !members.has('source') && !members.has('sources'))
    members.note('rate', 'is missing, and there is no source')
  if (on === undefined || send === undefined || inCountry === undefined || target === undefined)
    return undefined
  return {
    path,
    blockchains: [...on],
    send,
    country: inCountry,
    target,
    rate,
    feeFixed,
    feeBps,
    maxAgeSeconds,
    maxJumpPercent,
    sources: sources && { expected: rate ?? null, sources },
  }
}
