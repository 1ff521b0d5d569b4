/** Small changes of a regular expression's source: an anchor less, another count, the opposite class. */
export function mutationsOfRegExp(pattern: string): string[] {
  const found: string[] = []
  if (pattern.startsWith('^')) found.push(pattern.slice(1))
  if (pattern.endsWith('$') && !pattern.endsWith('\\$')) found.push(pattern.slice(0, -1))
  for (const match of pattern.matchAll(
    /\\[dDsSwW]|\[\^?|\{(\d+)(?:(,)(\d*))?\}|(?<!\\)[+*]|(?<![\\(])\?(?!\?)/g,
  )) {
    const [whole, least, comma, most] = match
    for (const other of othersFor(whole, least, comma, most)) {
      const end = match.index + whole.length
      found.push(pattern.slice(0, match.index) + other + pattern.slice(end))
    }
  }
  return found.filter((one) => isValid(one))
}

function othersFor(whole: string, least?: string, comma?: string, most?: string): string[] {
  if (whole.startsWith('\\')) {
    const letter = whole.slice(1)
    return [`\\${letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()}`]
  }
  if (whole === '[') return ['[^']
  if (whole === '[^') return ['[']
  if (least === undefined) return ['']
  const behind = (comma ?? '') + (most ?? '')
  const more = `{${Number(least) + 1}${behind}}`
  return most ? [more, `{${least},${Number(most) + 1}}`, `{${least},${Number(most) - 1}}`] : [more]
}

function isValid(pattern: string): boolean {
  try {
    new RegExp(pattern)
    return true
  } catch {
    return false
  }
}
