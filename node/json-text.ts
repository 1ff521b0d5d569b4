/** JSON that a person wrote, with the mark that some editors put at its beginning. */

/** JSON.parse quotes its input where it stumbles, and that may be a secret: only the place is told. */
export function parseJson(text: string): { value: unknown } | { problem: string } {
  try {
    return { value: JSON.parse(text.replace(/^\uFEFF/, '')) }
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    const place = /\(line (\d+) column (\d+)\)/.exec(message)
    if (place) return { problem: `line ${place[1]}, column ${place[2]}` }
    return { problem: message.includes('end of JSON') ? 'it ends too early' : placeOfToken(text) }
  }
}

/** For an unexpected token JSON.parse tells no place: it is where the shortest failing beginning ends. */
function placeOfToken(text: string): string {
  const fails = (length: number): boolean => {
    try {
      JSON.parse(text.slice(0, length))
      return false
    } catch (error) {
      return error instanceof Error && error.message.startsWith('Unexpected token')
    }
  }
  let before = 0
  let end = text.length
  while (end - before > 1) {
    const middle = (before + end) >> 1
    if (fails(middle)) end = middle
    else before = middle
  }
  const read = text.slice(0, end).split('\n')
  return `line ${read.length}, column ${read.at(-1)?.length}`
}
