/**
 * The texts of a journal that hledger reads (https://hledger.org/hledger.html).
 *
 * Debits are positive there, as accountants write them: every balance is that of the table `accounts` with the other sign.
 */
import { currencyDecimals, formatAmount } from '../../machines/money.ts'
import { formatInstant, type Instant } from '../../machines/time.ts'
import type { PartyKind } from '../../persistence/schema.ts'
import type { Row } from '../../persistence/store.ts'

export interface ExportedAccount {
  id: string
  kind: Row<'accounts'>['kind']
  owner_id: string
  currency: string
  balance_minor: bigint
  party_kind: PartyKind | null
  party_name: string | null
}

type Group = 'assets' | 'liabilities' | 'equity' | 'revenues' | 'expenses'

const typeLetters: Readonly<Record<Group, string>> = {
  assets: 'A',
  liabilities: 'L',
  equity: 'E',
  revenues: 'R',
  expenses: 'X',
}

const groups: Readonly<Record<Exclude<ExportedAccount['kind'], 'fee'>, Group>> = {
  bank: 'assets',
  treasury: 'assets',
  transit: 'assets',
  provider: 'assets',
  debt: 'assets',
  tax_credited: 'assets',
  available: 'liabilities',
  reserved: 'liabilities',
  payable: 'liabilities',
  suspense: 'liabilities',
  deposit: 'liabilities',
  tax_collected: 'liabilities',
  equity: 'equity',
  exchange: 'equity',
  rounding: 'revenues',
  fx_result: 'revenues',
}

/** What a provider earns the operator spends. */
function groupOf({ kind, party_kind }: ExportedAccount): Group {
  if (kind !== 'fee') return groups[kind]
  return party_kind === 'provider' ? 'expenses' : 'revenues'
}

/**
 * As hledger knows each account: `liabilities:available:Demo Shop`. Two that would be called the same have their owner's id
 * too, and so has one that is called like another with its id: no two owners share a name.
 */
export function accountNames(accounts: readonly ExportedAccount[]): ReadonlyMap<string, string> {
  const owners = new Map<string, Set<string>>()
  for (const account of accounts) {
    const name = nameOf(account)
    owners.set(name, (owners.get(name) ?? new Set()).add(account.owner_id))
  }
  const withIds = new Set(accounts.map(nameWithId))
  return new Map(
    accounts.map((account) => {
      const name = nameOf(account)
      const isOne = owners.get(name)?.size === 1 && !withIds.has(name)
      return [account.id, isOne ? name : nameWithId(account)]
    }),
  )
}

/** Another for each owner of a kind of accounts: the last brackets hold an id that can be read back. */
function nameWithId(account: ExportedAccount): string {
  return `${nameOf(account)} (${exactComponent(account.owner_id)})`
}

function nameOf(account: ExportedAccount): string {
  const { kind, owner_id, party_name } = account
  const owner = component(party_name ?? owner_id) || component(owner_id)
  return [groupOf(account), kind, ...(owner === '' ? [] : [owner])].join(':')
}

/** A colon would begin a sub-account, a second blank end the name, a semicolon begin a comment. */
function component(text: string): string {
  return text
    .replaceAll(':', '.')
    .replaceAll(';', ',')
    .replace(/[\s\p{Cc}\p{Cf}\p{Z}]+/gu, ' ')
    .trim()
}

/** A bank's id is its name: what `component` would change is in percent signs, so that two ids stay two. */
function exactComponent(text: string): string {
  return text
    .toWellFormed()
    .replace(/[%:;()]|(?! )[\s\p{Cc}\p{Cf}\p{Z}]| (?= )|^ | $/gu, (character) => percentOf(character))
}

function percentOf(character: string): string {
  return [...new TextEncoder().encode(character)]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('')
}

/** Within a tag's value a comma begins the next tag. */
function tagValue(text: string): string {
  return component(text).replaceAll(',', '.')
}

