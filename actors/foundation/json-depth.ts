/** How deep brackets nest in a JSON text, at most, without those within strings. Linear, and on no stack. */
export function jsonDepth(text: string): number {
  let depth = 0
  let deepest = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const character = text.charCodeAt(index)
    if (inString) {
      if (character === backslash) index++
      else if (character === quote) inString = false
    } else if (character === quote) inString = true
    else if (character === openBrace || character === openBracket) deepest = Math.max(deepest, ++depth)
    else if (character === closeBrace || character === closeBracket) depth--
  }
  return deepest
}

const quote = 0x22
const backslash = 0x5c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d
