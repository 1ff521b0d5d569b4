/** Items of structured fields (RFC 8941) that headers of ours take; those that are no such item stay what they are. */

const quotedPattern = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/

/** The text of a quoted string (section 3.3.3), or any other text as it is; `null` for quotation marks that do not fit. */
export function unquoted(text: string): string | null {
  if (!text.startsWith('"')) return text
  return quotedPattern.exec(text)?.[1]?.replace(/\\(.)/g, '$1') ?? null
}

const truths: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['?1', true],
  ['false', false],
  ['?0', false],
])

/** A boolean as people write it, or as section 3.3.6 does; `null` for anything else. */
export function readBoolean(text: string): boolean | null {
  return truths.get(text) ?? null
}
