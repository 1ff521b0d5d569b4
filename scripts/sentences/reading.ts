/** Finds in a source what it says in sentences: literals of several words, with `{}` in place of what is known of a case only. */
import { parseSync } from '@swc/core'

/** As far as it is looked at: a node of the syntax tree. */
export interface Syntax {
  readonly type?: string
  readonly [member: string]: unknown
}

/** Members whose texts nobody reads on a page, or whose translations a table of their own holds. */
const skippedMembers = new Set([
  // Help of the command line, and of the API's document.
  ...['summary', 'description', 'examples', 'option', 'pattern', 'signature', 'evidence'],
  // Of forms: `wording` of the tables.
  ...['label', 'done', 'button', 'title', 'choices'],
])
const logMethods = new Set(['info', 'warn', 'error', 'debug', 'fatal', 'trace'])

export function sentencesOf(source: string): string[] {
  const found = new Set<string>()
  visit(parseSync(source, { syntax: 'typescript', target: 'esnext' }), found)
  return [...found].filter(isSentence)
}

/** Two words beside each other, or a word beside what is filled in. */
function isSentence(text: string): boolean {
  return (
    /[a-z]{2,}[,:]? [a-z{“"]|\} [a-z]{2}|^[A-Z][a-z]+ [A-Z]/.test(text) &&
    !/^[A-Za-z]+\n|[<>]|^[a-z]+\(|^ventanilla [a-z]+$/.test(text)
  )
}

function visit(part: unknown, found: Set<string>): void {
  if (Array.isArray(part)) {
    for (const each of part) visit(each, found)
    return
  }
  if (typeof part !== 'object' || part === null) return
  const syntax = part as Syntax
  if (isSkipped(syntax)) return
  const text = textOf(syntax)
  if (text !== null) found.add(text)
  // What is filled into a text may be a text itself.
  const inner = text === null ? Object.entries(syntax) : gapsOf(syntax).map((gap) => ['gap', gap] as const)
  for (const [name, member] of inner) if (name !== 'span') visit(member, found)
}

function isSkipped(syntax: Syntax): boolean {
  const { type = '' } = syntax
  if (type === 'ImportDeclaration' || type.startsWith('Ts') || type === 'RegExpLiteral')
    return (
      type !== 'TsAsExpression' &&
      type !== 'TsSatisfiesExpression' &&
      type !== 'TsNonNullExpression' &&
      type !== 'TsConstAssertion'
    )
  if (type === 'KeyValueProperty') return skippedMembers.has(String((syntax.key as Syntax).value ?? ''))
  const callee = syntax.callee as Syntax | undefined
  if (type === 'NewExpression') return ['Error', 'TypeError', 'RangeError'].includes(String(callee?.value))
  if (type !== 'CallExpression') return false
  const property = callee?.property as Syntax | undefined
  return callee?.type === 'MemberExpression' && logMethods.has(String(property?.value))
}

/** A literal, or several that are joined with `+`, as one text; `null` of anything else. */
function textOf(syntax: Syntax): string | null {
  if (syntax.type === 'StringLiteral') return String(syntax.value)
  if (syntax.type === 'TemplateLiteral')
    return (syntax.quasis as { cooked: string }[]).map(({ cooked }) => cooked).join('{}')
  if (syntax.type !== 'BinaryExpression' || syntax.operator !== '+') return null
  const [left, right] = [syntax.left as Syntax, syntax.right as Syntax]
  const sides = [textOf(left), textOf(right)]
  return sides.every((side) => side === null) ? null : sides.map((side) => side ?? '{}').join('')
}

function gapsOf(syntax: Syntax): unknown[] {
  if (syntax.type === 'TemplateLiteral') return syntax.expressions as unknown[]
  if (syntax.type !== 'BinaryExpression') return []
  return [syntax.left as Syntax, syntax.right as Syntax].flatMap((side) =>
    textOf(side) === null ? [side] : gapsOf(side),
  )
}
