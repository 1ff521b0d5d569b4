/**
 * A provisioning file as data: what `apply` is given, read and checked as far as the file alone shows.
 *
 * Each item keeps its path, so that what is wrong only in the light of the database is named by place too.
 */

import { type Blockchain, blockchains } from '../../machines/blockchains.ts'
import { currencyDecimals, parseAmount } from '../../machines/money.ts'
import type { Direction } from '../../machines/order.ts'
import { formatDecimal, parseDecimal } from '../../machines/rate.ts'
import { oneSpelling } from '../../machines/written-names.ts'
import {
  Members,
  matching,
  type Problems,
  type Read,
  setOf,
  text,
  Wrong,
  whole,
} from '../foundation/reading.ts'
import type { RateSources } from '../rates/source.ts'
import { type JudgeUrl, readSourcesOf } from './sources.ts'

export interface ProvisioningFile {
  merchants: MerchantEntry[]
  providers: ProviderEntry[]
  rates: RateEntry[]
}

interface PartyEntry {
  path: string
  name: string
  contact: string | undefined
  /** `null` takes the party's own limit away. */
  requestsPerMinute: number | null | undefined
  credentials: CredentialEntry[]
}

export interface MerchantEntry extends PartyEntry {
  pairs: PairEntry[]
  deposits: DepositEntry[]
}

export interface ProviderEntry extends PartyEntry {
  networks: { path: string; networkId: string }[]
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
  minMinor: bigint
  maxMinor: bigint
  directions: ReadonlySet<Direction> | undefined
  cashIncrementMinor: bigint | undefined
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
  const file = Members.of(document, '', ['merchants', 'providers', 'rates'], problems)
  const read = <Item>(
    key: string,
    readItem: (value: unknown, path: string, problems: Problems) => Item | undefined,
  ) => file?.list(key, (value, path) => readItem(value, path, problems)) ?? []
  const merchants = read('merchants', readMerchant)
  const providers = read('providers', readProvider)
  const rates = read('rates', (value, path) => readRate(value, path, problems, judgeUrl))
  const keys = [...merchants, ...providers].flatMap((party) => party.credentials)
  noteRepeated(problems, merchants, ({ name }) => `merchant ${oneSpelling(name)}`)
  noteRepeated(problems, providers, ({ name }) => `provider ${oneSpelling(name)}`)
  noteRepeated(problems, keys, ({ key }) => `key ${key}`)
  const networks = providers.flatMap((provider) => provider.networks)
  noteRepeated(problems, networks, ({ networkId }) => `network ${networkId}`)
  for (const { pairs, deposits } of merchants) {
    noteRepeated(problems, pairs, ({ country, currency }) => `pair ${country} ${currency}`)
    noteRepeated(problems, deposits, ({ reference }) => `deposit ${oneSpelling(reference)}`)
  }
  noteRepeated(
    problems,
    rates.flatMap(eachBlockchain),
    ({ blockchain, send, country, target }) => `rate of ${send} to ${country} ${target} on ${blockchain}`,
  )
  return { merchants, providers, rates }
}

function eachBlockchain(rate: RateEntry) {
  return rate.blockchains.map((blockchain) => ({ ...rate, blockchain }))
}

/** Of two that say different things about one thing, nobody could tell which is meant. */
function noteRepeated<Item extends { path: string }>(
  problems: Problems,
  items: readonly Item[],
  describe: (item: Item) => string,
): void {
  const first = new Map<string, string>()
  for (const item of items) {
    const what = describe(item)
    const before = first.get(what)
    if (before === undefined) first.set(what, item.path)
    else problems.add(item.path, `${what} is in ${before} already`)
  }
}

const partyMembers = ['name', 'contact', 'credentials', 'limits'] as const

function readParty(members: Members, problems: Problems): PartyEntry | undefined {
  const name = members.required('name', text(200))
  const contact = members.optional('contact', (value) => (value === '' ? '' : text(200)(value)))
  const limits = members.section('limits', ['requestsPerMinute'])
  const requestsPerMinute = limits?.optional('requestsPerMinute', nullOr(whole(1, 10_000_000)))
  const credentials = members.list('credentials', (value, path) => readCredential(value, path, problems))
  if (name === undefined) return undefined
  return { path: members.path, name, contact, requestsPerMinute, credentials }
}

