/** The forms of a page of terms, each of what it changes, as that is now. */
import type { NetworkDocument, SettlesDocument, TermsDocument } from '../../../actors/terms/documents.ts'
import type { Field } from '../blocks.ts'
import type { Offered } from './draft.ts'
import {
  commissionDraft,
  exposureDraft,
  feeDraft,
  networkDraft,
  networkTexts,
  settlesDraft,
} from './draft-terms.ts'

/** The forms of a party’s page of terms. */
export function termsOffers(
  terms: TermsDocument,
  pairs: readonly { country: string; currency: string }[],
  calendars: readonly string[],
): Offered[] {
  const { name, kind } = terms
  const calendar: Partial<Field> = {
    type: 'select',
    options: [['', '–'], ...calendars.map((one) => [one, one] as const)],
  }
  const fields = settlesDraft.fields.filter((field) => kind === 'merchant' || field.name !== 'keep')
  const settling = { draft: { ...settlesDraft, fields }, hidden: { party: name, kind } }
  const settles: Offered[] = [
    { ...settling, key: 'settles', adjusted: { calendar } },
    ...terms.settles.map(
      (it): Offered => ({
        ...settling,
        key: `settles-${it.currency}`,
        title: ({ drafts }) => drafts.settlementOf(it.currency),
        hidden: { ...settling.hidden, currency: it.currency },
        values: settlesValues(it),
        adjusted: { calendar },
      }),
    ),
  ]
  return kind === 'merchant'
    ? [
        ...settles,
        {
          draft: feeDraft,
          key: 'fee',
          hidden: { merchant: name },
          adjusted: { pair: choiceOf(pairs.map(({ country, currency }) => `${country} ${currency}`)) },
        },
      ]
    : [...settles, ...providerOffers(terms)]
}

function providerOffers({ name, networks, exposure }: TermsDocument): Offered[] {
  const hidden = { provider: name }
  return [
    { draft: networkDraft, key: 'network', hidden },
    ...networks.map(
      (network): Offered => ({
        draft: networkDraft,
        key: `network-${network.id}`,
        title: ({ drafts }) => drafts.networkOf(network.id),
        hidden: { ...hidden, id: network.id },
        values: networkValues(network),
      }),
    ),
    {
      draft: commissionDraft,
      key: 'commission',
      hidden,
      adjusted: { network: choiceOf(networks.map(({ id }) => id)) },
    },
    { draft: exposureDraft, key: 'exposure', hidden },
    ...exposure.map(
      ({ currency, limit, warnAtPercent }): Offered => ({
        draft: exposureDraft,
        key: `exposure-${currency}`,
        title: ({ drafts }) => drafts.exposureIn(currency),
        hidden: { ...hidden, currency },
        values: { limit, warnAtPercent: String(warnAtPercent) },
      }),
    ),
  ]
}

function settlesValues(it: SettlesDocument): Record<string, string | null> {
  return {
    timeZone: it.timeZone,
    cutOff: it.cutOff,
    every: typeof it.every === 'string' ? it.every : it.every.join(', '),
    calendar: it.calendar,
    afterBankingDays: String(it.afterBankingDays),
    minimum: it.minimum,
    keep: it.keep,
    account: it.nextAccount ?? it.account,
  }
}

function networkValues({
  text,
  report,
  commissions: _,
  id: __,
  ...network
}: NetworkDocument): Record<string, string | null> {
  return {
    ...network,
    ...Object.fromEntries(networkTexts.map((language) => [language, text[language] ?? null])),
    report: report === null ? null : JSON.stringify(report, null, 2),
  }
}

function choiceOf(values: readonly string[]): Partial<Field> {
  return values.length === 0 ? {} : { type: 'select', options: values.map((one) => [one, one] as const) }
}
