/**
 * One term at a time, as a form or a command says it: each is a small provisioning file, so that the same is judged and written as by
 * `apply`. What is not given stays as it is; `none` takes it away.
 */
import { auditReason, choice, type Field, optional, text, wholeNumber } from '../foundation/fields.ts'
import { defineOperation, OperationError } from '../foundation/operation.ts'
import { findParty } from '../parties/operations.ts'
import { applyDocument, type ProvisioningContext } from './operations.ts'

/** A line each of what was changed; none where it was so already. */
export interface TermsChanged {
  changes: string[]
}

const noneHint = 'Empty: as it is. none: no more.'

function given(flags: string, label: string, help: string, hint?: string): Field<string, true> {
  return optional(
    text({
      description: help,
      option: [flags, help],
      form: { label, ...controlOf(flags), ...(hint === undefined ? {} : { hint }) },
    }),
  )
}

function controlOf(flags: string): { control?: 'amount' } {
  return flags.endsWith(' <amount>') ? { control: 'amount' } : {}
}

function asked(flags: string, label: string, help: string, hint?: string): Field<string, false> {
  return text({
    description: help,
    minLength: 1,
    option: [flags, help],
    form: { label, ...controlOf(flags), ...(hint === undefined ? {} : { hint }) },
  })
}

function basisPoints(flags: string, label: string, help: string): Field<number, true> {
  const form = { label, hint: 'Hundredths of a percent: 250 is 2.5 %.' }
  return optional(
    wholeNumber({ description: help, minimum: 0, maximum: 10_000, option: [flags, help], form }),
  )
}

const feeFields = {
  direction: choice(['PAY_IN', 'PAY_OUT'], {
    option: ['--direction <direction>', 'of which orders'],
    form: {
      label: 'Orders',
      choices: [
        ['PAY_IN', 'pay-in'],
        ['PAY_OUT', 'pay-out'],
      ],
    },
  }),
  from: asked('--from <date>', 'From', 'the day from which it holds', 'Such as 2026-12-01, today or later.'),
  fixed: given('--fixed <amount>', 'Fixed', 'what each order costs, whatever its price'),
  bps: basisPoints(
    '--bps <number>',
    'Of the price',
    'what it costs of the price, in hundredths of a percent',
  ),
  min: given('--min <amount>', 'At least', 'no less than this, before tax'),
  max: given('--max <amount>', 'At most', 'no more than this, before tax'),
  taxBps: basisPoints('--tax-bps <number>', 'Tax on it', 'tax on it, in hundredths of a percent'),
  reason: auditReason,
}

const party = text({ description: 'Its name.', minLength: 1, form: { label: 'Party' } })
const currency = asked('--currency <currency>', 'Currency', 'the currency', 'Such as MXN.')

export const termsSetFee = defineOperation({
  name: 'terms.setFee',
  summary: 'Say what orders of a merchant cost it from a day on.',
  done: 'The terms are set.',
  fields: {
    merchant: party,
    country: asked('--country <country>', 'Country', 'the country', 'Such as MX.'),
    currency,
    ...feeFields,
  },
  arguments: ['merchant'],
  isRead: false,
  concluded,
  async run(context: ProvisioningContext, input): Promise<TermsChanged> {
    const { merchant, country, currency, reason: _, ...fee } = input
    const { name } = await findParty(context.store, merchant, 'merchant')
    return change(context, { merchants: [{ name, pairs: [{ country, currency, fees: [fee] }] }] })
  },
})

export const termsSetCommission = defineOperation({
  name: 'terms.setCommission',
  summary: 'Say what a provider earns by orders of a network from a day on.',
  done: 'The terms are set.',
  fields: { provider: party, network: asked('--network <id>', 'Network', 'of which network'), ...feeFields },
  arguments: ['provider'],
  isRead: false,
  concluded,
  async run(context: ProvisioningContext, input): Promise<TermsChanged> {
    const { provider, network: id, reason: _, ...commission } = input
    const { name } = await findParty(context.store, provider, 'provider')
    return change(context, { providers: [{ name, networks: [{ id, commissions: [commission] }] }] })
  },
})

export const termsSetSettlement = defineOperation({
  name: 'terms.setSettlement',
  summary: 'Say how a party is settled in a currency: its days, when it is paid, and to which account.',
  done: 'The terms are set.',
  fields: {
    party,
    kind: choice(['merchant', 'provider'], {
      option: ['--kind <kind>', 'whether it is a merchant or a provider'],
      form: { label: 'Kind' },
    }),
    currency,
    timeZone: given(
      '--time-zone <zone>',
      'Time zone',
      'whose clock its days follow',
      'Such as America/Mexico_City.',
    ),
    cutOff: given('--cut-off <time>', 'Cut-off', 'when its day ends', 'From 00:01 to 24:00.'),
    every: given(
      '--every <days>',
      'Statements',
      'when a statement is closed: day, request, or weekdays',
      'day, request, or weekdays such as MON,THU.',
    ),
    calendar: given('--calendar <name>', 'Calendar', 'the calendar of its banks, or none', noneHint),
    afterBankingDays: optional(
      wholeNumber({
        description: 'How many banking days after the close it is due.',
        minimum: 0,
        maximum: 30,
        option: ['--after-banking-days <number>', 'how many banking days after the close it is due'],
        form: { label: 'Banking days until it is due' },
      }),
    ),
    minimum: given('--minimum <amount>', 'Minimum', 'less than this is carried over, or none', noneHint),
    keep: given('--keep <amount>', 'Keep', 'what stays with a merchant, or none', noneHint),
    account: given(
      '--account <text>',
      'Account',
      'where it is paid; another one counts after 24 hours',
      'Another one counts after 24 hours.',
    ),
    reason: auditReason,
  },
  arguments: ['party'],
  isRead: false,
  concluded,
  async run(context: ProvisioningContext, input): Promise<TermsChanged> {
    const { party: named, kind, reason: _, every, ...rest } = input
    const { name } = await findParty(context.store, named, kind)
    const settles = [{ ...orNone(rest), ...(every === undefined ? {} : { every: everyOf(every) }) }]
    return change(context, { [`${kind}s`]: [{ name, settles }] })
  },
})

