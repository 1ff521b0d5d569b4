/** The example for nginx, before a real node: what was signed arrives as it was sent. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { sign } from '../../../actors/keys/signature.ts'
import { freePort } from '../../support/free-port.ts'
import { payOutBody, secretOf, startTestNode, type TestNode } from '../../support/node.ts'
import { selfSignedCertificate } from '../../support/self-signed-certificate.ts'

const nginx = ['/usr/sbin/nginx', 'nginx'].find((name) => spawnSync(name, ['-v']).status === 0)
const folder = mkdtempSync(join(tmpdir(), 'ventanilla-nginx-'))
let node: TestNode
let port = 0
let stop = async () => {}

async function startNginx(program: string): Promise<void> {
  const identity = selfSignedCertificate(['pay.example'])
  writeFileSync(join(folder, 'cert.pem'), identity.cert)
  writeFileSync(join(folder, 'key.pem'), identity.key)
  mkdirSync(join(folder, 'tmp'))
  port = await freePort()
  const example = readFileSync(join(import.meta.dirname, '../../../docs/deploy/nginx.conf'), 'utf8')
  const server = example
    .replaceAll('listen 443 ssl http2;', `listen 127.0.0.1:${port} ssl http2;`)
    .replaceAll('listen [::]:443 ssl http2;', '')
    .replaceAll('/etc/ssl/pay.example.pem', join(folder, 'cert.pem'))
    .replaceAll('/etc/ssl/pay.example.key', join(folder, 'key.pem'))
    .replace('http://127.0.0.1:8080', node.publicUrl)
  const own = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/tmp/${name};`)
    .join('\n')
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off;\npid ${folder}/pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${own}\n${server}}\n`,
  )
  const child = spawn(program, ['-p', folder, '-c', join(folder, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let told = ''
  child.stderr.on('data', (chunk: Buffer) => {
    told += chunk
  })
  const ended = once(child, 'exit')
  stop = async () => {
    child.kill('SIGQUIT')
    await ended
  }
  for (;;) {
    assert.is(child.exitCode, null, told)
    const answer = await send('GET', '/healthz').catch(() => null)
    if (answer?.status === 200) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

interface Answer {
  status: number
  text: string
}

function send(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body = '',
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, method, path, headers: { Host: 'pay.example', ...headers } }
    const sent = request({ ...options, rejectUnauthorized: false, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

let messages = 0

function signed(key: string, method: string, path: string, body = '', more = {}): Promise<Answer> {
  messages += 1
  const date = `${Math.floor(node.clock.now() / 1000)}.${String(messages).padStart(6, '0')}`
  const party = key.startsWith('mk') ? 'Merchant-Key' : 'Provider-Key'
  const hash = sign({ key, messageDate: date, method, path, body }, secretOf(key))
  const headers = { [party]: key, 'Message-Date': date, 'Message-Hash': hash, ...more }
  return send(method, path, body === '' ? headers : { ...headers, 'Content-Type': 'application/json' }, body)
}

if (nginx === undefined) console.log('SKIP nginx is not installed (Debian: nginx-light)')
else {
  test.before(async () => {
    node = await startTestNode({ env: { VENTANILLA_HTTP_TRUSTEDPROXIES: '["127.0.0.1"]' } })
    await startNginx(nginx)
  })
  test.after(async () => {
    await stop()
    await node.stop()
    rmSync(folder, { recursive: true, force: true })
    rmSync(node.directory, { recursive: true, force: true })
  })

  const orders = '/api/v1/merchants/orders/pay-out/'

  test('a signed creation and a signed read come through', async () => {
    const created = await signed('mk_shop', 'POST', orders, JSON.stringify(payOutBody()))
    assert.is(created.status, 201, created.text)
    const { id } = JSON.parse(created.text)
    assert.is((await signed('mk_shop', 'GET', `${orders}${id}/`)).status, 200)
    assert.is((await signed('mk_shop', 'GET', `${orders}${id}`)).status, 200)
  })

  test('the signature is of the path as it was sent, whatever stands in it', async () => {
    // 404 is the API's answer behind a right signature; a wrong one is 403.
    for (const path of ['a%2Fb/', 'a%20b/', '%61/', '%C3%A4/', 'a;b/', 'a+b/']) {
      const { status, text } = await signed('mk_shop', 'GET', orders + path)
      assert.is(status, 404, `${path}: ${text}`)
    }
    const wrong = await signed('mk_shop', 'GET', `${orders}%61/`, '', { 'Message-Hash': 'A'.repeat(44) })
    assert.is(wrong.status, 403)
  })

  test('a path with two slashes, dots or a query string is the node’s to judge', async () => {
    const direct = async (path: string) => (await fetch(node.publicUrl + path)).status
    for (const path of ['/api/v1//merchants/orders/pay-out/', '/api/v1/merchants/orders/pay-out/?x=1']) {
      assert.is((await send('GET', path)).status, await direct(path), path)
    }
  })

  test('a body that is too large is refused in the words of the API', async () => {
    const { status, text } = await signed(
      'mk_shop',
      'POST',
      orders,
      JSON.stringify({ x: 'y'.repeat(70_000) }),
    )
    assert.is(status, 413)
    assert.match(text, /client_error/)
  })

  test('what a client says of its own address is not believed', async () => {
    const forged = await signed('mk_shop', 'GET', orders, '', { 'X-Forwarded-For': '203.0.113.7' })
    assert.is(forged.status, 200)
  })
}

test.run()
