/** Each operation as programs ask it: curl with its signature, and the clients for TypeScript, Python and PHP. */

/** What a sample is made of. */
export interface SampleParts {
  id: string
  party: 'merchant' | 'provider'
  /** In capitals. */
  method: string
  /** With the API's base, and `{name}` for what is filled in. */
  path: string
  /** Parameters of the path, and those of the query that are required, by their names. */
  inPath: readonly Example[]
  inQuery: readonly Example[]
  /** Undefined where nothing is sent. */
  body: unknown
  isCreation: boolean
}

export interface Example {
  name: string
  value: string
}

export interface Sample {
  language: 'curl' | 'TypeScript' | 'Python' | 'PHP'
  text: string
}

/** @param url of the node */
export function samplesOf(parts: SampleParts, url: string): Sample[] {
  return [
    { language: 'curl', text: curlSample(parts, url) },
    { language: 'TypeScript', text: typescriptSample(parts, url) },
    { language: 'Python', text: pythonSample(parts, url) },
    { language: 'PHP', text: phpSample(parts, url) },
  ]
}

function curlSample(
  { party, method, path, inPath, inQuery, body, isCreation, id }: SampleParts,
  url: string,
) {
  const key = party === 'merchant' ? 'Merchant-Key' : 'Provider-Key'
  const query = inQuery
    .map(({ name, value }) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
    .join('&')
  const filled = inPath.reduce(
    (text, { name, value }) => text.replace(`{${name}}`, encodeURIComponent(value.toWellFormed())),
    path,
  )
  const target = filled + (query === '' ? '' : `?${query}`)
  const hasBody = body !== undefined
  return [
    '# API_KEY and API_SECRET are those of your key.',
    ...(hasBody ? [`BODY=${shellText(JSON.stringify(body))}`] : []),
    'DATE=$(date +%s).$(printf %06d $((RANDOM * 30)))',
    `TARGET=${shellText(target)}`,
    `HASH=$(printf '%s' "$API_KEY:$DATE:${method}:$TARGET:${hasBody ? '$BODY' : ''}" |`,
    `  openssl dgst -sha256 -hmac "$API_SECRET" | sed 's/.* //')`,
    `curl -sg -X ${method} ${shellText(url)}"$TARGET" \\`,
    `  -H "${key}: $API_KEY" -H "Message-Date: $DATE" -H "Message-Hash: $HASH"${hasBody || isCreation ? ' \\' : ''}`,
    ...(isCreation ? [`  -H 'Idempotency-Key: ${keyOf(id)}'${hasBody ? ' \\' : ''}`] : []),
    ...(hasBody ? [`  -H 'Content-Type: application/json' --data-raw "$BODY"`] : []),
  ].join('\n')
}

/** What an example keeps its creation under. */
function keyOf(id: string): string {
  return `${id}-1234`
}

function shellText(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

function typescriptSample(parts: SampleParts, url: string): string {
  const { id, party, inPath, inQuery, body, isCreation } = parts
  const maker = party === 'merchant' ? 'createMerchantClient' : 'createProviderClient'
  const input = {
    ...Object.fromEntries(inPath.map(({ name, value }) => [name, value])),
    ...(inQuery.length === 0
      ? {}
      : { query: Object.fromEntries(inQuery.map(({ name, value }) => [name, value])) }),
    ...(body === undefined ? {} : { body }),
  }
  const given = [
    ...(Object.keys(input).length === 0 ? [] : [written(input, javascript, '')]),
    ...(isCreation ? [`{ idempotencyKey: '${keyOf(id)}' }`] : []),
  ]
  return [
    `import { ${maker} } from '@ventanilla/client'`,
    '',
    "const { API_KEY = '', API_SECRET = '' } = process.env",
    `const ${party} = ${maker}({ url: ${javascript.text(url)}, key: API_KEY, secret: API_SECRET })`,
    `const answer = await ${party}.${id}(${given.join(', ')})`,
    'console.log(answer)',
  ].join('\n')
}

function pythonSample({ id, party, inPath, inQuery, body, isCreation }: SampleParts, url: string): string {
  const client = party === 'merchant' ? 'MerchantClient' : 'ProviderClient'
  const method = id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const given = [
    ...(body === undefined ? [] : [`body=${written(body, python, '    ')}`]),
    ...[...inPath, ...inQuery].map(
      ({ name, value }) => `${name === 'from' ? 'from_' : name}=${python.text(value)}`,
    ),
    ...(isCreation ? [`idempotency_key="${keyOf(id)}"`] : []),
  ]
  return [
    'import os',
    `from ventanilla import ${client}`,
    '',
    `${party} = ${client}(${python.text(url)}, os.environ["API_KEY"], os.environ["API_SECRET"])`,
    given.length === 0
      ? `answer = ${party}.${method}()`
      : `answer = ${party}.${method}(\n${given.map((one) => `    ${one},\n`).join('')})`,
    'print(answer)',
  ].join('\n')
}

function phpSample({ id, party, inPath, inQuery, body, isCreation }: SampleParts, url: string): string {
  const client = party === 'merchant' ? 'MerchantClient' : 'ProviderClient'
  const given = [
    ...(body === undefined ? [] : [`body: ${written(body, php, '    ')}`]),
    ...[...inPath, ...inQuery].map(({ name, value }) => `${name}: ${php.text(value)}`),
    ...(isCreation ? [`idempotencyKey: '${keyOf(id)}'`] : []),
  ]
  return [
    '<?php',
    "require 'vendor/autoload.php';",
    '',
    "$http = new GuzzleHttp\\Client(['timeout' => 15]);",
    '$factory = new GuzzleHttp\\Psr7\\HttpFactory();',
    "[$key, $secret] = [getenv('API_KEY'), getenv('API_SECRET')];",
    `$${party} = new Ventanilla\\${client}(${php.text(url)}, $key, $secret, $http, $factory, $factory);`,
    given.length === 0
      ? `$answer = $${party}->${id}();`
      : `$answer = $${party}->${id}(\n${given.map((one) => `    ${one},\n`).join('')});`,
    'print_r($answer);',
  ].join('\n')
}

/** How a language writes values of JSON. */
interface Writing {
  text(text: string): string
  member(name: string, value: string): string
  object: readonly [begin: string, end: string]
  words: Readonly<Record<'true' | 'false' | 'null', string>>
}

const single = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

const javascript: Writing = {
  text: (text) => single(text).replaceAll('\n', '\\n').replaceAll('\r', '\\r'),
  member: (name, value) => `${/^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(name)}: ${value}`,
  object: ['{', '}'],
  words: { true: 'true', false: 'false', null: 'null' },
}

const python: Writing = {
  text: (text) => JSON.stringify(text),
  member: (name, value) => `${JSON.stringify(name)}: ${value}`,
  object: ['{', '}'],
  words: { true: 'True', false: 'False', null: 'None' },
}

const php: Writing = {
  text: single,
  member: (name, value) => `${single(name)} => ${value}`,
  object: ['[', ']'],
  words: { true: 'true', false: 'false', null: 'null' },
}

function written(value: unknown, writing: Writing, indent: string): string {
  if (typeof value === 'string') return writing.text(value)
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return writing.words[value ? 'true' : 'false']
  if (typeof value !== 'object' || value === null) return writing.words.null
  const deeper = `${indent}  `
  const isList = Array.isArray(value)
  const items = isList
    ? value.map((one) => written(one, writing, deeper))
    : Object.entries(value).map(([name, one]) => writing.member(name, written(one, writing, deeper)))
  const [begin, end] = isList ? ['[', ']'] : writing.object
  if (items.length === 0) return `${begin}${end}`
  return `${begin}\n${items.map((item) => `${deeper}${item},\n`).join('')}${indent}${end}`
}
