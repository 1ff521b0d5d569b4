/**
 * Real nodes behind nginx, Caddy and HAProxy, each as its example in docs/deploy has it: signatures over HTTP/1.1 and
 * HTTP/2, the console under a name of its own, and requests that two programs could read in two ways.
 * `PROXIES_TABLE=1` prints what each answers to those.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { connect as connectHttp2 } from 'node:http2'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { sign } from '../../actors/keys/signature.ts'
import { payOutBody, secretOf, startTestNode, type TestNode } from '../support/node.ts'
import { hasProxy, proxyNames, type RunningProxy, startProxy } from './proxy-programs.ts'

const folder = mkdtempSync(join(tmpdir(), 'ventanilla-proxies-'))
const orders = '/api/v1/merchants/orders/pay-out/'
const nodes: TestNode[] = []

test.before(async () => {
  const env = {
    VENTANILLA_HTTP_TRUSTEDPROXIES: '["127.0.0.1"]',
    VENTANILLA_OPERATOR_PUBLICURL: 'https://console.pay.example',
  }
  for (let count = 0; count < 3; count++) nodes.push(await startTestNode({ env }))
})
test.after(async () => {
  for (const node of nodes) {
    await node.stop()
    rmSync(node.directory, { recursive: true, force: true })
  }
  rmSync(folder, { recursive: true, force: true })
})

interface Answer {
  status: number
  text: string
}

type Headers = Record<string, string>

function send(port: number, method: string, path: string, headers: Headers = {}, body = ''): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port,
      method,
      path,
      servername: 'pay.example',
      agent: false as const,
    }
    const sent = request(
      { ...options, headers: { Host: 'pay.example', ...headers }, rejectUnauthorized: false },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk) => {
          text += chunk
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

function sendHttp2(port: number, method: string, path: string, headers: Headers, body = ''): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const session = connectHttp2(`https://127.0.0.1:${port}`, {
      rejectUnauthorized: false,
      servername: 'pay.example',
    })
    session.on('error', reject)
    const stream = session.request({
      ':method': method,
      ':path': path,
      ':authority': 'pay.example',
      ...headers,
    })
    let status = 0
    let text = ''
    stream.setEncoding('utf8')
    stream.on('response', (found) => {
      status = Number(found[':status'])
    })
    stream.on('data', (chunk) => {
      text += chunk
    })
    stream.on('error', reject)
    stream.on('end', () => {
      session.close()
      resolve({ status, text })
    })
    if (body !== '') stream.end(body)
  })
}

let messages = 0

function signature(key: string, method: string, path: string, body = ''): Headers {
  messages += 1
  const [node] = nodes
  const date = `${Math.floor((node?.clock.now() ?? 0) / 1000)}.${String(messages).padStart(6, '0')}`
  const hash = sign({ key, messageDate: date, method, path, body }, secretOf(key))
  const headers: Headers = { 'Merchant-Key': key, 'Message-Date': date, 'Message-Hash': hash }
  return body === '' ? headers : { ...headers, 'Content-Type': 'application/json' }
}

/** Bytes as they are, and all that comes back until it is quiet. */
function raw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({
      host: '127.0.0.1',
      port,
      servername: 'pay.example',
      rejectUnauthorized: false,
      ALPNProtocols: ['http/1.1'],
    })
    let text = ''
    const end = () => {
      socket.destroy()
      resolve(text)
    }
    socket.setTimeout(1_500, end)
    socket.on('secureConnect', () => socket.write(Buffer.from(bytes, 'latin1')))
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
    })
    socket.on('error', end)
    socket.on('close', end)
  })
}

const host = 'Host: pay.example\r\n'
const smuggled = `GET /smuggled HTTP/1.1\r\n${host}X: `
const post = `POST ${orders} HTTP/1.1\r\n${host}`
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

