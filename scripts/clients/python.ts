/** The Python client's types and methods, from the document. */
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

/** The text of `client/python/ventanilla/api.py`. */
export function pythonClient(document: ApiDocument): string {
  return [
    '"""Made from the OpenAPI document by scripts/client-types.ts: not to be edited."""\n\n',
    'from __future__ import annotations\n\n',
    'from typing import Any, Literal, NotRequired, TypedDict, cast\n\n',
    'from .sending import Client, Operation\n',
    ...schemasOf(document).map(([name, schema]) => declaration(name, schema)),
    ...(['merchant', 'provider'] as const).map((party) => clientClass(document, party)),
  ].join('')
}

/** Words of Python that no member of a class may be called. */
const keywords = new Set(['from', 'class', 'import', 'is', 'in', 'or', 'and', 'not', 'for', 'with', 'pass'])

function declaration(name: string, schema: SchemaPart): string {
  const { properties = {}, required = [], description } = schema
  const members = Object.entries(properties).map(([member, part]) => {
    const type = typeOf(part)
    return { member, type: required.includes(member) ? type : `NotRequired[${type}]`, part }
  })
  const comments = (part: SchemaPart) => (part.description === undefined ? '' : `    # ${part.description}\n`)
  if (members.some(({ member }) => keywords.has(member))) {
    const lines = members.map(
      ({ member, type, part }) => `${comments(part)}    "${member}": ${quoted(type)},\n`,
    )
    return `\n\n# ${description ?? name}\n${name} = TypedDict("${name}", {\n${lines.join('')}})\n`
  }
  const lines = members.map(({ member, type, part }) => `${comments(part)}    ${member}: ${type}\n`)
  return `\n\nclass ${name}(TypedDict):\n    ${docstring(description ?? name)}\n\n${lines.join('')}`
}

function typeOf(schema: SchemaPart): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref)
  if (schema.oneOf !== undefined) return schema.oneOf.map(typeOf).join(' | ')
  if (schema.enum !== undefined) return `Literal[${schema.enum.map(quoted).join(', ')}]`
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  return types.map((type) => plainType(type, schema)).join(' | ')
}

const plainTypes: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
  object: 'dict[str, Any]',
}

function plainType(type: string, { items = {} }: SchemaPart): string {
  if (type === 'array') return `list[${typeOf(items)}]`
  const plain = plainTypes[type]
  if (plain === undefined) throw new Error(`Python has no type for ${type}.`)
  return plain
}

function clientClass(document: ApiDocument, party: Party): string {
  const [name, header] =
    party === 'merchant' ? ['MerchantClient', 'Merchant-Key'] : ['ProviderClient', 'Provider-Key']
  return [
    `\n\nclass ${name}(Client):\n    """What a ${party} asks: a method for each operation of the API's document."""\n\n`,
    `    key_header = "${header}"\n`,
    ...clientMethods(document, party).map(methodText),
  ].join('')
}

function methodText({ path, method, operation }: ClientMethod): string {
  const { operationId, summary, description, parameters, requestBody, format, isDryRun } = operation
  const repetition = operation['x-repetition']
  const inPath = parameters.filter((one) => one.in === 'path')
  const inQuery = parameters.filter((one) => one.in === 'query')
  const body = requestBody?.content['application/json'].schema
  const isCreation = repetition === 'idempotency_key'
  const asked = [
    ...inPath.map(({ name }) => `${argumentName(name)}: str`),
    ...(body === undefined ? [] : [`body: ${typeOf(body)}`]),
    ...inQuery
      .filter(({ required }) => required)
      .map(({ name, schema }) => `${argumentName(name)}: ${typeOf(schema)}`),
  ]
  const named = [
    ...inQuery
      .filter(({ required }) => required !== true)
      .map(({ name, schema }) => `${argumentName(name)}: ${typeOf(schema)} | None = None`),
    ...(isCreation ? ['idempotency_key: str | None = None'] : []),
  ]
  const signature = ['self', ...asked, ...(named.length === 0 ? [] : ['*', ...named])]
  const query = [
    ...inQuery.map(({ name }) => `${quoted(name)}: ${argumentName(name)}`),
    ...(format === undefined ? [] : [`"format": "${format}"`]),
  ]
  const entry = [
    quoted(method),
    quoted(path),
    quoted(repetition),
    ...(format === undefined ? [] : ['is_text=True']),
    ...(isDryRun === true ? ['is_dry_run=True'] : []),
  ]
  const given = [
    `Operation(${entry.join(', ')})`,
    `{${inPath.map(({ name }) => `${quoted(name)}: ${argumentName(name)}`).join(', ')}}`,
    `{${query.join(', ')}}`,
    ...(body === undefined ? [] : ['body=body']),
    ...(isCreation ? ['idempotency_key=idempotency_key'] : []),
  ]
  const answer = typeOf(answerOf(operation))
  return [
    `\n    def ${snakeCase(operationId)}(\n`,
    ...signature.map((one) => `        ${one},\n`),
    `    ) -> ${answer}:\n`,
    `        ${docstring(`${summary}. ${description}`)}\n`,
    '        answer = self._call(\n',
    ...given.map((one) => `            ${one},\n`),
    '        )\n',
    `        return cast(${quoted(answer)}, answer)\n`,
  ].join('')
}

/** `from` is `from_`. */
function argumentName(name: string): string {
  return keywords.has(name) ? `${name}_` : name
}

/** `createPayOutOrder` is `create_pay_out_order`. */
function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

function docstring(text: string): string {
  return `"""${text.replaceAll('\\', '\\\\').replaceAll('"""', '“')}"""`
}

function quoted(text: string): string {
  return text.includes('"') ? `'${text}'` : `"${text}"`
}