export function declarations(
  accounts: readonly ExportedAccount[],
  names: ReadonlyMap<string, string>,
): string {
  const currencies = [...new Set(accounts.map(({ currency }) => currency))].toSorted()
  const declared = new Map(accounts.map((account) => [names.get(account.id) ?? account.id, groupOf(account)]))
  return [
    'decimal-mark .\n\n',
    ...currencies.map((currency) => `commodity ${sample(currency)} ${commodity(currency)}\n`),
    '\n',
    ...[...declared].map(([name, group]) => `account ${name}  ; type:${typeLetters[group]}\n`),
  ].join('')
}

/** One thousand with the currency's decimals. hledger wants the mark even where there are none. */
function sample(currency: string): string {
  return `1000.${'0'.repeat(currencyDecimals(currency))}`
}

/** `MXN`, `"USDC.SOLANA/6"`: what is not of letters alone stands in quotes. */
function commodity(currency: string): string {
  return /^[A-Z]+$/.test(currency) ? currency : `"${currency}"`
}

function amount(minor: bigint, currency: string): string {
  const decimals = currencyDecimals(currency)
  return `${decimals === 0 ? minor : formatAmount(minor, decimals)} ${commodity(currency)}`
}

/** Postings of one order at one instant, or one posting without an order. */
export function transaction(
  postings: readonly Row<'postings'>[],
  nameOf: (accountId: string) => string,
): string {
  const [first] = postings
  if (first === undefined) return ''
  const { order_id: order, kind, posted_at: at, reference } = first
  const code = order === null ? '' : `(${order}) `
  const tags = [
    ...(order === null ? [] : [`order:${order}`]),
    `at:${formatInstant(at)}`,
    ...(reference === null || tagValue(reference) === '' ? [] : [`reference:${tagValue(reference)}`]),
  ]
  return [
    `\n${dayOf(at)} ${code}${component(kind)}  ; ${tags.join(', ')}\n`,
    ...postings.flatMap((posting) => linesOf(posting, nameOf)),
  ].join('')
}

function linesOf(posting: Row<'postings'>, nameOf: (accountId: string) => string): string[] {
  const { kind, amount_minor: minor, currency, about_day } = posting
  const about = about_day === null ? '' : `, about:${about_day}`
  const side = (account: string, signed: bigint, day: string) =>
    `    ${nameOf(account)}  ${amount(signed, currency)}  ; kind:${tagValue(kind)}, day:${day}${about}\n`
  return [
    side(posting.debit_account, minor, posting.debit_day),
    side(posting.credit_account, -minor, posting.credit_day),
  ]
}

/** What accounts had before what follows: by currency, since each of them comes to nothing. */
export function opening(
  day: string,
  balances: readonly (readonly [name: string, minor: bigint, currency: string])[],
): string {
  return byCurrency(balances)
    .flatMap(([currency, lines]) => [
      `\n${day} opening balances  ; currency:${tagValue(currency)}\n`,
      ...lines.map(([name, minor]) => `    ${name}  ${amount(-minor, currency)}\n`),
    ])
    .join('')
}

/** hledger itself compares what it has added up with our balances. */
export function assertions(
  day: string,
  balances: readonly (readonly [name: string, minor: bigint, currency: string])[],
): string {
  return byCurrency(balances)
    .flatMap(([currency, lines]) => [
      `\n${day} balances of the node  ; currency:${tagValue(currency)}\n`,
      ...lines.map(([name, minor]) => `    ${name}  ${amount(0n, currency)} = ${amount(-minor, currency)}\n`),
    ])
    .join('')
}

function byCurrency<Line extends readonly [string, bigint, string]>(
  lines: readonly Line[],
): [string, Line[]][] {
  return [...Map.groupBy(lines, ([, , currency]) => currency)].toSorted(([left], [right]) =>
    left < right ? -1 : 1,
  )
}

/** The day in UTC, as that of all that a party has no part in. */
export function dayOf(at: Instant): string {
  return new Date(at).toISOString().slice(0, 'YYYY-MM-DD'.length)
}
