/**
 * What others wrote, for a terminal: merchants choose texts that an operator reads there. Controls would steer it, and a
 * mark of direction would turn round what is written after it.
 */
const steering = /(?!\n)[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu

/** Blanks in their place; lines stay lines. */
export function printable(text: string): string {
  return text.replaceAll(steering, ' ')
}

/** The same on one line. */
export function printableLine(text: string): string {
  return printable(text).replaceAll('\n', ' ')
}

/** The same document, with these characters escaped: JSON itself does so with some of them only. */
export function printableJson(document: unknown, indent?: number): string {
  return JSON.stringify(document, null, indent).replaceAll(
    steering,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
