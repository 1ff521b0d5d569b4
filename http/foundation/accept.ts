/** Whether a client takes what the API has to give: JSON, and of some routes a table. */

/**
 * False only where the header truly excludes JSON: it names media ranges, and none of them is `application/json`,
 * or the closest one has `q=0`. Parameters of a range (`charset`, `version`) are no reason to refuse.
 */
export function acceptsJson(accept: string | undefined): boolean {
  return accepts(accept, 'application/json')
}

/** As `acceptsJson`, of CSV. */
export function acceptsTable(accept: string | undefined): boolean {
  return accepts(accept, 'text/csv')
}

function accepts(accept: string | undefined, type: 'application/json' | 'text/csv'): boolean {
  const ranges = (accept ?? '').split(',').flatMap((range) => readRange(range, closenessesOf[type]))
  if (ranges.length === 0) return true
  const closest = Math.max(...ranges.map(({ closeness }) => closeness))
  return closest > 0 && ranges.some(({ closeness, isWanted }) => closeness === closest && isWanted)
}

/** What some old HTTP libraries send for every type is `*`. */
const any = { '*/*': 1, '*': 1 }
const closenessesOf: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'application/json': { 'application/json': 3, 'application/*': 2, ...any },
  'text/csv': { 'text/csv': 3, 'text/*': 2, ...any },
}

function readRange(
  text: string,
  closenessOf: Readonly<Record<string, number>> = {},
): { closeness: number; isWanted: boolean }[] {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  if (!/^(\*|[^\s/]+\/[^\s/]+)$/.test(range)) return []
  const quality = parameters.find((parameter) => /^q\s*=/.test(parameter))
  const isWanted = quality === undefined || !/^q\s*=\s*0(\.0*)?$/.test(quality)
  return [{ closeness: Object.hasOwn(closenessOf, range) ? (closenessOf[range] ?? 0) : 0, isWanted }]
}
