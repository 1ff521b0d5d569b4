/**
 * The mutants of a source file: each one small change that a test ought to notice. The text of imports, types and keys
 * is left alone, and so is what an error of a broken invariant says: it is for whoever reads the log.
 */
import { parseSync } from '@swc/core'
import { mutationsOfRegExp } from './regular-expressions.ts'
import { isNode, nodeOf, nodesOf, type SyntaxNode, textOf } from './syntax.ts'

export interface Mutant {
  /** Where it is in the text, in UTF-16 units, and what stands there instead. */
  start: number
  end: number
  replacement: string
  operator: Operator
  /** From 1. */
  line: number
  /** The line it begins in, without the blanks around. */
  lineText: string
  /** `before → after`; a second one of the same line that looks alike has ` (2)` behind it. */
  change: string
}

export type Operator =
  | 'comparison'
  | 'arithmetic'
  | 'logic'
  | 'condition'
  | 'statement'
  | 'result'
  | 'literal'
  | 'member'
  | 'method'
  | 'pattern'

type Edit = Pick<Mutant, 'operator' | 'replacement'> & { start: number; end: number }

const comparisons: Readonly<Record<string, readonly string[]>> = {
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
}

const calculations: Readonly<Record<string, string>> = {
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '**': '*',
  '+=': '-=',
  '-=': '+=',
  '*=': '/=',
  '++': '--',
  '--': '++',
}

const logic: Readonly<Record<string, string>> = { '&&': '||', '||': '&&', '??': '&&' }

/** What a method or a name of a library is taken for. */
const twins: ReadonlyMap<string, string> = new Map(
  [
    ['some', 'every'],
    ['min', 'max'],
    ['startsWith', 'endsWith'],
    ['toUpperCase', 'toLowerCase'],
    ['padStart', 'padEnd'],
    ['find', 'findLast'],
    ['indexOf', 'lastIndexOf'],
    ['ROUND_CEIL', 'ROUND_FLOOR'],
    ['plus', 'minus'],
    ['times', 'div'],
    ['floor', 'ceil'],
    ['isLessThan', 'isLessThanOrEqualTo'],
    ['isGreaterThan', 'isGreaterThanOrEqualTo'],
  ].flatMap(([one = '', other = '']): [string, string][] => [
    [one, other],
    [other, one],
  ]),
)

/** Calls that a value could do without. */
const omittable = new Set(['trim', 'filter', 'slice', 'toSorted', 'reverse', 'toReversed', 'flat', 'negated'])

/** @param text TypeScript of which nothing but types has to be taken away */
export function mutantsOf(text: string): Mutant[] {
  const bytes = Buffer.from(text)
  const edits: Edit[] = []
  const module: unknown = parseSync(text, { syntax: 'typescript' })
  if (!isNode(module)) throw new Error('The parser gave no module.')
  visit(module, { bytes, edits, isThrown: false })
  return named(bytes, edits)
}

export function mutated(text: string, { start, end, replacement }: Mutant): string {
  return text.slice(0, start) + replacement + text.slice(end)
}

function named(bytes: Buffer, edits: readonly Edit[]): Mutant[] {
  const text = bytes.toString()
  const unitsAt = (byte: number) => bytes.subarray(0, byte).toString().length
  const known = new Set<string>()
  const counts = new Map<string, number>()
  const mutants: Mutant[] = []
  for (const edit of edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    const [start, end] = [unitsAt(edit.start), unitsAt(edit.end)]
    const { replacement, operator } = edit
    const before = text.slice(start, end)
    const key = `${start} ${end} ${replacement}`
    if (before === replacement || known.has(key)) continue
    known.add(key)
    const line = text.slice(0, start).split('\n').length
    const lineText = (text.split('\n')[line - 1] ?? '').trim()
    const look = `${short(before)} → ${short(replacement)}`
    const count = (counts.get(`${line} ${look}`) ?? 0) + 1
    counts.set(`${line} ${look}`, count)
    const change = count === 1 ? look : `${look} (${count})`
    mutants.push({ start, end, replacement, operator, line, lineText, change })
  }
  return mutants
}

function short(text: string): string {
  const one = text.replaceAll(/\s+/g, ' ').trim()
  return one.length > 60 ? `${one.slice(0, 40)} … ${one.slice(-16)}` : one
}

interface Place {
  bytes: Buffer
  edits: Edit[]
  /** Inside of what an error says. */
  isThrown: boolean
}

function visit(node: SyntaxNode, place: Place): void {
  if (/^(?:Import|ExportAll|ExportNamed)/.test(node.type)) return
  // Of what TypeScript adds, values are inside of these alone.
  if (/^Ts(?!As|Satisfies|NonNull|Const)/.test(node.type)) return
  const isError = node.type === 'NewExpression' && /Error$/.test(String(nodeOf(node.callee)?.value ?? ''))
  const inside = isError ? { ...place, isThrown: true } : place
  for (const edit of editsOf(node, place)) place.edits.push(edit)
  for (const [name, child] of Object.entries(node)) {
    if (name === 'key' && nodeOf(child)?.type !== 'Computed') continue
    for (const one of nodesOf(child)) visit(one, inside)
  }
}