export const termsSetExposure = defineOperation({
  name: 'terms.setExposure',
  summary: 'Limit how much a provider may owe in a currency.',
  done: 'The terms are set.',
  fields: {
    provider: party,
    currency,
    limit: asked('--limit <amount>', 'Limit', 'how much it may owe, or none'),
    warnAtPercent: optional(
      wholeNumber({
        description: 'At how much of the limit somebody is told; 80.',
        minimum: 1,
        maximum: 100,
        option: ['--warn-at-percent <number>', 'at how much of the limit somebody is told'],
        form: { label: 'Warn at, percent' },
      }),
    ),
    reason: auditReason,
  },
  arguments: ['provider'],
  isRead: false,
  concluded,
  async run(context: ProvisioningContext, input): Promise<TermsChanged> {
    const { provider, reason: _, ...exposure } = input
    const { name } = await findParty(context.store, provider, 'provider')
    return change(context, { providers: [{ name, exposure: [orNone(exposure)] }] })
  },
})

export const termsSetNetwork = defineOperation({
  name: 'terms.setNetwork',
  summary: 'Say what people have to know of a network: its name, limits, hours, and a text for the checkout.',
  done: 'The terms are set.',
  fields: {
    provider: party,
    network: asked('--network <id>', 'Network', 'its id; a new one is registered'),
    name: given('--name <name>', 'Name', 'what people call it', noneHint),
    country: given('--country <country>', 'Country', 'where it is', noneHint),
    currency: given('--currency <currency>', 'Currency', 'what it takes and hands out', noneHint),
    min: given('--min <amount>', 'At least', 'the least it takes or hands out at once', noneHint),
    max: given('--max <amount>', 'At most', 'the most it takes or hands out at once', noneHint),
    counterFee: given('--counter-fee <amount>', 'Counter fee', 'what it asks of the end user', noneHint),
    hours: given('--hours <text>', 'Hours', 'when it is open', noneHint),
    es: given('--es <text>', 'Text (Spanish)', 'what the checkout tells in Spanish', noneHint),
    pt: given('--pt <text>', 'Text (Portuguese)', 'what the checkout tells in Portuguese', noneHint),
    en: given('--en <text>', 'Text (English)', 'what the checkout tells in English', noneHint),
    reason: auditReason,
  },
  arguments: ['provider'],
  isRead: false,
  concluded,
  async run(context: ProvisioningContext, input): Promise<TermsChanged> {
    const { provider, network: id, es, pt, en, reason: _, ...rest } = input
    const { name } = await findParty(context.store, provider, 'provider')
    const texts = orNone(withoutMissing({ es, pt, en }))
    const text = Object.keys(texts).length === 0 ? {} : { text: texts }
    return change(context, { providers: [{ name, networks: [{ id, ...orNone(rest), ...text }] }] })
  },
})

function concluded({ changes }: TermsChanged): string {
  return changes.length === 0 ? 'it was so already' : changes.join('; ')
}

async function change(
  context: ProvisioningContext,
  document: Record<string, unknown>,
): Promise<TermsChanged> {
  const options = { areNew: false, isDry: false, digest: null, refuse: refusalOf }
  const { changes } = await applyDocument(context, document, options)
  return { changes }
}

/** The places of the file that nobody has written. */
const place =
  /^(?:merchants|providers)\[0\](?:\.(?:pairs|networks|settles|exposure)\[0\])?(?:\.(?:fees|commissions)\[0\])?[.:]? ?/

function refusalOf(lines: readonly string[]): OperationError {
  const details = lines.map((line) => line.replace(place, ''))
  return new OperationError('invalid', 'These terms are not right; nothing was changed.', { details })
}

function orNone<Members extends object>(members: Members): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, value === 'none' ? null : value]),
  )
}

function withoutMissing(members: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

/** `MON, thu` is a list of weekdays. */
function everyOf(written: string): string | string[] {
  const words = written
    .split(/[\s,]+/)
    .filter((word) => word !== '')
    .map((word) => word.toUpperCase())
  const [word, ...others] = words
  if (others.length === 0 && (word === 'DAY' || word === 'REQUEST')) return word.toLowerCase()
  return words
}
