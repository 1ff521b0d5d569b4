/** What one thing of a request may become that is none of the document's. */
import fc from 'fast-check'

const weird: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e300,
    '',
    ' ',
    [],
    {},
    [[]],
    { a: [1] },
    '\0',
    '\ud800',
    '\ufeff',
    '9'.repeat(2000),
    'x'.repeat(70_000),
    '-1',
    '1e5',
    '+1',
    '0x10',
    '１２',
    'NaN',
    '2026-02-30',
    'javascript:alert(1)',
    '../..',
    '__proto__',
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.jsonValue({ maxDepth: 3 }),
)

const names = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'status', 'id', 'paid', ''),
  fc.string({ unit: 'binary', maxLength: 10 }),
)

type Changed = readonly [change: string, body: Buffer]

export function changedBody(body: Record<string, unknown>): fc.Arbitrary<Changed> {
  const text = JSON.stringify(body)
  const keys = Object.keys(body)
  const key = fc.constantFrom(...(keys.length === 0 ? ['none'] : keys))
  const of = (change: string, value: unknown): Changed => [change, Buffer.from(JSON.stringify(value) ?? '')]
  return fc.oneof(
    {
      weight: 5,
      arbitrary: fc
        .tuple(key, weird)
        .map(([name, value]) => of(`${name} is odd`, { ...body, [name]: value })),
    },
    {
      weight: 2,
      arbitrary: key.map((name) =>
        of(`without ${name}`, Object.fromEntries(Object.entries(body).filter(([other]) => other !== name))),
      ),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(names, weird).map(([name, value]) => of('one more', { ...body, [name]: value })),
    },
    { weight: 1, arbitrary: weird.map((value) => of('no object', value)) },
    {
      weight: 1,
      arbitrary: fc.nat(text.length).map((end): Changed => ['cut off', Buffer.from(text.slice(0, end))]),
    },
    {
      weight: 1,
      arbitrary: key.map(
        (name): Changed => ['a name twice', Buffer.from(`${text.slice(0, -1)},${JSON.stringify(name)}:1}`)],
      ),
    },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom<BufferEncoding>('latin1', 'utf16le')
        .map((encoding): Changed => [encoding, Buffer.from(text, encoding)]),
    },
    {
      weight: 1,
      arbitrary: fc.uint8Array({ maxLength: 50 }).map((bytes): Changed => ['bytes', Buffer.from(bytes)]),
    },
    {
      weight: 1,
      arbitrary: fc
        .nat(60)
        .map((depth): Changed => ['deep', Buffer.from(`${'['.repeat(depth)}${text}${']'.repeat(depth)}`)]),
    },
  )
}

export type Header = readonly [name: string, value: string]

export const oddHeader: fc.Arbitrary<Header> = fc.constantFrom<Header>(
  ['Content-Type', 'text/plain'],
  ['Content-Type', 'application/json; charset=latin1'],
  ['Content-Type', 'application/json;;'],
  ['Content-Type', 'multipart/form-data'],
  ['Content-Encoding', 'gzip'],
  ['Content-Encoding', 'identity'],
  ['Accept', 'text/csv'],
  ['Accept', '*/*;q=0'],
  ['Accept', ',;q=,'],
  ['Accept-Language', 'x'.repeat(500)],
  ['Idempotency-Key', ''],
  ['Idempotency-Key', '"a"'],
  ['Idempotency-Key', 'x'.repeat(256)],
  ['Idempotency-Key', 'ñ'],
  ['Merchant-Key', 'mk_other'],
  ['Provider-Key', 'pk_b'],
  ['Message-Date', '0'],
  ['Message-Hash', '0'.repeat(64)],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['Expect', '100-continue'],
  ['Range', 'bytes=0-1'],
  ['If-None-Match', '*'],
  ['X-Forwarded-For', '::1'],
)

export const oddPart = fc.oneof(
  fc.constantFrom(
    '..',
    '.',
    '%2e%2e',
    '%00',
    '%',
    '%zz',
    '%C0%AF',
    '%2F',
    ';a=b',
    '0',
    '-1',
    '9'.repeat(300),
    'x'.repeat(3000),
  ),
  fc.string({ unit: 'binary', maxLength: 20 }).map((text) => encodeURIComponent(text.toWellFormed())),
)

export const oddQuery = fc.oneof(
  fc.constantFrom(
    '?',
    '?&',
    '?%',
    '?limit=0',
    '?limit=-1',
    '?limit=1e3',
    '?limit=1&limit=2',
    '?currency=MXN&currency=MXN',
    '?currency=',
    '?format=xml',
    '?cursor=%00',
    '?cursor=eyJvIjoxfQ',
    '?a=b',
    '?__proto__=1',
    `?cursor=${'A'.repeat(600)}`,
    '?status[]=READY',
    '?limit=%F0%9F',
  ),
  fc
    .tuple(
      fc.constantFrom(
        'status',
        'limit',
        'cursor',
        'currency',
        'from',
        'to',
        'created_from',
        'merchant_order_id',
        'format',
      ),
      fc.string({ unit: 'binary', maxLength: 20 }),
    )
    .map(([name, text]) => `?${name}=${encodeURIComponent(text.toWellFormed())}`),
)
