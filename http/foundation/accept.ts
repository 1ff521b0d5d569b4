/** Whether a client takes what the API has to give: JSON. */

/**
 * False only where the header truly excludes JSON: it names media ranges, and none of them is `application/json`,
 * or the closest one has `q=0`. Parameters of a range (`charset`, `version`) are no reason to refuse.
 */
export function acceptsJson(accept: string | undefined): boolean {
  const ranges = (accept ?? '').split(',').flatMap(readRange)
  if (ranges.length === 0) return true
  const closest = Math.max(...ranges.map(({ closeness }) => closeness))
  return closest > 0 && ranges.some(({ closeness, isWanted }) => closeness === closest && isWanted)
}

const closenessOf: Readonly<Record<string, number>> = {
  'application/json': 3,
  'application/*': 2,
  '*/*': 1,
  // What some old HTTP libraries send for `*/*`.
  '*': 1,
}

function readRange(text: string): { closeness: number; isWanted: boolean }[] {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  if (!/^(\*|[^\s/]+\/[^\s/]+)$/.test(range)) return []
  const quality = parameters.find((parameter) => /^q\s*=/.test(parameter))
  const isWanted = quality === undefined || !/^q\s*=\s*0(\.0*)?$/.test(quality)
  return [{ closeness: Object.hasOwn(closenessOf, range) ? (closenessOf[range] ?? 0) : 0, isWanted }]
}
