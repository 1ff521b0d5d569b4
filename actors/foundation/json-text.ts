/** JSON that a person or another program wrote, read strictly: UTF-8, and no name twice in one object. */
import { decodeUtf8 } from './utf8.ts'

/** The problem completes a sentence that begins with the file's name. */
export type ReadJson = { ok: true; value: unknown } | { ok: false; problem: string }

/** A byte order mark at the beginning is dropped. Nothing of the text but names is quoted: it may be a secret. */
export function parseJson(input: Uint8Array | string): ReadJson {
  const decoded = decodeUtf8(typeof input === 'string' ? Buffer.from(input) : input)
  if (!decoded.ok) return { ok: false, problem: decoded.problem }
  const { text } = decoded
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    const place = /\(line (\d+) column (\d+)\)/.exec(message)
    if (place) return { ok: false, problem: `is not JSON: line ${place[1]}, column ${place[2]}` }
    const ended = message.includes('end of JSON')
    return { ok: false, problem: `is not JSON: ${ended ? 'it ends too early' : placeOfToken(text)}` }
  }
  const repeated = repeatedName(text)
  return repeated === null ? { ok: true, value } : { ok: false, problem: repeated }
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
  return placeOf(text, end - 1)
}

function placeOf(text: string, index: number): string {
  const read = text.slice(0, index + 1).split('\n')
  return `line ${read.length}, column ${read.at(-1)?.length}`
}

/** An object or a list that the scan is inside of. */
interface Level {
  /** Where each name of an object stands; `null` for a list. */
  names: Map<string, number> | null
  /** How the member that is being read is reached from here. */
  step: string
  index: number
}

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/gs

/**
 * JSON.parse takes the last of two members with one name, and nobody could tell which of them was meant.
 *
 * @param text valid JSON
 */
function repeatedName(text: string): string | null {
  const levels: Level[] = []
  let name: { text: string; at: number } | null = null
  for (const { 0: token, index: at } of text.matchAll(tokens)) {
    const level = levels.at(-1)
    if (token === '{' || token === '[') {
      levels.push({ names: token === '{' ? new Map() : null, step: '[0]', index: 0 })
    } else if (token === '}' || token === ']') levels.pop()
    else if (token === ',') {
      if (level?.names === null) level.step = `[${++level.index}]`
    } else if (token !== ':') name = { text: token, at }
    else if (level?.names && name) {
      const key: string = JSON.parse(name.text)
      const before = level.names.get(key)
      level.step = levels.length === 1 ? key : `.${key}`
      if (before !== undefined) {
        const path = levels.map(({ step }) => step).join('')
        return `names ${shown(path)} twice: at ${placeOf(text, before)}, and at ${placeOf(text, name.at)}`
      }
      level.names.set(key, name.at)
    }
  }
  return null
}

/** A name may be anything, and the line goes to a terminal. */
function shown(path: string): string {
  const plain = path.replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '?')
  return plain.length > 120 ? `${plain.slice(0, 119)}…` : plain
}
