/** What parties have agreed on with the operator, read from the text of an `apply` file. */
import { type Calendar, type Rate, rateOn } from './figures.ts'

export interface Agreement {
  banks?: readonly { name: string; currency: string }[]
  calendars?: readonly ({ name: string } & Calendar)[]
  merchants?: readonly {
    name: string
    settles?: readonly Settles[]
    pairs?: readonly { country: string; currency: string; fees?: readonly Rate[] }[]
  }[]
  providers?: readonly {
    name: string
    settles?: readonly Settles[]
    networks?: readonly { id: string; currency?: string; commissions?: readonly Rate[] }[]
  }[]
}

export interface Settles {
  currency: string
  timeZone?: string
  cutOff?: string
  every?: string | readonly string[]
  calendar?: string
  afterBankingDays?: number
  minimum?: string
  keep?: string
}

/** How a party's days end in a currency; without terms they are those of UTC, and end when an operator says so. */
export interface Contract {
  isMerchant: boolean
  isAgreed: boolean
  settles: Settles
  zone: string
  cutOff: string
  calendar: Calendar
}

/** Where nothing is agreed on, banks always work. */
const everyDay: Calendar = { weekend: [], closed: [] }

export function contractOf(agreement: Agreement, party: string, currency: string): Contract {
  const { merchants = [], providers = [], calendars = [] } = agreement
  const merchant = merchants.find(({ name }) => name === party)
  const provider = providers.find(({ name }) => name === party)
  const found = (merchant ?? provider)?.settles?.find((one) => one.currency === currency)
  const settles = found ?? { currency, every: 'request' }
  return {
    isMerchant: merchant !== undefined,
    isAgreed: found !== undefined,
    settles,
    zone: settles.timeZone ?? 'UTC',
    cutOff: settles.cutOff ?? '24:00',
    calendar: calendars.find(({ name }) => name === settles.calendar) ?? everyDay,
  }
}

export function contractsOf({
  merchants = [],
  providers = [],
}: Agreement): { party: string; currency: string }[] {
  return [...merchants, ...providers].flatMap(({ name, settles = [] }) =>
    settles.map(({ currency }) => ({ party: name, currency })),
  )
}

/** Where money of a currency arrives that no line of a bank tells of: a currency's only bank, or one without a name. */
export function bankOf({ banks = [] }: Agreement, currency: string): string {
  const [only = '', ...others] = banks.filter((bank) => bank.currency === currency).map(({ name }) => name)
  return others.length === 0 ? only : ''
}

export function feeRate(
  agreement: Agreement,
  { merchant, country, currency }: { merchant: string; country: string; currency: string },
  direction: string,
  day: string,
): Rate | undefined {
  const found = agreement.merchants?.find(({ name }) => name === merchant)
  const pair = found?.pairs?.find((one) => one.country === country && one.currency === currency)
  return rateOn(pair?.fees ?? [], direction, day)
}

/** Whose network it is, and what it earns. */
export function networkOf({ providers = [] }: Agreement, id: string) {
  for (const { name, networks = [] } of providers) {
    const network = networks.find((one) => one.id === id)
    if (network !== undefined) return { provider: name, commissions: network.commissions ?? [] }
  }
  throw new Error(`The model knows no network ${id}.`)
}
