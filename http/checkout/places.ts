/** Where an order that is ready can be paid, what to bring there, and as much of it as a small page has room for. */
import { formatMoney, type Locale, locales } from '../pages/locale.ts'
import { type PlaceData, type PlacesData, placeMarkup } from './places-template.ts'
import { texts } from './texts/index.ts'
import type { CheckoutOrder, CheckoutPlace } from './view.ts'

/** Names and texts are other people's, and may be long: with all of these the page stays below 30 KB. */
const maxBytes = 9_000

/** `null` while nobody should go anywhere yet, or any more. */
export function placesPart(order: CheckoutOrder, locale: Locale, amount: string): PlacesData | null {
  const { places } = order
  if (places === null) return null
  const words = texts[locale].places
  const shown = fitting(places.listed.map((place) => placeData(place, order, locale)))
  const rest = places.count - shown.length
  const isFee = places.listed.some(({ counterFee }) => counterFee !== null && Number(counterFee) > 0)
  return {
    where:
      shown.length === 0
        ? null
        : { heading: words.heading, places: shown, more: rest > 0 ? words.more(rest) : null },
    bring: {
      heading: words.bringHeading,
      items: [
        words.bringCode,
        ...(order.direction === 'PAY_IN' ? [words.bringCash(amount)] : []),
        ...(isFee ? [words.bringFee] : []),
      ],
    },
  }
}

function fitting(places: readonly PlaceData[]): PlaceData[] {
  let bytes = 0
  const count = places.findIndex((place) => {
    bytes += Buffer.byteLength(String(placeMarkup(place)))
    return bytes > maxBytes
  })
  return places.slice(0, count < 0 ? places.length : count)
}

function placeData(place: CheckoutPlace, { country, currency }: CheckoutOrder, locale: Locale): PlaceData {
  const words = texts[locale].places
  const money = (price: string) => {
    const { number, currency: code } = formatMoney(locale, country, price, currency)
    return `${number}\u00A0${code}`
  }
  const limits = words.limits(place.min && money(place.min), place.max && money(place.max))
  return {
    name: inOrder(place.name),
    lines: [
      ...(limits === null ? [] : [limits]),
      ...(place.counterFee === null ? [] : [words.counterFee(money(place.counterFee))]),
      ...(place.hours === null ? [] : [words.hours(inOrder(place.hours))]),
    ],
    note: noteOf(place.text, locale),
  }
}

/** In the page's language, else in the first that there is. */
function noteOf(text: CheckoutPlace['text'], locale: Locale): PlaceData['note'] {
  const language = [locale, ...locales].find((each) => (text[each] ?? '') !== '')
  if (language === undefined) return null
  return { text: inOrder(text[language] ?? ''), language: language === locale ? null : language }
}

/** A text of somebody else's must not turn around what is written beside it. */
export function inOrder(text: string): string {
  return text.replace(/[\u202A-\u202E\u2066-\u2069]/g, '')
}