/** What two programs in a row could take for one request and for two; nothing of it may reach who comes next. */
const ambiguous: readonly (readonly [name: string, bytes: string])[] = [
  [
    'a length, and chunks',
    `${post}Content-Length: ${5 + smuggled.length}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
  ],
  [
    'chunks, and a length',
    `${post}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n${chunk(smuggled)}0\r\n\r\n`,
  ],
  ['two lengths', `${post}Content-Length: 0\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`],
  ['the same length twice', `${post}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`],
  ['two lengths in a line', `${post}Content-Length: 0, ${smuggled.length}\r\n\r\n${smuggled}`],
  ['a length with a sign', `${post}Content-Length: +${smuggled.length}\r\n\r\n${smuggled}`],
  ['a length that is negative', `${post}Content-Length: -1\r\n\r\n${smuggled}`],
  [
    'an encoding that nobody knows',
    `${post}Transfer-Encoding: xchunked\r\nContent-Length: 0\r\n\r\n${smuggled}`,
  ],
  ['chunked and then another', `${post}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${smuggled}`],
  [
    'chunked twice',
    `${post}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
  ],
  [
    'a blank before the colon',
    `${post}Transfer-Encoding : chunked\r\nContent-Length: ${5 + smuggled.length}\r\n\r\n0\r\n\r\n${smuggled}`,
  ],
  [
    'a vertical tab',
    `${post}Transfer-Encoding:\x0bchunked\r\nContent-Length: ${5 + smuggled.length}\r\n\r\n0\r\n\r\n${smuggled}`,
  ],
  [
    'a folded header',
    `${post}Transfer-Encoding:\r\n chunked\r\nContent-Length: ${5 + smuggled.length}\r\n\r\n0\r\n\r\n${smuggled}`,
  ],
  ['lines that end without CR', `${post}Content-Length: 0\n\n${smuggled}`],
  ['a CR alone in a value', `${post}X: a\rContent-Length: 5\r\nContent-Length: 0\r\n\r\n${smuggled}`],
  ['a NUL in a value', `${post}X: a\0b\r\nContent-Length: 0\r\n\r\n${smuggled}`],
  [
    'a chunk that is too long to count',
    `${post}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff1\r\n${smuggled}`,
  ],
  ['a chunk with an extension', `${post}Transfer-Encoding: chunked\r\n\r\n0;a=\n\r\n\r\n${smuggled}`],
  ['a chunk that ends without CR', `${post}Transfer-Encoding: chunked\r\n\r\n2\n{}\n0\n\n${smuggled}`],
  ['a body of GET', `GET /healthz HTTP/1.1\r\n${host}Content-Length: ${smuggled.length}\r\n\r\n${smuggled}`],
  [
    'chunks of HTTP/1.0',
    `POST ${orders} HTTP/1.0\r\n${host}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
  ],
  ['two hosts', `GET /healthz HTTP/1.1\r\n${host}Host: console.pay.example\r\n\r\n`],
  ['another host in the target', `GET https://console.pay.example/healthz HTTP/1.1\r\n${host}\r\n`],
  [
    'an upgrade to HTTP/2',
    `GET /healthz HTTP/1.1\r\n${host}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n${smuggled}`,
  ],
  [
    'a body that is awaited',
    `${post}Expect: 100-continue\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`,
  ],
  [
    'a connection that names a header',
    `${post}Connection: Content-Length\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`,
  ],
]

const statuses = (text: string) =>
  [...text.matchAll(/HTTP\/1\.[01] (\d{3})/g)].map(([, status]) => status).join(' ')

for (const name of proxyNames.filter(hasProxy)) {
  let proxy: RunningProxy

  test(`${name} starts with its example`, async () => {
    const [node] = nodes
    assert.ok(node)
    const all = name === 'haproxy' ? nodes : [node]
    proxy = await startProxy(name, join(folder, name), {
      nodes: all.map(({ publicUrl }) => new URL(publicUrl)),
      console: new URL(node.operatorUrl),
    })
    while ((await send(proxy.port, 'GET', '/healthz')).status !== 200)
      await new Promise((resolve) => setTimeout(resolve, 100))
  })

  for (const [protocol, ask] of [
    ['HTTP/1.1', send],
    ['HTTP/2', sendHttp2],
  ] as const) {
    test(`${name}: what was signed arrives as it was sent over ${protocol}`, async () => {
      const body = JSON.stringify(payOutBody())
      const created = await ask(proxy.port, 'POST', orders, signature('mk_shop', 'POST', orders, body), body)
      assert.is(created.status, 201, created.text)
      // 404 is the API's answer behind a right signature; a wrong one is 403.
      for (const path of ['a%2Fb/', 'a%20b/', '%61/', '%C3%A4/', 'a;b/', 'a+b/', '%2e%2e/']) {
        const whole = orders + path
        const { status, text } = await ask(proxy.port, 'GET', whole, signature('mk_shop', 'GET', whole))
        assert.is(status, 404, `${path}: ${text}`)
      }
      const wrong = { ...signature('mk_shop', 'GET', `${orders}%61/`), 'Message-Hash': 'A'.repeat(44) }
      assert.is((await ask(proxy.port, 'GET', `${orders}%61/`, wrong)).status, 403)
    })
  }

  test(`${name}: the console is under a name of its own, and nowhere else`, async () => {
    const there = await send(proxy.port, 'GET', '/sign-in', { Host: 'console.pay.example' })
    assert.is(there.status, 200, there.text)
    assert.match(there.text, /<form[^>]+method="post"/)
    assert.is((await send(proxy.port, 'GET', '/sign-in')).status, 404)
    assert.is.not((await send(proxy.port, 'GET', '/metrics')).status, 200)
  })

  for (const [title, bytes] of ambiguous) {
    test(`${name}: ${title}: nobody gets an answer that is not theirs`, async () => {
      const told = await raw(proxy.port, bytes)
      if (process.env.PROXIES_TABLE) console.log(`# ${name} | ${title} | ${statuses(told) || 'closed'}`)
      assert.not.match(told, /<form/)
      for (let next = 0; next < 6; next++) {
        const answer = await send(proxy.port, 'GET', '/healthz')
        assert.is(answer.status, 200, answer.text)
      }
    })
  }

  if (name === 'haproxy') {
    test('haproxy: three nodes, and one that stops is not missed', async () => {
      const [, , last] = nodes
      let isOver = false
      const answers: number[] = []
      const asking = (async () => {
        while (!isOver) answers.push((await send(proxy.port, 'GET', '/healthz')).status)
      })()
      await last?.stop()
      nodes.pop()
      await new Promise((resolve) => setTimeout(resolve, 3_000))
      isOver = true
      await asking
      assert.ok(answers.length > 20, `${answers.length} answers`)
      assert.equal([...new Set(answers.slice(-20))], [200])
    })
  }

  test(`${name} ends`, () => proxy.stop())
}

test.run()
