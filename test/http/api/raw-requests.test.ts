/** What no client library sends, byte by byte: what the node takes, what it refuses, and how it says so. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { assertSpecifiedShape } from '../../support/answer-shape.ts'
import { payOutBody, signedHeaders, startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'
import { merchantPath, newOrder } from '../../support/orders.ts'
import { exchange } from '../../support/raw-http.ts'

let node: TestNode
let port: string
test.before(async () => {
  node = await startTestNode()
  port = new URL(node.publicUrl).port
})
test.after(() => stopTestNode(node))

const list = merchantPath('PAY_OUT')
const host = 'Host: node\r\n'
const close = 'Connection: close\r\n'
const json = 'Content-Type: application/json\r\n'

function signed(method: string, path: string, body = '', as = 'mk_shop'): string {
  const headers = signedHeaders(as, node.clock.now() / 1000, method, path, body)
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
}

const get =
  (target: string, headers = '', version = '1.1') =>
  () =>
    `GET ${target} HTTP/${version}\r\n${host}${close}${headers}\r\n`
const post =
  (headers: string, body = '') =>
  () =>
    `POST ${list} HTTP/1.1\r\n${host}${close}${headers}\r\n${body}`

/** Each is answered with this status, once, in the specified shape. */
const rows: [name: string, bytes: () => string, status: number][] = [
  // How the target may be written.
  ['absolute form', () => get(`http://else.where${list}`, signed('GET', list))(), 200],
  ['absolute form without a path', get('http://else.where'), 404],
  ['another scheme', get(`ftp://else.where${list}`), 404],
  ['two slashes', () => get(`/${list}`, signed('GET', `/${list}`))(), 404],
  ['two slashes at the end', () => get(`${list}/`, signed('GET', `${list}/`))(), 404],
  ['an encoded slash', get(list.replace('/v1/', '%2Fv1/')), 404],
  ['an encoded letter', () => get(list.replace('orders', 'orde%72s'))(), 404],
  ['capital letters', get(list.toUpperCase()), 404],
  ['dots', () => get(`/api/v1/x/..${list.slice(7)}`)(), 404],
  ['encoded dots', get(`/api/v1/x/%2e%2e${list.slice(7)}`), 404],
  ['a backslash', get(list.replaceAll('/', '\\')), 400],
  ['a percent sign alone', get('/api/v1/%'), 404],
  ['overlong UTF-8', get('/api/v1/%C0%AF'), 404],
  ['bytes beyond ASCII', get('/api/v1/pag\xf1/'), 400],
  ['a fragment', () => get(`${list}#top`, signed('GET', list))(), 404],
  ['a semicolon', get(`${list};jsessionid=1`), 403],
  ['an asterisk', () => `OPTIONS * HTTP/1.1\r\n${host}${close}\r\n`, 404],
  ['a very long target', get(`/${'a'.repeat(20_000)}`), 431],
  // Methods and versions.
  ['CONNECT', () => `CONNECT node:443 HTTP/1.1\r\n${host}\r\n`, 405],
  ['a small method', () => `get ${list} HTTP/1.1\r\n${host}\r\n`, 400],
  ['TRACE', () => `TRACE ${list} HTTP/1.1\r\n${host}${close}${signed('TRACE', list)}\r\n`, 405],
  ['HTTP/1.0', () => `GET ${list} HTTP/1.0\r\n${signed('GET', list)}\r\n`, 200],
  ['HTTP/0.9', () => `GET ${list}\r\n\r\n`, 400],
  ['the preface of HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['a TLS hello', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
  ['empty lines before', () => `\r\n\r\n${get('/healthz')()}`, 200],
  // Headers.
  ['no Host', () => `GET ${list} HTTP/1.1\r\n${close}\r\n`, 400],
  ['two Hosts', () => `GET ${list} HTTP/1.1\r\n${host}${host}${close}\r\n`, 400],
  ['a blank before the colon', get(list, 'Merchant-Key : mk_shop\r\n'), 400],
  ['a folded line', get(list, 'X-A: a\r\n b\r\n'), 400],
  ['a NUL', get(list, 'X-A: a\0b\r\n'), 400],
  ['a lone line feed', () => `GET ${list} HTTP/1.1\n${host}\n`, 400],
  ['a header of 20 KB', get(list, `X-A: ${'a'.repeat(20_000)}\r\n`), 431],
  ['four thousand headers', get(list, 'A: b\r\n'.repeat(4000)), 431],
  ['an upgrade', () => get(list, `Upgrade: h2c\r\n${signed('GET', list)}`)(), 200],
  ['an unknown expectation', post('Expect: a miracle\r\nContent-Length: 0\r\n'), 417],
  [
    'two different Content-Types',
    () =>
      post(`${json}Content-Type: text/plain\r\nContent-Length: 2\r\n${signed('POST', list, '{}')}`, '{}')(),
    415,
  ],
  [
    'two equal Content-Types',
    () => post(`${json}${json}Content-Length: 2\r\n${signed('POST', list, '{}')}`, '{}')(),
    415,
  ],
  ['two Message-Hashes', () => get(list, `${signed('GET', list)}Message-Hash: ${'0'.repeat(64)}\r\n`)(), 403],
  // Bodies, and where they end.
  ['both lengths', post('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'), 400],
  ['two lengths', post('Content-Length: 2\r\nContent-Length: 3\r\n', '{}'), 400],
  ['the same length twice', post('Content-Length: 2\r\nContent-Length: 2\r\n', '{}'), 400],
  ['a list of lengths', post('Content-Length: 2, 2\r\n', '{}'), 400],
  ['a negative length', post('Content-Length: -2\r\n', '{}'), 400],
  ['a length with a plus', post('Content-Length: +2\r\n', '{}'), 400],
  ['a length of 23 digits', post(`Content-Length: ${'9'.repeat(23)}\r\n`, '{}'), 400],
  ['ten gigabytes announced', post('Content-Length: 9999999999\r\n', '{}'), 413],
  ['an unknown transfer coding', post('Transfer-Encoding: xchunked\r\n', '0\r\n\r\n'), 400],
  ['chunked before another coding', post('Transfer-Encoding: chunked, identity\r\n', '0\r\n\r\n'), 400],
  ['a bad chunk', post('Transfer-Encoding: chunked\r\n', 'zz\r\n'), 400],
  ['a chunk without end', post('Transfer-Encoding: chunked\r\n', `1\n{\n0\n\n`), 400],
  ['an endless chunk size', post('Transfer-Encoding: chunked\r\n', `${'f'.repeat(40)}\r\n`), 400],
  [
    'chunks of 70 KB together',
    post('Transfer-Encoding: chunked\r\n', `${`1000\r\n${'a'.repeat(4096)}\r\n`.repeat(17)}0\r\n\r\n`),
    413,
  ],
  [
    'a signed body in chunks',
    () =>
      post(
        `${json}Transfer-Encoding: chunked\r\n${signed('POST', list, '{}')}`,
        '1;a=b\r\n{\r\n1\r\n}\r\n0\r\nX: y\r\n\r\n',
      )(),
    400,
  ],
  [
    'a body after Expect',
    () => post(`${json}Expect: 100-continue\r\nContent-Length: 2\r\n${signed('POST', list, '{}')}`, '{}')(),
    400,
  ],
]
for (const [name, bytes, status] of rows)
  test(`${name}: ${status}`, async () => {
    const answers = await exchange(port, Buffer.from(bytes(), 'latin1'))
    assert.equal(
      answers.map((answer) => answer.status),
      [status],
    )
    const [answer] = answers
    if (answer && answer.text !== '{"status":"ok"}')
      assertSpecifiedShape({ status, contentType: answer.headers['content-type'], text: answer.text })
  })

test('a body in chunks and one after Expect are read as signed', async () => {
  const body = JSON.stringify(payOutBody())
  const headers = `${json}Expect: 100-continue\r\nTransfer-Encoding: chunked\r\n${signed('POST', list, body)}`
  const chunks = [...body].map((character) => `1\r\n${character}\r\n`).join('')
  const [answer] = await exchange(port, post(headers, `${chunks}0\r\n\r\n`)())
  assert.is(answer?.status, 201, answer?.text)
})

test('HEAD is answered like GET, without its body, and signed as HEAD', async () => {
  const { id } = await newOrder(node, 'PAY_IN')
  const path = merchantPath('PAY_IN', id)
  const whole = await node.request({ as: 'mk_shop', path })
  const head = `HEAD ${path} HTTP/1.1\r\n${host}${close}${signed('HEAD', path)}\r\n`
  const [answer] = await exchange(port, head, { isHead: true })
  assert.is(answer?.status, 200)
  assert.is(answer?.headers['content-length'], String(Buffer.byteLength(whole.text)))
  const asGet = `HEAD ${path} HTTP/1.1\r\n${host}${close}${signed('GET', path)}\r\n`
  assert.is((await exchange(port, asGet, { isHead: true }))[0]?.status, 403)
})

test('requests sent without waiting are answered in their order, each by itself', async () => {
  const first = `GET /healthz HTTP/1.1\r\n${host}\r\n`
  const second = `POST ${list} HTTP/1.1\r\n${host}Content-Length: 44\r\n\r\nGET /healthz HTTP/1.1\r\nHost: smuggled\r\n\r\n   `
  const third = `GET ${list} HTTP/1.1\r\n${host}${close}${signed('GET', list)}\r\n`
  const answers = await exchange(port, first + second + third)
  assert.equal(
    answers.map(({ status }) => status),
    [200, 403, 200],
  )
})

test('nothing that follows a body that was too large is taken for a request', async () => {
  const large = `POST ${list} HTTP/1.1\r\n${host}Content-Length: 70000\r\n\r\n${'a'.repeat(70_000)}`
  const answers = await exchange(port, `${large}GET /healthz HTTP/1.1\r\n${host}${close}\r\n`)
  assert.equal(
    answers.map(({ status, headers }) => [status, headers.connection]),
    [[413, 'close']],
  )
})

test('of a name that comes twice in a body the last one counts', async () => {
  const body = JSON.stringify(payOutBody({ merchant_order_id: 'twice' })).replace(
    '{',
    '{"price":"1.00","price":"nonsense",',
  )
  const answer = await node.request({ as: 'mk_shop', path: list, body })
  assert.is(answer.status, 201)
  assert.is(answer.json.price, '1000.00')
})

test('numbers keep every digit, however they are sent', async () => {
  const rows: [price: string, answered: string | number][] = [
    ['49999.999999999999999', 'max_digits'],
    ['1e3', 'invalid'],
    ['1000.10', '1000.10'],
    ['12345678901234567890', 'Value is too high.'],
    ['-0', 'invalid'],
  ]
  for (const [price, answered] of rows) {
    const body = JSON.stringify(payOutBody()).replace('"1000.00"', price)
    const { json: answer } = await node.request({ as: 'mk_shop', path: list, body })
    const [error] = answer.errors ?? []
    assert.ok(
      [answer.price, error?.code, error?.detail].includes(answered),
      `${price}: ${JSON.stringify(error)}`,
    )
  }
})

test.run()