function readMerchant(value: unknown, path: string, problems: Problems): MerchantEntry | undefined {
  const members = Members.of(value, path, [...partyMembers, 'pairs', 'deposits'], problems)
  if (members === null) return undefined
  const party = readParty(members, problems)
  const pairs = members.list('pairs', (item, at) => readPair(item, at, problems))
  const deposits = members.list('deposits', (item, at) => readDeposit(item, at, problems))
  return party && { ...party, pairs, deposits }
}

function readProvider(value: unknown, path: string, problems: Problems): ProviderEntry | undefined {
  const members = Members.of(value, path, [...partyMembers, 'networks'], problems)
  if (members === null) return undefined
  const party = readParty(members, problems)
  const networks = members.list('networks', (item, at) => {
    const networkId = identifier(item)
    if (!(networkId instanceof Wrong)) return { path: at, networkId }
    problems.add(at, `${JSON.stringify(item)} ${networkId.problem}`)
    return undefined
  })
  return party && { ...party, networks }
}

/** A key is part of the signed string, where a colon divides, and of a header. */
const identifier = matching(
  /^[A-Za-z0-9_.-]{1,64}$/,
  'an identifier: 1 to 64 letters, digits, points, hyphens and underscores',
)

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

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** A slip such as `MNX` would book money where no order can use it. */
const country = known(
  /^[A-Z]{2}$/,
  (code) => code !== 'ZZ' && regions.of(code) !== undefined,
  'a country such as "MX"',
)
const currency = known(/^[A-Z]{3}$/, (code) => currencies.has(code), 'a currency such as "MXN"')

function known(form: RegExp, isKnown: (code: string) => boolean, what: string): Read<string> {
  const read = matching(form, what)
  return (value) => {
    const code = read(value)
    return code instanceof Wrong || isKnown(code) ? code : new Wrong(`is not ${what}`)
  }
}

/** An amount above zero. Of a currency that is wrong itself, only its form can be judged. */
export function amountOf(of: string | undefined): Read<bigint> {
  const amount = of === undefined ? 'an amount' : `an amount of ${of}`
  return (value) => {
    if (typeof value !== 'string') return new Wrong(`is not ${amount}: write it as a text, such as "100.00"`)
    const minor = parseAmount(value, currencyDecimals(of ?? ''))
    if (minor === 'not_a_number') return new Wrong(`is not ${amount}`)
    if (of === undefined) return 0n
    if (minor === 'too_large') return new Wrong('is more than the ledger can hold')
    if (minor === 'too_many_decimals') return new Wrong(`has more decimals than ${of}`)
    return minor > 0n ? minor : new Wrong('is not above zero')
  }
}

function readPair(value: unknown, path: string, problems: Problems): PairEntry | undefined {
  const known = ['country', 'currency', 'min', 'max', 'directions', 'cashIncrement']
  const members = Members.of(value, path, known, problems)
  if (members === null) return undefined
  const inCountry = members.required('country', country)
  const inCurrency = members.required('currency', currency)
  const amount = amountOf(inCurrency)
  const minMinor = members.required('min', amount)
  const maxMinor = members.required('max', amount)
  const directions = members.optional('directions', setOf(['PAY_OUT', 'PAY_IN']))
  const cashIncrementMinor = members.optional('cashIncrement', amount)
  if (minMinor !== undefined && maxMinor !== undefined && minMinor > maxMinor)
    members.note('max', 'is less than min')
  if (inCountry === undefined || inCurrency === undefined) return undefined
  if (minMinor === undefined || maxMinor === undefined) return undefined
  return {
    path,
    country: inCountry,
    currency: inCurrency,
    minMinor,
    maxMinor,
    directions,
    cashIncrementMinor,
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

function nullOr<Value>(read: Read<Value>): Read<Value | null> {
  return (value) => (value === null ? null : read(value))
}
