/** The settings' schema at work: which settings there are, and what is wrong with a document of them. */
import type { ErrorObject } from 'ajv'
import { settingForms, spelled } from './formats.ts'
import { Leaf, type Section } from './leaf.ts'
import { type SettingsDocument, settingsTable } from './schema.ts'
import { settingsValidator } from './validator.ts'

export type Document = Record<string, unknown>

export function isDocument(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export interface NamedLeaf {
  /** `http.port` */
  readonly path: string
  readonly leaf: Leaf<unknown>
}

/** Every setting, in the order of the table. */
export function listLeaves(section: Section = settingsTable, above = ''): NamedLeaf[] {
  return Object.entries(section).flatMap(([name, node]) =>
    node instanceof Leaf ? [{ path: above + name, leaf: node }] : listLeaves(node, `${above}${name}.`),
  )
}

/** For a document with every setting in it, each checked before. */
export function checkSettings(document: Document): SettingsDocument {
  const validate = settingsValidator()
  if (!validate(document)) {
    const places = validate.errors?.map((error) => `${error.instancePath} ${error.message}`)
    throw new Error(`the settings' defaults break their own schema: ${places?.join(', ')}`)
  }
  return document
}

export interface Problem {
  readonly path: string
  /** What is wrong and what is allowed; it follows the path and a colon. */
  readonly problem: string
}

/** What is wrong with the settings a document gives, one problem each; what it does not give is not missing. */
export function problemsOf(document: Document): Problem[] {
  const validate = settingsValidator()
  validate(document)
  const problems = new Map<string, string>()
  for (const error of validate.errors ?? []) {
    const { path, problem } = problemOf(error, document) ?? {}
    if (path !== undefined && problem !== undefined && !problems.has(path)) problems.set(path, problem)
  }
  return [...problems].map(([path, problem]) => ({ path, problem }))
}

function problemOf(error: ErrorObject, document: Document): Problem | null {
  const names = error.instancePath.split('/').slice(1).map(unescapePointer)
  let node: Section | Leaf<unknown> = settingsTable
  let value: unknown = document
  const walked: string[] = []
  for (const name of names) {
    if (node instanceof Leaf) break
    const next: Section | Leaf<unknown> | undefined = node[name]
    if (next === undefined) break
    node = next
    value = isDocument(value) ? value[name] : undefined
    walked.push(name)
  }
  const path = walked.join('.')
  if (node instanceof Leaf)
    return { path, problem: leafProblem(node, value, error, names.slice(walked.length)) }
  if (error.keyword === 'required') return null
  if (error.keyword === 'additionalProperties') {
    const unknown = [...walked, String(error.params.additionalProperty)].join('.')
    return { path: unknown, problem: unknownSetting(unknown, path, node) }
  }
  const kind = Array.isArray(value) ? 'a list' : value === null ? 'null' : `a ${typeof value}`
  return { path, problem: `must be an object of the settings ${Object.keys(node).join(', ')}, got ${kind}` }
}

/** Gives each text of a document that is in order its one spelling, in place. */
export function spellTexts(document: Document, section: Section = settingsTable): void {
  for (const [name, node] of Object.entries(section)) {
    if (!Object.hasOwn(document, name)) continue
    const value = document[name]
    if (node instanceof Leaf) document[name] = spelled(node.schema, value)
    else if (isDocument(value)) spellTexts(value, node)
  }
}

function leafProblem(
  leaf: Leaf<unknown>,
  value: unknown,
  error: ErrorObject,
  inside: readonly string[],
): string {
  const member = error.keyword === 'additionalProperties' ? [String(error.params.additionalProperty)] : []
  const where = [...inside, ...member].join('.')
  const place = isDocument(value) && where !== '' ? ` (${where} ${error.message})` : ''
  const reason = formProblem(error)
  // An environment variable that is no JSON stays a text.
  const allowed =
    leaf.notation === 'json' && typeof value === 'string' ? `${leaf.allowed}, as JSON` : leaf.allowed
  return `must be ${allowed}, got ${leaf.isSecret ? 'something else' : shown(value)}${reason}${place}`
}

/** Why a text is not in the form it has to have, where more can be said than what is allowed. */
function formProblem({ keyword, params, data }: ErrorObject): string {
  const read = keyword === 'format' && typeof data === 'string' ? settingForms[params.format]?.(data) : null
  return read && 'problem' in read && read.problem !== null ? `; ${read.problem}` : ''
}

/** Nothing in it moves a terminal's cursor, or looks like what it is not. */
function shown(value: unknown): string {
  const text = JSON.stringify(value).replaceAll(/(?! )[\p{C}\p{Z}]/gu, (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join(''),
  )
  return text.length > 80 ? `${text.slice(0, 79)}…` : text
}

function unknownSetting(path: string, sectionPath: string, section: Section): string {
  const nearest = nearestName(path, [...allNames(settingsTable)])
  if (nearest !== null) return `unknown setting; did you mean ${nearest}?`
  const known = Object.keys(section).join(', ')
  return `unknown setting; ${sectionPath === '' ? 'there are' : `${sectionPath} has`} ${known}`
}

/** Of every setting and section. */
function allNames(section: Section, above = ''): string[] {
  return Object.entries(section).flatMap(([name, node]) => [
    above + name,
    ...(node instanceof Leaf ? [] : allNames(node, `${above}${name}.`)),
  ])
}

function unescapePointer(name: string): string {
  return name.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** The known name that a typing error most likely meant. */
export function nearestName(name: string, known: readonly string[]): string | null {
  const most = Math.max(2, name.length / 5)
  const ranked = known
    // As many letters are missing as one is shorter: what is far too long is held against nothing.
    .filter((candidate) => Math.abs(candidate.length - name.length) <= most)
    .map((candidate) => ({ candidate, distance: editDistance(name.toLowerCase(), candidate.toLowerCase()) }))
    .sort((left, right) => left.distance - right.distance)
  const best = ranked[0]
  return best && best.distance <= most ? best.candidate : null
}

/** Levenshtein: insertions, deletions and replacements of one character from one text to the other. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
