/**
 * Requests of strangers, each as large as a listener takes and in a shape that is dear to read: what they cost must be
 * no more than their bytes. Each is a name and the bytes for a socket.
 */

export interface HostileShape {
  name: string
  bytes: Buffer
}

const bodyBytes = 64 * 1024
/** Of the 16 KiB that all headers may have. */
const headerBytes = 14_000

interface Parts {
  method?: string
  path?: string
  headers?: readonly (readonly [name: string, value: string])[]
  body?: string | Buffer
  isChunked?: boolean
}

function request({ method = 'POST', path = '/', headers = [], body = '', isChunked = false }: Parts): Buffer {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body)
  const length = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes.length}`
  const lines = [['Host', '127.0.0.1'], ['Connection', 'close'], ...headers].map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  const head = `${method} ${path} HTTP/1.1\r\n${lines.join('')}${length}\r\n\r\n`
  return Buffer.concat([Buffer.from(head, 'latin1'), bytes])
}

/** As many of a piece as a size holds. */
const fill = (piece: string, size: number): string => piece.repeat(Math.floor(size / piece.length))

const nest = (depth: number, inner: string) => '['.repeat(depth) + inner + ']'.repeat(depth)

/** JSON as dear to parse, to write and to indent as its bytes allow. */
const documents: Readonly<Record<string, string>> = {
  'nested brackets around numbers': nest(1_900, fill('1,', bodyBytes - 3_900).slice(0, -1)),
  'brackets alone': nest(bodyBytes / 2, ''),
  'brackets that never close': '['.repeat(bodyBytes),
  'objects in objects': `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
  'many members': `{${Array.from({ length: 6_500 }, (_, index) => `"${index}":1`).join(',')}}`,
  'many numbers': `[${fill('1,', bodyBytes - 3)}1]`,
  'a long number': '9'.repeat(bodyBytes),
  escapes: `"${fill('\\u0000', bodyBytes - 2)}"`,
  quotes: fill('"\\', bodyBytes),
  slashes: `"${'/'.repeat(bodyBytes - 2)}"`,
  'characters that are no UTF-8': '\xff'.repeat(bodyBytes),
  'line breaks': '\n'.repeat(bodyBytes),
  zeros: '\0'.repeat(bodyBytes),
}

const json = ['Content-Type', 'application/json'] as const

/** For the public listener. @param key one that is registered, as anybody may know it; @param id of an order */
export function publicShapes(known: { key: string; messageDate: string; id: string }): HostileShape[] {
  const path = '/api/v1/merchants/orders/pay-out/'
  const signed = (key: string, hash = '0'.repeat(64)) =>
    [['Merchant-Key', key], ['Message-Date', known.messageDate], ['Message-Hash', hash], json] as const
  const bodies = Object.entries(documents).flatMap(([name, body]) => [
    { name: `${name}, unsigned`, bytes: request({ path, headers: [json], body }) },
    { name: `${name}, unknown key`, bytes: request({ path, headers: signed('mk_nobody'), body }) },
    { name: `${name}, known key`, bytes: request({ path, headers: signed(known.key), body }) },
    {
      name: `${name}, known key, as far as mistakes are searched`,
      bytes: request({ path, headers: signed(known.key), body: body.slice(0, 4_096) }),
    },
    {
      name: `${name}, submitted on a checkout page`,
      bytes: request({
        path: `/checkout/${known.id}/submission`,
        headers: [json],
        body: body.slice(0, 16_384),
      }),
    },
  ])
  const headers: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
    'a long key': [['Merchant-Key', 'k'.repeat(headerBytes)]],
    'a long hash': signed(known.key, 'f'.repeat(headerBytes)),
    'a hash in base64': signed(known.key, 'A+/='.repeat(headerBytes / 4)),
    'many headers': Array.from({ length: 2_300 }, (_, index) => [`h${index.toString(36)}`, ''] as const),
    'one header many times': Array.from({ length: 2_300 }, () => ['a', ''] as const),
    commas: [
      ['Accept', ','.repeat(headerBytes / 2)],
      ['Accept-Language', ','.repeat(headerBytes / 2)],
    ],
    languages: [['Accept-Language', fill('es;q=0.1,', headerBytes)]],
    'language parameters': [['Accept-Language', `es${';'.repeat(headerBytes)}`]],
    'a list of proxies': [['X-Forwarded-For', fill('1.1.1.1,', headerBytes)]],
    separators: [
      ['Cookie', ';'.repeat(headerBytes / 2)],
      ['If-None-Match', ','.repeat(headerBytes / 2)],
    ],
    blanks: [['Authorization', `Bearer ${' '.repeat(headerBytes)}x y`]],
  }
  const paths = [
    path,
    '/checkout/',
    `/checkout/${known.id}`,
    '/api/v1/docs',
    '/api/v1/docs/createPayOutOrder',
    '/api/v1/docs/none',
    '/api/v1/openapi.json',
    '/healthz',
    '/x',
  ]
  const withHeaders = Object.entries(headers).flatMap(([name, sent]) =>
    paths.map((to) => ({
      name: `${name} to ${to}`,
      bytes: request({ method: 'GET', path: to, headers: sent }),
    })),
  )
  const targets: Readonly<Record<string, string>> = {
    'a long path': `/${'a'.repeat(headerBytes)}`,
    'many slashes': '/'.repeat(headerBytes),
    'percent signs': `/${fill('%2f', headerBytes)}`,
    'encoded characters': `/checkout/${fill('%e4%b8%80', headerBytes)}`,
    'a long code': `/api/v1/providers/orders/pay-out/${'1'.repeat(headerBytes)}/`,
    'many parameters': `${path}?${'&'.repeat(headerBytes)}`,
    'parameters of a page': `/checkout?${fill('id=1&', headerBytes)}`,
    'a long id': `/checkout?id=${'0'.repeat(headerBytes)}`,
    'a long host': `http://${'a.'.repeat(headerBytes / 2)}/`,
  }
  const withTargets = Object.entries(targets).map(([name, target]) => ({
    name,
    bytes: request({ method: 'GET', path: target }),
  }))
  return [...bodies, ...withHeaders, ...withTargets, ...splinters(path)]
}

