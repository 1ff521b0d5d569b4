/**
 * The one way to an operation, for the operator listener and for commands that work on the database itself:
 * finds it by name, checks its input against its schema, and runs it.
 */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { OperationError } from '../foundation/operation.ts'
import { type Asker, assertMay } from './authority.ts'
import { createApproving } from './carrying-out.ts'
import type { NodeContext } from './context.ts'
import type { AnyOperation } from './index.ts'
import { isDryRun, perform } from './perform.ts'

/**
 * @param asker whoever is signed in; who has the node's token may ask for everything.
 * @throws OperationError, or what went wrong.
 */
export type Dispatch = (name: string, input: unknown, operator: string, asker?: Asker) => Promise<unknown>

/** No input of an operation nests; what is deeper is refused before it can exhaust a stack. */
const maxDepth = 32

// The schemas are this program's own, and a test holds them to the draft.
const ajv = new Ajv2020({
  allErrors: true,
  verbose: true,
  strict: true,
  meta: false,
  validateSchema: false,
})

/** By their schemas, whoever dispatches: each is compiled when it is first asked for, since a command asks for one. */
const validators = new WeakMap<object, ValidateFunction>()

function validatorOf({ input }: AnyOperation): ValidateFunction {
  const validator = validators.get(input) ?? ajv.compile(input)
  validators.set(input, validator)
  return validator
}

export function createDispatch(
  operations: readonly AnyOperation[],
  context: Omit<NodeContext, 'operator'>,
): Dispatch {
  const byName = new Map(operations.map((operation) => [operation.name, operation]))
  const approvingFor = createApproving(byName, context)

  return async (name, input, operator, asker) => {
    const operation = byName.get(name)
    if (operation === undefined) {
      const more = name.startsWith('sandbox.')
        ? { hint: 'It is of sandboxes, and this node is in production.' }
        : {}
      throw new OperationError('not_found', `There is no operation ${name}.`, more)
    }
    if (asker !== undefined) {
      const { clock, surroundings } = context
      const isPreview = isDryRun(input)
      assertMay(operation, { asker, name: operator, clock, mode: surroundings.mode, isPreview })
    }
    if (isDeeperThan(input, maxDepth)) {
      throw new OperationError('invalid', `The input nests deeper than ${maxDepth} levels.`)
    }
    const unfit = unfitText(input, '')
    if (unfit !== null) throw new OperationError('invalid', unfit)
    const validate = validatorOf(operation)
    if (!validate(input)) {
      const details = [...new Set(validate.errors?.map(describe))]
      throw new OperationError('invalid', `The input of ${name} is not right.`, { details })
    }
    const person = asker === undefined ? null : { name: operator, role: asker.role }
    const asked = { ...context, operator, person: person?.name ?? null, approving: approvingFor(person) }
    const output = await perform(operation, asked, input)
    return asker?.role === 'viewer' && operation.forViewers ? operation.forViewers(output) : output
  }
}

function isDeeperThan(value: unknown, depth: number): boolean {
  let level: unknown[] = [value]
  for (let below = 0; below <= depth; below++) {
    level = level.flatMap((node) => (typeof node === 'object' && node !== null ? Object.values(node) : []))
    if (level.length === 0) return false
  }
  return true
}

/** A text that PostgreSQL neither keeps nor finds, or that SQLite would give back as another one. */
function unfitText(value: unknown, path: string): string | null {
  const where = path === '' ? 'The input' : `${path}:`
  if (typeof value === 'string') {
    if (value.includes('\0')) return `${where} has a character 0 in it, which no text here has.`
    return value.isWellFormed() ? null : `${where} has half of a character in it, which no text here has.`
  }
  if (typeof value !== 'object' || value === null) return null
  for (const [name, member] of Object.entries(value)) {
    const problem = unfitText(member, Array.isArray(value) ? `${path}[${name}]` : joined(path, name))
    if (problem !== null) return problem
  }
  return null
}

/** `merchants[0].name: must be a text`. */
function describe(error: ErrorObject): string {
  const place = pathOf(error.instancePath)
  switch (error.keyword) {
    case 'required':
      return `${joined(place, error.params.missingProperty)}: is missing`
    case 'additionalProperties':
      return `${joined(place, error.params.additionalProperty)}: is unknown`
    case 'enum':
      return `${place}: must be one of ${error.params.allowedValues.join(', ')}`
    case 'pattern':
      return `${place}: ${error.params.pattern === '\\S' ? 'is empty' : 'has another form than it must have'}`
    case 'minLength':
      return `${place}: ${error.params.limit === 1 ? 'is empty' : `is shorter than ${error.params.limit} characters`}`
    case 'maxLength':
      return `${place}: is longer than ${error.params.limit} characters`
    case 'minItems':
      return error.params.limit === 1
        ? `${place}: is empty`
        : `${place}: has fewer than ${error.params.limit}`
    case 'maxItems':
      return `${place}: has more than ${error.params.limit} entries`
    case 'minimum':
      return `${place}: must be at least ${error.params.limit}`
    case 'maximum':
      return `${place}: must be at most ${error.params.limit}`
    case 'type':
      return `${place || 'the input'}: ${typeWords[error.params.type] ?? 'is not right'}`
    default:
      return `${place || 'the input'}: ${error.message ?? 'is not right'}`
  }
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'must be a text',
  integer: 'must be a whole number',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
}

function joined(place: string, name: string): string {
  return place === '' ? name : `${place}.${name}`
}

function pathOf(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, name) => (/^\d+$/.test(name) ? `${path}[${name}]` : joined(path, name)), '')
}
