/** Names within sentences, each in its own direction (Unicode Standard Annex 9). */

/** Letters that are written from right to left: Hebrew, Arabic, Syriac, Thaana, N'Ko and those around them. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** First strong isolate, and its end. */
const [begin, end] = ['\u2068', '\u2069']

/** What stands beside such a name, an amount or a number, stays where it is. */
export function isolated(text: string): string {
  return rightToLeft.test(text) ? `${begin}${text}${end}` : text
}

/** As somebody else's program reads it. */
export function withoutIsolates(text: string): string {
  return text.replaceAll(/[\u2068\u2069]/g, '')
}
