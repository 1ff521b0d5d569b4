/**
 * JSON from bytes, with numbers as they were written: `12.10` stays `12.10`, and no digit of a large one is
 * lost in a float.
 */
import { jsonDepth } from '../../actors/foundation/json-depth.ts'

/** A number of a JSON text. */
export class JsonNumber {
  /** As it was written, for example `12.10`. */
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  toJSON(): number {
    return Number(this.text)
  }
}

export type Json = null | boolean | string | JsonNumber | Json[] | { [name: string]: Json }

/** No request of the API nests; what is deeper is refused before it can exhaust a stack. */
const maxDepth = 32

/** Keeps nothing from one text to the next: each is decoded whole. */
const utf8 = new TextDecoder('utf-8', { fatal: true })

export type ParsedJson = { ok: true; json: Json } | { ok: false; reason: string }

/** Reads a JSON text. Of a name that comes twice the last one counts. `reason` quotes nothing of the text. */
export function parseJson(bytes: Uint8Array): ParsedJson {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return { ok: false, reason: 'The body is not valid UTF-8' }
  }
  if (jsonDepth(text) > maxDepth)
    return { ok: false, reason: `The body nests deeper than ${maxDepth} levels` }
  try {
    return { ok: true, json: parseWithNumbers(text) }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return { ok: false, reason: withoutQuotation(error.message) }
  }
}

/** The type of a value as Django REST framework names it. */
export function datatype(json: Json): string {
  if (json === null) return 'NoneType'
  if (typeof json === 'boolean') return 'bool'
  if (typeof json === 'string') return 'str'
  if (json instanceof JsonNumber) return /^-?\d+$/.test(json.text) ? 'int' : 'float'
  return Array.isArray(json) ? 'list' : 'dict'
}

/**
 * A reviver is told the text of each number (ECMAScript's JSON.parse source text access), types do not know.
 */
type Reviver = (name: string, value: Json | number, context?: { source?: string }) => Json

const parseWithReviver: (text: string, reviver: Reviver) => Json = JSON.parse

/** Few bodies hold a number, and a reviver, which is called for each member, costs several times the parsing. */
function parseWithNumbers(text: string): Json {
  const plain: unknown = JSON.parse(text)
  if (isWithoutNumbers(plain)) return plain
  return parseWithReviver(text, (_, value, context) => {
    if (typeof value !== 'number') return value
    if (context?.source === undefined) throw new Error('This runtime does not tell how a number was written.')
    return new JsonNumber(context.source)
  })
}

function isWithoutNumbers(value: unknown): value is Json {
  if (typeof value === 'number') return false
  return typeof value !== 'object' || value === null || Object.values(value).every(isWithoutNumbers)
}

/** The engine's messages may quote the body, and with it what is nobody's business (a log's, for example). */
function withoutQuotation(message: string): string {
  return (
    /^(.+? at position \d+ \(line \d+ column \d+\)|Unexpected end of JSON input)$/.exec(message)?.[1] ??
    /^(Unexpected token '.'),/su.exec(message)?.[1] ??
    'The body is not JSON'
  )
}

/** A member of a JSON object itself, never of its prototype; undefined where there is none. */
export function member(json: Json, name: string): Json | undefined {
  return isJsonObject(json) && Object.hasOwn(json, name) ? json[name] : undefined
}

export function isJsonObject(json: Json): json is { [name: string]: Json } {
  return json !== null && typeof json === 'object' && !Array.isArray(json) && !(json instanceof JsonNumber)
}