function editsOf(node: SyntaxNode, place: Place): Edit[] {
  const at = (one: SyntaxNode, operator: Operator, replacement: string): Edit => ({
    start: one.start,
    end: one.end,
    operator,
    replacement,
  })
  const text = (one: SyntaxNode | null) => (one === null ? '' : textOf(one, place.bytes))
  switch (node.type) {
    case 'BinaryExpression':
    case 'AssignmentExpression':
      return operatorEdits(node, place.bytes)
    case 'UpdateExpression':
      return [
        at(
          node,
          'arithmetic',
          text(node).replace(/\+\+|--/, (sign) => calculations[sign] ?? sign),
        ),
      ]
    case 'UnaryExpression':
      return node.operator === '!' || node.operator === '-'
        ? [at(node, node.operator === '!' ? 'logic' : 'arithmetic', text(nodeOf(node.argument)))]
        : []
    case 'IfStatement':
    case 'ConditionalExpression': {
      const test = nodeOf(node.test)
      return test === null ? [] : [at(test, 'condition', 'true'), at(test, 'condition', 'false')]
    }
    case 'WhileStatement':
    case 'ForStatement': {
      const test = nodeOf(node.test)
      return test === null ? [] : [at(test, 'condition', 'false')]
    }
    case 'ExpressionStatement':
    case 'ThrowStatement':
      return [at(node, 'statement', ';')]
    case 'ReturnStatement': {
      const value = nodeOf(node.argument)
      const isSimple = value === null || isSimpleValue(value)
      return [isSimple ? at(node, 'statement', ';') : at(value, 'result', 'undefined')]
    }
    case 'ArrowFunctionExpression': {
      const body = nodeOf(node.body)
      const isSimple = body === null || body.type === 'FunctionBody' || isSimpleValue(body)
      return isSimple ? [] : [at(body, 'result', 'undefined')]
    }
    case 'CallExpression':
      return callEdits(node, place.bytes)
    case 'MemberExpression': {
      const property = nodeOf(node.property)
      const twin = property?.type === 'Identifier' ? twins.get(String(property.value)) : undefined
      return property === null || twin === undefined ? [] : [at(property, 'method', twin)]
    }
    case 'OptionalChainingExpression':
      return [
        at(
          node,
          'logic',
          text(node)
            .replace(/^(.*)\?\.(?=[[(])/s, '$1')
            .replace(/^(.*)\?\./s, '$1.'),
        ),
      ]
    case 'ArrayExpression':
    case 'ObjectExpression':
      return memberEdits(node)
    case 'RegExpLiteral':
      return mutationsOfRegExp(String(node.pattern)).map((pattern) =>
        at(node, 'pattern', `/${pattern}/${String(node.flags)}`),
      )
    default:
      return place.isThrown ? [] : literalEdits(node, text(node)).map((one) => at(node, 'literal', one))
  }
}

function isSimpleValue({ type, value }: SyntaxNode): boolean {
  return /^(?:Null|Boolean|String|Numeric|BigInt)Literal$/.test(type) || value === 'undefined'
}

function literalEdits(node: SyntaxNode, text: string): string[] {
  switch (node.type) {
    case 'StringLiteral':
      return [node.value === '' ? "'mutant'" : "''"]
    case 'TemplateLiteral':
      return ['``']
    case 'BooleanLiteral':
      return [String(node.value !== true)]
    case 'NumericLiteral':
      return [String(Number(node.value) + 1)]
    case 'BigIntLiteral':
      return [`${BigInt(text.replaceAll('_', '').slice(0, -1)) + 1n}n`]
    default:
      return []
  }
}

/** Another operator between the same operands; of two that are joined by logic, each alone, too. */
function operatorEdits(node: SyntaxNode, bytes: Buffer): Edit[] {
  const [left, right] = [nodeOf(node.left), nodeOf(node.right)]
  const operator = String(node.operator)
  if (left === null || right === null) return []
  const between = bytes.subarray(left.end, right.start).toString()
  const others = comparisons[operator] ?? [calculations[operator] ?? logic[operator]]
  const kind = operator in comparisons ? 'comparison' : operator in logic ? 'logic' : 'arithmetic'
  const edits = others.flatMap((other): Edit[] =>
    other === undefined
      ? []
      : [
          {
            start: left.end,
            end: right.start,
            operator: kind,
            replacement: between.replace(operator, () => other),
          },
        ],
  )
  if (kind !== 'logic') return edits
  const { start, end } = node
  // Of a value and what stands in for it, the value alone; that nothing stands in is for the type check to notice.
  const kept = operator === '??' ? [left] : [left, right]
  return [
    ...edits,
    ...kept.map((one): Edit => ({ start, end, operator: 'logic', replacement: textOf(one, bytes) })),
  ]
}

function callEdits(node: SyntaxNode, bytes: Buffer): Edit[] {
  const callee = nodeOf(node.callee)
  const object = callee?.type === 'MemberExpression' ? nodeOf(callee.object) : null
  const name = String(nodeOf(callee?.property)?.value)
  if (object === null || !omittable.has(name)) return []
  return [{ start: node.start, end: node.end, operator: 'method', replacement: textOf(object, bytes) }]
}

/** An array without one of its elements, an object without one of its properties. */
function memberEdits(node: SyntaxNode): Edit[] {
  const isArray = node.type === 'ArrayExpression'
  const members = nodesOf(isArray ? node.elements : node.properties)
  const operator = 'member'
  const [only] = members
  if (only === undefined) return []
  if (members.length === 1) {
    const replacement = isArray ? '[]' : '{}'
    return [{ start: node.start, end: node.end, operator, replacement }]
  }
  return members.map((member, index): Edit => {
    const next = members[index + 1]
    const previous = members[index - 1]
    if (next !== undefined) return { start: member.start, end: next.start, operator, replacement: '' }
    return { start: previous?.end ?? member.start, end: member.end, operator, replacement: '' }
  })
}
