/** A statement for paper, without the console around it, in its party's language. Its lines are sent as they are read. */
import { setImmediate } from 'node:timers/promises'
import type { StatementLine, StatementSum } from '../../../actors/settlement/statement-documents.ts'
import { type StatementDocument, statementShow } from '../../../actors/settlement/statement-operations.ts'
import { parseInstant } from '../../../machines/time.ts'
import {
  chooseLocale,
  formatAmount,
  formatClock,
  formatDay,
  type Locale,
  localeOfCountry,
  locales,
} from '../../pages/locale.ts'
import { attributes, html, type Markup } from '../../pages/markup.ts'
import { printStylesPath } from '../layout.ts'
import type { PageRequest } from '../page.ts'
import { type PrintTexts, printTexts } from '../print/texts.ts'
import { words } from '../readable.ts'
import { statementPath, statementQuery } from './statement.ts'
import { namedIn } from './statement-files.ts'

const linesPerPart = 500

export const statementPrint = {
  path: '/statement/print',
  name: 'statement.html',
  type: 'text/html; charset=utf-8',
  isShown: true,
  async *read({ ask, query }: PageRequest): AsyncGenerator<string> {
    const named = namedIn(query)
    const first = await ask(statementShow, { ...named, limit: linesPerPart })
    const writer = writerOf(first, query.get('language'))
    yield String(headOf(first, writer))
    for (let page = first; ; ) {
      yield page.entries.map((line) => String(lineRow(line, writer))).join('')
      if (page.next === null) break
      await setImmediate()
      page = await ask(statementShow, { ...named, after: page.next, limit: linesPerPart })
    }
    yield tailOf(first, writer)
  },
}

/** How the page is written. */
interface Writer {
  locale: Locale
  texts: PrintTexts
  amount: (text: string) => string
  day: (day: string) => string
  clock: (iso: string) => string
}

/** Where nobody says where the party is, its currency does: the first two letters are a country's. */
function writerOf({ country: known, currency, timeZone }: StatementDocument, chosen: string | null): Writer {
  const country = known ?? currency.slice(0, 2)
  const locale = chosen === null ? localeOfCountry(country) : chooseLocale(chosen, localeOfCountry(country))
  return {
    locale,
    texts: printTexts[locale],
    amount: (text) => formatAmount(locale, country, text),
    day: (day) => formatDay(locale, country, day),
    clock: (iso) => formatClock(locale, country, parseInstant(iso) ?? 0, timeZone),
  }
}

