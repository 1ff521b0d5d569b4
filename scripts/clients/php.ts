/** The PHP client's methods, from the document: each schema as the shape of an array. */
import type { ApiDocument } from '../../http/api/openapi/document.ts'
import {
  answerOf,
  type ClientMethod,
  clientMethods,
  nameOf,
  type Party,
  type SchemaPart,
  schemasOf,
} from './operations.ts'

/** The text of `client/php/src/MerchantClient.php`, or of the provider's. */
export function phpClient(document: ApiDocument, party: Party): string {
  const methods = clientMethods(document, party)
  const [name, header] =
    party === 'merchant' ? ['MerchantClient', 'Merchant-Key'] : ['ProviderClient', 'Provider-Key']
  return [
    '<?php\n\ndeclare(strict_types=1);\n\nnamespace Ventanilla;\n\n',
    '/**\n * Made from the OpenAPI document by scripts/client-types.ts: not to be edited.\n *\n',
    ` * What a ${party} asks: a method for each operation of the API's document.\n *\n`,
    ...shapesOf(document, methods),
    ' */\n',
    `final class ${name} extends Client\n{\n`,
    `    protected const KEY_HEADER = '${header}';\n`,
    ...methods.map(methodText),
    '}\n',
  ].join('')
}

/** Those that a client's methods take and answer, with what is in them. */
function shapesOf(document: ApiDocument, methods: readonly ClientMethod[]): string[] {
  const schemas = new Map(schemasOf(document))
  const used = new Set<string>()
  const use = (schema: SchemaPart): void => {
    for (const one of schema.oneOf ?? []) use(one)
    if (schema.items !== undefined) use(schema.items)
    for (const property of Object.values(schema.properties ?? {})) use(property)
    if (schema.$ref === undefined) return
    const name = nameOf(schema.$ref)
    const found = schemas.get(name)
    if (found === undefined || used.has(name)) return
    used.add(name)
    use(found)
  }
  for (const { operation } of methods) {
    use(answerOf(operation))
    use(operation.requestBody?.content['application/json'].schema ?? {})
  }
  return [...schemas].flatMap(([name, schema]) => (used.has(name) ? [shapeText(name, schema)] : []))
}

function shapeText(name: string, { properties = {}, required = [] }: SchemaPart): string {
  const members = Object.entries(properties).map(
    ([member, part]) => ` *   ${member}${required.includes(member) ? '' : '?'}: ${typeOf(part)},\n`,
  )
  return ` * @phpstan-type ${name} array{\n${members.join('')} * }\n`
}

function typeOf(schema: SchemaPart): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref)
  if (schema.oneOf !== undefined) return schema.oneOf.map(typeOf).join('|')
  if (schema.enum !== undefined) return schema.enum.map((value) => `'${value}'`).join('|')
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  return types.map((type) => plainType(type, schema)).join('|')
}

const plainTypes: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'null',
  object: 'array<string, mixed>',
}

function plainType(type: string, { items = {} }: SchemaPart): string {
  if (type === 'array') return `list<${typeOf(items)}>`
  const plain = plainTypes[type]
  if (plain === undefined) throw new Error(`PHP has no type for ${type}.`)
  return plain
}

const repetitions: Readonly<Record<string, string>> = {
  freely: 'Freely',
  message: 'Message',
  idempotency_key: 'IdempotencyKey',
}

function methodText({ path, method, operation }: ClientMethod): string {
  const { operationId, summary, description, parameters, requestBody, format, isDryRun } = operation
  const repetition = operation['x-repetition']
  const inPath = parameters.filter((one) => one.in === 'path')
  const inQuery = parameters.filter((one) => one.in === 'query')
  const body = requestBody?.content['application/json'].schema
  const isCreation = repetition === 'idempotency_key'
  const phpType = (schema: SchemaPart) => (schema.type === 'integer' ? 'int' : 'string')
  const asked = [
    ...inPath.map(({ name }) => `string $${name}`),
    ...(body === undefined ? [] : ['array $body']),
    ...inQuery.filter(({ required }) => required).map(({ name, schema }) => `${phpType(schema)} $${name}`),
    ...inQuery
      .filter(({ required }) => required !== true)
      .map(({ name, schema }) => `?${phpType(schema)} $${name} = null`),
    ...(isCreation ? ['?string $idempotencyKey = null'] : []),
  ]
  const entries = (all: typeof parameters) => all.map(({ name }) => `'${name}' => $${name}`)
  const query = [...entries(inQuery), ...(format === undefined ? [] : [`'format' => '${format}'`])]
  const operationParts = [
    `'${method}'`,
    `'${path}'`,
    `Repetition::${repetitions[repetition]}`,
    ...(format === undefined ? [] : ['isText: true']),
    ...(isDryRun === true ? ['isDryRun: true'] : []),
  ]
  const given = [
    `new Operation(${operationParts.join(', ')})`,
    `[${entries(inPath).join(', ')}]`,
    `[${query.join(', ')}]`,
    ...(body === undefined ? [] : ['body: $body']),
    ...(isCreation ? ['idempotencyKey: $idempotencyKey'] : []),
  ]
  const tags = [
    ...(body === undefined ? [] : [`@param ${typeOf(body)} $body`]),
    ...(format === undefined ? [`@return ${typeOf(answerOf(operation))}`] : []),
  ]
  return [
    `\n    /**\n     * ${`${summary}. ${description}`.replaceAll('*/', '* /')}\n`,
    ...(tags.length === 0 ? [] : ['     *\n', ...tags.map((tag) => `     * ${tag}\n`)]),
    '     */\n',
    `    public function ${operationId}(\n${asked.map((one) => `        ${one},\n`).join('')}    ): ${format === undefined ? 'array' : 'string'} {\n`,
    `        return $this->call(\n${given.map((one) => `            ${one},\n`).join('')}        );\n`,
    '    }\n',
  ].join('')
}
