import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  chooseLocale,
  formatDuration,
  formatMoney,
  formatTime,
  type Locale,
} from '../../../http/pages/locale.ts'

const choices: readonly [chosen: string | null, acceptLanguage: string, locale: Locale][] = [
  [null, '', 'es'],
  [null, 'en', 'en'],
  [null, 'pt-BR,pt;q=0.9,en;q=0.8', 'pt'],
  [null, 'fr-FR, en;q=0.5, pt;q=0.7', 'pt'],
  [null, 'EN-us', 'en'],
  [null, 'en;q=0, pt', 'pt'],
  [null, 'fr, de;q=0.9', 'es'],
  [null, '*', 'es'],
  [null, 'en;q=none, ;;,', 'es'],
  ['pt', 'en', 'pt'],
  ['PT', 'en', 'en'],
  ['fr', 'en', 'en'],
  ['__proto__', 'en', 'en'],
]
for (const [chosen, acceptLanguage, locale] of choices) {
  test(`?lang=${chosen} with Accept-Language "${acceptLanguage}" reads ${locale}`, () => {
    assert.is(chooseLocale(chosen, acceptLanguage), locale)
  })
}

const amounts: readonly [Locale, country: string, price: string, currency: string, text: string][] = [
  ['es', 'MX', '1234567.50', 'MXN', '$1,234,567.50'],
  ['es', 'CL', '15000.00', 'CLP', '$15.000'],
  ['es', 'AR', '1234.50', 'ARS', '$ 1.234,50'],
  ['pt', 'BR', '12.30', 'BRL', 'R$ 12,30'],
  ['en', 'MX', '1000.00', 'MXN', '$1,000.00'],
  ['en', 'US', '0.01', 'USD', '$0.01'],
  // The locale is used to no decimals of a Colombian peso; the amount has some.
  ['es', 'CO', '1000.00', 'COP', '$ 1.000'],
  ['es', 'CO', '1000.50', 'COP', '$ 1.000,50'],
  ['en', 'KW', '1.005', 'KWD', '1.005'],
  // Beyond what a float holds.
  ['en', 'MX', '92233720368547758.07', 'MXN', '$92,233,720,368,547,758.07'],
  ['es', 'not a country', '1.00', 'MXN', '1,00 $'],
  ['es', 'MX', 'not a number', 'MXN', 'not a number'],
  ['es', 'MX', '1000.00', 'tokens', '1000.00'],
]
for (const [locale, country, price, currency, text] of amounts) {
  test(`${price} ${currency} in ${country} reads ${text} in ${locale}`, () => {
    const money = formatMoney(locale, country, price, currency)
    assert.is(money.number.replaceAll('\u00A0', ' '), text)
    assert.is(money.currency, currency)
  })
}

const durations: readonly [Locale, minutes: number, text: string][] = [
  ['es', 3 * 1440 + 61, '3 días y 1 hora'],
  ['es', 1440, '1 día'],
  ['es', 1440 + 59, '1 día'],
  ['es', 23 * 60 + 15, '23 horas y 15 minutos'],
  ['pt', 14.9, '14 minutos'],
  ['en', 61, '1 hour, 1 minute'],
  ['en', 0.5, '0 minutes'],
  ['en', -5, '0 minutes'],
]
for (const [locale, minutes, text] of durations) {
  test(`${minutes} minutes read ${text} in ${locale}`, () => {
    assert.is(formatDuration(locale, minutes * 60_000), text)
  })
}

test('a time is the one of the country and names its zone, or UTC', () => {
  const at = Date.UTC(2026, 1, 2, 2, 40)
  assert.match(formatTime('es', 'MX', at), /^1 de febrero de 2026.*8:40.*GMT-6$/)
  assert.match(formatTime('pt', 'BR', at), /^1 de fevereiro de 2026.*23:40/)
  assert.match(formatTime('en', 'ZZ', at), /^February 2, 2026.*2:40.*UTC$/)
})

test.run()