function headOf(shown: StatementDocument, writer: Writer): Markup {
  const { locale, texts, day, clock } = writer
  const title = `${texts.title(shown.number)} · ${shown.party}`
  return html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${printStylesPath}">
</head>
<body>
<nav class="tools"><a href="${statementPath(shown)}">${texts.back}</a>${locales.map((one) => languageLink(one, shown, locale))}</nav>
<main>
<header>
<h1>${texts.title(shown.number)}</h1>
<p class="party"><bdi>${shown.party}</bdi></p>
<dl>
${fact(texts.currency, shown.currency)}
${fact(texts.days, shown.from === shown.to ? day(shown.from) : `${day(shown.from)} – ${day(shown.to)}`)}
${fact(texts.closed, clock(shown.closed))}
${fact(texts.zone, shown.timeZone)}
</dl>
</header>
${summaryOf(shown, writer)}
${dueOf(shown, writer)}
${settledOf(shown, writer)}
<div class="scroll" role="region" aria-label="${texts.lines}" tabindex="0">
<table class="lines"><caption>${texts.lines}</caption>
<thead><tr>${heads(texts, ['line', 'at', 'what', 'order', 'amount', 'fee', 'tax', 'balance'])}</tr></thead>
<tbody>
<tr><td></td><td></td><td colspan="5">${texts.opening}</td><td class="amount">${writer.amount(shown.opening)}</td></tr>
`
}

const languages: Readonly<Record<Locale, string>> = { es: 'Español', pt: 'Português', en: 'English' }

function languageLink(locale: Locale, shown: StatementDocument, present: Locale): Markup {
  const href = `/statement/print?${statementQuery(shown)}&language=${locale}`
  return html` <a${attributes({ href, lang: locale, 'aria-current': locale === present && 'true' })}>${languages[locale]}</a>`
}

function fact(label: string, value: string | Markup): Markup {
  return html`<div><dt>${label}</dt><dd>${value}</dd></div>`
}

type Column = keyof PrintTexts['columns']
const amounts: ReadonlySet<Column> = new Set(['lines', 'amount', 'fee', 'tax', 'balance'])

function heads({ columns }: PrintTexts, names: readonly Column[]): Markup {
  return html`${names.map(
    (name) =>
      html`<th${attributes({ scope: 'col', class: amounts.has(name) && 'amount' })}>${columns[name]}</th>`,
  )}`
}

function summaryOf({ sums, opening, closing }: StatementDocument, { texts, amount }: Writer): Markup {
  return html`<div class="together scroll" role="region" aria-label="${texts.summary}" tabindex="0">
<table><caption>${texts.summary}</caption>
<thead><tr>${heads(texts, ['what', 'lines', 'amount', 'fee', 'tax', 'balance'])}</tr></thead>
<tbody>
<tr><td>${texts.opening}</td><td></td><td></td><td></td><td></td><td class="amount">${amount(opening)}</td></tr>
${sums.map(
  (sum) => html`<tr><td>${kindOf(sum, texts)}</td><td class="amount">${sum.lines}</td>
<td class="amount">${amount(sum.amount)}</td><td class="amount">${amount(sum.fee)}</td><td class="amount">${amount(sum.tax)}</td><td></td></tr>\n`,
)}<tr class="total"><td colspan="5">${texts.closing}</td><td class="amount">${amount(closing)}</td></tr>
</tbody></table></div>`
}

function dueOf(shown: StatementDocument, { texts, amount, day }: Writer): Markup {
  const { due, dueOn, postponedTo, open, currency } = shown
  const isNothing = /^-?[0.]*$/.test(due)
  const [operator, party, nobody] = texts.whoPays
  const who = isNothing ? nobody : due.startsWith('-') ? party : operator
  const when = postponedTo ?? dueOn
  const postponed =
    postponedTo === null || dueOn === null ? '' : html` <small>${texts.postponed(day(dueOn))}</small>`
  return html`<dl>
${fact(texts.due, html`<strong>${amount(due.replace(/^-/, ''))} ${currency}</strong>, ${who}`)}
${isNothing ? '' : fact(texts.dueOn, when === null ? texts.later : html`${day(when)}${postponed}`)}
${isNothing ? '' : fact(texts.open, `${amount(open.replace(/^-/, ''))} ${currency}`)}
</dl>`
}

function settledOf({ settled, currency }: StatementDocument, { texts, amount, clock }: Writer): Markup {
  if (settled.length === 0) return html`<h2>${texts.settled}</h2><p>${texts.notSettled}</p>`
  return html`<div class="together scroll" role="region" aria-label="${texts.settled}" tabindex="0"><table><caption>${texts.settled}</caption><tbody>${settled.map(
    (one) => html`
<tr><td class="at">${clock(one.at)}</td><td class="id">${texts.by[one.source](one.of)}</td><td class="amount">${amount(one.amount)} ${currency}</td></tr>`,
  )}
</tbody></table></div>`
}

function kindOf({ kind, direction }: Pick<StatementSum, 'kind' | 'direction'>, texts: PrintTexts): string {
  const what = Object.hasOwn(texts.kinds, kind) ? (texts.kinds[kind] ?? kind) : words(kind)
  return direction === null ? what : `${texts.directions[direction]} ${what}`
}

function lineRow(line: StatementLine, { texts, amount, day, clock }: Writer): Markup {
  const about = line.aboutDay === null ? '' : html`<small>${texts.about(day(line.aboutDay))}</small>`
  const network = line.network === null ? '' : html`<small>${texts.network(line.network)}</small>`
  // A merchant's own id tells more than ours.
  const reference = line.reference ?? line.order ?? ''
  return html`<tr><td class="amount">${line.line}</td><td class="at">${clock(line.at)}${about}</td><td>${kindOf(line, texts)}${network}</td>
<td class="id"><bdi>${reference}</bdi></td><td class="amount">${amount(line.amount)}</td><td class="amount">${amount(line.fee)}</td><td class="amount">${amount(line.tax)}</td><td class="amount">${amount(line.balance)}</td></tr>
`
}

/** The closing balance stays together with what proves it. */
function tailOf(shown: StatementDocument, { texts, amount }: Writer): string {
  const { closing, digest, previousDigest } = shown
  const proof = (label: string, value: string) =>
    html`<p class="digest">${label}<br><code>${value}</code></p>`
  // One row: browsers keep nothing else of a table together.
  const end = html`<tr class="end"><td colspan="8"><p class="sum"><span>${texts.closing}</span><span class="amount">${amount(closing)}</span></p>
${digest === null ? '' : proof(texts.digest, digest)}
${previousDigest === null ? '' : proof(texts.previous, previousDigest === '' ? texts.first : previousDigest)}</td></tr>`
  return `${end}\n</tbody></table></div>\n</main>\n</body>\n</html>\n`
}
