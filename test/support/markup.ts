/** What somebody may write to get more onto a page than a text, and what a page is without its texts. */
import fc from 'fast-check'

/** Texts that have broken pages of others, and any sequence of signs whatever. */
export const naughtyTexts: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    `' onmouseover='alert(1)`,
    '" autofocus onfocus="alert(1)',
    '</title><script>alert(1)</script>',
    '</textarea><script>alert(1)</script>',
    '</style><style>*{display:none}',
    '<!--',
    ']]>',
    '&lt;script&gt;',
    '&amp;amp;',
    '&#60;script&#62;',
    '`$' + '{1}`',
    '<%= it %>',
    '\u2028\u2029\u0000',
    '\ud800',
    '<\u0000script>',
    '=',
    '/>',
  ),
  fc.string({
    unit: fc.constantFrom('<', '>', '"', "'", '&', '`', '=', '/', ' ', 'a', ';', '#', '-', '!'),
    minLength: 1,
  }),
  fc.string({ unit: 'binary', minLength: 1 }),
)

/** The tags of a page with the names of their attributes, without any text or value. */
export function skeletonOf(page: string): string[] {
  return (page.match(/<[^>]*>/g) ?? []).map((tag) => tag.replaceAll(/"[^"]*"/g, '""'))
}

/** What a browser reads where this is written. */
export function readBack(markup: string): string {
  const signs: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
  return markup.replaceAll(/&([a-z]+|#39);/g, (_, name: string) => signs[name] ?? `unknown ${name}`)
}

/**
 * The same data with another text in the place of every text, but those of the members that are named: what
 * those say is chosen by the program.
 */
export function withTexts<Data>(data: Data, text: string, except: readonly string[]): Data {
  return replaced(data, text, except) as Data
}

function replaced(value: unknown, text: string, except: readonly string[]): unknown {
  if (typeof value === 'string') return text
  if (Array.isArray(value)) return value.map((each) => replaced(each, text, except))
  // Markup stays as it is.
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype)
    return value
  const members = Object.entries(value).map(([name, member]) => [
    name,
    except.includes(name) ? member : replaced(member, text, except),
  ])
  return Object.fromEntries(members)
}
