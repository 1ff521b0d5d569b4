import { request } from 'node:http'
import { TOTP } from 'otpauth'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { addOperator, ConsoleVisitor, password } from '../../support/console.ts'
import { startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'

let node: TestNode

test.before(async () => {
  node = await startTestNode()
})

test.after(() => stopTestNode(node))

/** From an address of this host's own. */
function postFrom(
  localAddress: string,
  path: string,
  fields: Record<string, string>,
  more: Record<string, string> = {},
): Promise<number> {
  const { port } = new URL(node.operatorUrl)
  const origin = `http://127.0.0.1:${port}`
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: origin, ...more }
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, path, method: 'POST', localAddress, headers },
      (answer) => {
        answer.resume()
        resolve(answer.statusCode ?? 0)
      },
    )
    sent.on('error', reject)
    sent.end(new URLSearchParams(fields).toString())
  })
}

test('who tries links without end keeps nobody else from opening theirs', async () => {
  const link = { invitation: 'x'.repeat(43), password: 'a password that nobody has' }
  const ofOne: number[] = []
  for (let attempt = 0; attempt < 31; attempt++) ofOne.push(await postFrom('127.0.0.1', '/join', link))
  assert.equal(ofOne, [...Array.from({ length: 30 }, () => 410), 429])
  assert.is(await postFrom('127.0.0.2', '/join', link), 410)
})

test('a stranger who tries a name without end keeps nobody from proving a factor whose password was right', async () => {
  await addOperator(node, 'ana', 'administrator')
  const visitor = new ConsoleVisitor(node.operatorUrl)
  node.clock.advance(300_000)
  await visitor.signIn('ana')
  await visitor.get('/account/authenticator')
  const [secret = ''] = /\b[A-Z2-7]{32}\b/.exec(visitor.page) ?? []
  const code = () => new TOTP({ secret }).generate({ timestamp: node.clock.now() })
  assert.is((await visitor.post('/account/authenticator', { code: code() })).status, 200)
  node.clock.advance(30_000)
  await visitor.signIn('ana')
  const guess = { name: 'ana', password: 'a password that nobody has' }
  for (let attempt = 0; attempt < 31; attempt++) await postFrom('127.0.0.1', '/sign-in', guess)
  assert.is(await postFrom('127.0.0.2', '/sign-in', guess), 429)
  await visitor.get('/sign-in/factor')
  assert.is((await visitor.post('/sign-in/factor', { code: code(), to: '/' })).status, 303)
})

test('whoever has a session guesses the password of its person no faster than at the sign-in', async () => {
  await addOperator(node, 'ben', 'viewer')
  node.clock.advance(300_000)
  const visitor = new ConsoleVisitor(node.operatorUrl)
  await visitor.signIn('ben')
  await visitor.get('/account')
  const change = (guess: string) =>
    visitor.post('/operator/password', { password: guess, newPassword: 'another password of ben' })
  const guesses: number[] = []
  for (let attempt = 0; attempt < 10; attempt++) guesses.push((await change(`guess ${attempt} of it`)).status)
  assert.equal([...new Set(guesses)], [422])
  const { status, text } = await change(password)
  assert.is(status, 429)
  assert.match(text, /again in/)
  const asked = await fetch(`${node.operatorUrl}/api/operations/operator.password`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Cookie: visitor.cookie ?? '',
      'Form-Token': visitor.formToken,
    },
    body: JSON.stringify({ password, newPassword: 'another password of ben' }),
  })
  assert.equal([asked.status, asked.headers.has('retry-after')], [429, true], 'nor by the operator API')
  node.clock.advance(300_000)
  await visitor.signIn('ben')
  await visitor.get('/account')
  assert.is((await change(password)).status, 303)
})

test('a stranger who tries a name, from the same address, too, keeps nobody out whose browser has been in', async () => {
  for (const name of ['carla', 'dora']) await addOperator(node, name, 'administrator')
  node.clock.advance(300_000)
  const visitor = new ConsoleVisitor(node.operatorUrl)
  assert.is((await visitor.signIn('carla')).status, 303)
  const guess = { name: 'carla', password: 'a password that nobody has' }
  for (let attempt = 0; attempt < 31; attempt++) await postFrom('127.0.0.1', '/sign-in', guess)
  assert.is((await new ConsoleVisitor(node.operatorUrl).signIn('carla')).status, 429)
  assert.is((await visitor.signIn('carla')).status, 303)
  const stolen = new ConsoleVisitor(node.operatorUrl)
  stolen.browser = visitor.browser
  assert.is((await stolen.signIn('dora')).status, 429, 'it is a mark of one name')
  stolen.browser = `${visitor.browser}x`
  assert.is((await stolen.signIn('carla')).status, 429, 'and nothing that can be made up')
  const tries: number[] = []
  // One of the ten was the visitor's own.
  for (let attempt = 0; attempt < 10; attempt++)
    tries.push((await visitor.signIn('carla', guess.password)).status)
  assert.equal([tries.at(-2), tries.at(-1)], [401, 429], 'whoever has the mark guesses no faster')
})

test('a name is the same one however it is spelled, and an address whatever a header says', async () => {
  await addOperator(node, 'eva', 'viewer')
  node.clock.advance(300_000)
  const guess = (name: string) => ({ name, password: 'a password that nobody has' })
  const spelled = [
    'eva',
    ' eva',
    'eva ',
    'EVA',
    '\teva',
    'eva\n',
    `${' '.repeat(70)}eva`,
    'Eva',
    'eVa',
    '  eva',
  ]
  const statuses: number[] = []
  for (const [index, name] of spelled.entries())
    statuses.push(await postFrom(`127.0.0.${10 + index}`, '/sign-in', guess(name)))
  assert.equal([...new Set(statuses)], [401])
  assert.is(await postFrom('127.0.0.30', '/sign-in', guess(' eva  ')), 429)
  const forwarded: number[] = []
  for (let attempt = 0; attempt < 31; attempt++) {
    const headers = { 'X-Forwarded-For': `192.0.2.${attempt}`, Forwarded: `for=192.0.2.${attempt}` }
    // Of somebody, whose password is hashed for nothing.
    await addOperator(node, `some-${attempt}`, 'viewer')
    forwarded.push(await postFrom('127.0.0.31', '/sign-in', guess(`some-${attempt}`), headers))
  }
  assert.equal([forwarded.at(-2), forwarded.at(-1)], [401, 429])
})

test.run()
