/** What @swc/core's trees are read through: their nodes differ in how they say where they are. */

/** A node, with its place in bytes of the text, from 0. */
export interface SyntaxNode {
  type: string
  start: number
  end: number
  readonly [name: string]: unknown
}

export function isNode(value: unknown): value is SyntaxNode {
  return isRecord(value) && typeof value.type === 'string'
}

/** The node that a value is, or holds as an array's element or a call's argument holds one. */
export function nodeOf(value: unknown): SyntaxNode | null {
  if (!isRecord(value)) return null
  const inner = isNode(value.expression) && value.type === undefined ? value.expression : null
  if (inner !== null) return placed(inner, spanOf(value.spread)?.start)
  return isNode(value) ? placed(value) : null
}

/** The nodes of a value, and of the elements of an array. */
export function nodesOf(value: unknown): SyntaxNode[] {
  const values: unknown[] = Array.isArray(value) ? value : [value]
  return values.flatMap((one) => nodeOf(one) ?? [])
}

export function textOf({ start, end }: SyntaxNode, bytes: Buffer): string {
  return bytes.subarray(start, end).toString()
}

/** @param from where the dots before it begin */
function placed(node: SyntaxNode, from?: number): SyntaxNode {
  const own = spanOf(node.span)
  // A property has no place of its own, nor have three dots and what is behind them.
  const first = own ?? spanOf(node.spread) ?? placeOf(node.key)
  const last = own ?? placeOf(node.value) ?? placeOf(node.arguments)
  return { ...node, start: from ?? first?.start ?? 0, end: last?.end ?? first?.end ?? 0 }
}

function placeOf(value: unknown): { start: number; end: number } | null {
  return isNode(value) ? placed(value) : null
}

function spanOf(value: unknown): { start: number; end: number } | null {
  if (!isRecord(value) || typeof value.start !== 'number' || typeof value.end !== 'number') return null
  // The parser counts from 1.
  return { start: value.start - 1, end: value.end - 1 }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