/** A body in pieces of a byte, of which each costs its sender six. */
function splinters(path: string): HostileShape[] {
  const chunks = (count: number) => `${'1\r\n[\r\n'.repeat(count)}0\r\n\r\n`
  return [
    { name: 'single bytes', bytes: request({ path, isChunked: true, body: chunks(bodyBytes) }) },
    {
      name: 'as many single bytes as are taken',
      bytes: request({ path, isChunked: true, body: chunks(2_000) }),
    },
    {
      name: 'chunk extensions',
      bytes: request({ path, isChunked: true, body: `1;${'a'.repeat(15_000)}\r\n[\r\n0\r\n\r\n` }),
    },
    {
      name: 'a body beyond the limit',
      bytes: request({ path, headers: [json], body: 'x'.repeat(1_100_000) }),
    },
  ]
}

/** For the operator listener. */
export function operatorShapes(): HostileShape[] {
  const form = ['Content-Type', 'application/x-www-form-urlencoded'] as const
  const forms: Readonly<Record<string, string>> = {
    'a long name': `name=${'n'.repeat(bodyBytes)}&password=p`,
    'many fields': fill('a&', bodyBytes),
    'encoded fields': fill('%41=%42&', bodyBytes),
    'a long password': `name=n&password=${'\ufdfa'.repeat(20_000)}`,
  }
  const operation = '/api/operations/order.list'
  return [
    ...Object.entries(forms).map(([name, body]) => ({
      name: `${name} to /sign-in`,
      bytes: request({ path: '/sign-in', headers: [form], body }),
    })),
    ...Object.entries(documents).map(([name, body]) => ({
      name: `${name} to an operation`,
      bytes: request({ path: operation, headers: [json, ['Authorization', 'Bearer x']], body }),
    })),
    ...Object.entries({
      separators: [['Cookie', ';'.repeat(headerBytes)]],
      'names of cookies': [['Cookie', fill('ventanilla_session_1=;', headerBytes)]],
      'a long token': [['Authorization', `Bearer ${'t'.repeat(headerBytes)}`]],
      'a password that is long': [['Authorization', `Basic ${'A'.repeat(headerBytes)}`]],
      'an origin of many letters': [['Origin', `http://${fill('%E4%B8%80', headerBytes)}`]],
    } satisfies Record<string, [string, string][]>).flatMap(([name, headers]) =>
      ['/', '/sign-in', operation, '/inspect/ws', '/metrics'].map((path) => ({
        name: `${name} to ${path}`,
        bytes: request({
          method: 'GET',
          path,
          headers: [...headers.map(([header = '', value = '']) => [header, value] as const)],
        }),
      })),
    ),
    {
      name: 'a challenge',
      bytes: request({ method: 'GET', path: `/api/hello?challenge=${'c'.repeat(headerBytes)}` }),
    },
    {
      name: 'a host of many letters',
      bytes: Buffer.from(
        `GET / HTTP/1.1\r\nConnection: close\r\nHost: ${fill('%E4%B8%80', headerBytes)}\r\n\r\n`,
      ),
    },
  ]
}
