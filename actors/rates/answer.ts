/** A number out of a source's answer. */

export type Told =
  /** The number as it was written; `null` for JSON's. */
  { ok: true; told: string | null } | { ok: false; problem: string }

/**
 * Reads a number, or a text that may be one, at a JSON pointer (RFC 6901). No digit goes through a float.
 */
export function readAnswer(body: Uint8Array, pointer: string): Told {
  let value: unknown
  try {
    value = parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return { ok: false, problem: 'its answer is not JSON' }
  }
  const found = at(value, pointer)
  if (found === undefined) return { ok: false, problem: `its answer has nothing at ${pointer}` }
  if (found === null || typeof found === 'string') return { ok: true, told: found }
  const what = Array.isArray(found) ? 'a list' : typeof found === 'object' ? 'an object' : 'no number'
  return { ok: false, problem: `its answer has ${what} at ${pointer}` }
}

/** Whether a text is a JSON pointer. */
export function isPointer(text: string): boolean {
  return /^(\/([^~/]|~[01])*)*$/.test(text)
}

/** A reviver is told the text of each number (JSON.parse source text access), which types do not know. */
type Reviver = (name: string, value: unknown, context?: { source?: string }) => unknown

const parseWithReviver: (text: string, reviver: Reviver) => unknown = JSON.parse

/** Numbers come out as the texts they are. */
function parse(text: string): unknown {
  return parseWithReviver(text, (_, value, context) =>
    typeof value === 'number' ? (context?.source ?? value) : value,
  )
}

/** Undefined where there is nothing. */
function at(document: unknown, pointer: string): unknown {
  let value = document
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = new Map<string, unknown>(Object.entries(value)).get(name)
  }
  return value
}
