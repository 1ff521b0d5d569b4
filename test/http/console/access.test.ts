import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  addOperators,
  ConsoleVisitor,
  dispatchOf,
  onSqlite,
  password,
  tokenOf,
  visitorAs,
} from '../../support/console.ts'
import { startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'

let node: TestNode

test.before(async () => {
  node = await startTestNode(onSqlite())
})

test.after(() => stopTestNode(node))

const stranger = () => new ConsoleVisitor(node.operatorUrl)

test('the first administrator is made with the token of the node, and nobody makes a second one', async () => {
  const token = tokenOf(node)
  const visitor = stranger()
  assert.match((await visitor.get('/sign-in')).text, /first administrator/)
  const fields = { name: 'First', password }
  const guessed = await visitor.post('/first-administrator', { ...fields, node_token: `${token}x` })
  assert.is(guessed.status, 401)
  assert.is(visitor.cookie, null)
  const weak = await visitor.post('/first-administrator', { ...fields, password: 'short', node_token: token })
  assert.is(weak.status, 400)
  const made = await visitor.post('/first-administrator', { ...fields, node_token: token })
  assert.equal([made.status, made.headers.get('location')], [303, '/'])
  assert.match((await visitor.get('/')).text, />first<\/a> <small>administrator/)
  const second = await stranger().post('/first-administrator', { ...fields, name: 'eva', node_token: token })
  assert.is(second.status, 409)
  const { entries } = (await dispatchOf(node)('audit.list', {}, 'test')) as { entries: object[] }
  const addition = entries.find((entry) => JSON.stringify(entry).includes('operator.add'))
  assert.match(JSON.stringify(addition), /"password":"\*\*\*"/)
  await addOperators(node)
})

test('nothing is shown or done without a session', async () => {
  const visitor = stranger()
  for (const path of [
    '/',
    '/orders?status=READY',
    '/list.csv?page=%2Forders&list=orders',
    '/audit',
    '/settings',
  ]) {
    const { status, headers, text } = await visitor.get(path)
    assert.equal([status, headers.get('location')], [302, `/sign-in?to=${encodeURIComponent(path)}`])
    assert.not.match(text, /Shop/)
  }
  const form = await visitor.post('/party/freeze', { name: 'Shop', kind: 'merchant', reason: 'x' })
  assert.is(form.status, 401)
  const { merchants } = (await dispatchOf(node)('merchant.list', {}, 'test')) as {
    merchants: { frozen: unknown }[]
  }
  assert.ok(merchants.every(({ frozen }) => frozen === null))
})

test('a session is a cookie that scripts and other sites do not get', async () => {
  const visitor = stranger()
  const { status, headers } = await visitor.signIn('viewer')
  assert.is(status, 303)
  const [cookie = '', mark = ''] = headers.getSetCookie()
  assert.match(cookie, /^ventanilla_session_\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/)
  assert.match(
    mark,
    /^ventanilla_browser_\d+=v1\.[\w-]+; Path=\/sign-in; Max-Age=7776000; HttpOnly; SameSite=Strict$/,
  )
  const behindProxy = await stranger().post(
    '/sign-in',
    { name: 'viewer', password },
    { 'X-Forwarded-Proto': 'https' },
  )
  for (const set of behindProxy.headers.getSetCookie()) assert.match(set, /; Secure$/)
})

test('signing in leads to where one wanted to go, and never to another site', async () => {
  const cases = [
    ['/orders?status=READY', '/orders?status=READY'],
    ['https://evil.example/', '/'],
    ['//evil.example/', '/'],
    ['/\\evil.example/', '/'],
    ['/a\r\nSet-Cookie: x=y', '/'],
  ]
  for (const [to = '', expected] of cases) {
    const { headers } = await stranger().post('/sign-in', { name: 'operator', password, to })
    assert.is(headers.get('location'), expected)
  }
})

test('a session is made anew by signing in: one that was brought along is none', async () => {
  const visitor = stranger()
  const port = new URL(node.operatorUrl).port
  const brought = `ventanilla_session_${port}=${'a'.repeat(43)}`
  visitor.cookie = brought
  assert.is((await visitor.get('/')).status, 302)
  await visitor.signIn('viewer')
  assert.is.not(visitor.cookie, brought)
  const before = visitor.cookie
  await visitor.signIn('viewer')
  visitor.cookie = before
  assert.is((await visitor.get('/')).status, 302, 'and signing in again ends the one before')
})

test('signing out ends the session for whoever kept the cookie', async () => {
  const visitor = await visitorAs(node, 'viewer')
  const kept = visitor.cookie
  const out = await visitor.post('/sign-out', {})
  assert.equal([out.status, out.headers.get('location'), visitor.cookie], [303, '/sign-in?done=out', null])
  visitor.cookie = kept
  assert.is((await visitor.get('/')).status, 302)
})

test('signing out everywhere ends the sessions in other browsers, too', async () => {
  const [one, other] = [await visitorAs(node, 'operator'), await visitorAs(node, 'operator')]
  await one.post('/account/sign-out-everywhere', {})
  assert.is((await other.get('/')).status, 302)
})

test('a form without the session’s own token does nothing', async () => {
  const visitor = await visitorAs(node, 'administrator')
  const other = await visitorAs(node, 'operator')
  for (const form_token of ['', 'x', other.formToken]) {
    const { status } = await visitor.post('/party/freeze', {
      form_token,
      name: 'Other Shop',
      kind: 'merchant',
      reason: 'x',
    })
    assert.is(status, 403)
  }
  const json = await visitor.post('/sign-out', {}, { 'Content-Type': 'text/plain' })
  assert.is(json.status, 415)
  const shown = await visitor.get('/merchants/Other%20Shop')
  assert.not.match(shown.text, /Frozen since/)
})

test('another site cannot use a session, whatever it sends', async () => {
  const visitor = await visitorAs(node, 'administrator')
  const strange: Record<string, string>[] = [
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
  ]
  for (const headers of strange) {
    const form = { name: 'Other Shop', kind: 'merchant', reason: 'x', form_token: visitor.formToken }
    assert.is((await visitor.post('/party/freeze', form, headers)).status, 403, JSON.stringify(headers))
  }
  assert.is((await visitor.get('/', { 'Sec-Fetch-Site': 'cross-site' })).status, 403)
  const { headers } = await visitor.get('/orders')
  assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
  assert.not.match(headers.get('content-security-policy') ?? '', /unsafe|http/)
  assert.is(headers.get('cache-control'), 'no-store')
  assert.is(headers.get('x-content-type-options'), 'nosniff')
})

test('each role sees its own pages and is refused the others', async () => {
  const rooms = ['/audit', '/operators', '/settings']
  const expected = { viewer: [403, 403, 403], operator: [200, 403, 403], administrator: [200, 200, 200] }
  for (const [role, statuses] of Object.entries(expected)) {
    const visitor = await visitorAs(node, role)
    const first = visitor.page
    const seen: number[] = []
    for (const path of rooms) seen.push((await visitor.get(path)).status)
    assert.equal(seen, statuses, role)
    const shown = rooms.map((path) => first.includes(`href="${path}"`))
    assert.equal(
      shown,
      statuses.map((status) => status === 200),
      `the navigation of a ${role}`,
    )
  }
})

test('a viewer is offered no form, and a form sent all the same does nothing', async () => {
  const visitor = await visitorAs(node, 'viewer')
  const merchant = await visitor.get('/merchants/Shop')
  assert.not.match(merchant.text, /action="\/(party|key|deposit|webhook|order)\//)
  const sent = await visitor.post('/party/freeze', {
    name: 'Shop',
    kind: 'merchant',
    reason: 'x',
    form_page: '/',
  })
  assert.is(sent.status, 403)
  assert.match(sent.text, /party\.freeze is for operators, and viewer is a viewer/)
  assert.not.match((await visitor.get('/merchants/Shop')).text, /Frozen since/)
})

test('the operator API knows a session and its role, if the form’s token comes along', async () => {
  const visitor = await visitorAs(node, 'operator')
  const ask = async (name: string, input: object, headers: Record<string, string>) => {
    const response = await fetch(`${node.operatorUrl}/api/operations/${name}`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Cookie: visitor.cookie ?? '',
        'Operator-Name': 'somebody else',
        ...headers,
      },
      body: JSON.stringify(input),
    })
    return { status: response.status, text: await response.text() }
  }
  const own = { 'Form-Token': visitor.formToken }
  assert.is((await ask('order.list', {}, {})).status, 401)
  assert.is((await ask('order.list', {}, own)).status, 200)
  assert.is((await ask('party.freeze', { name: 'Network B', reason: 'test' }, own)).status, 200)
  const { text } = await ask('audit.list', { operation: 'party.freeze' }, own)
  assert.match(text, /"operator":"operator"/, 'who is signed in did it, whatever the header says')
  assert.is((await ask('party.unfreeze', { name: 'Network B', reason: 'test' }, own)).status, 403)
  assert.is((await ask('key.rotate', { party: 'Shop' }, own)).status, 403)
})

test('a page left open does not keep its session alive, and what somebody asks for does', async () => {
  const [left, used] = [await visitorAs(node, 'viewer'), await visitorAs(node, 'viewer')]
  for (let minutes = 0; minutes < 40; minutes += 10) {
    node.clock.advance(600_000)
    await left.get('/', { 'Live-Refresh': '1' })
    assert.is((await used.get('/')).status, 200)
  }
  assert.is((await left.get('/', { 'Live-Refresh': '1' })).status, 401)
})

test('who guesses passwords has to wait: for one name, and from one address', async () => {
  node.clock.advance(300_000)
  const visitor = stranger()
  for (let attempt = 0; attempt < 10; attempt++) {
    assert.is((await visitor.signIn('viewer', 'wrong password')).status, 401)
  }
  const refused = await visitor.signIn('VIEWER')
  assert.equal([refused.status, refused.headers.get('retry-after')], [429, '300'], 'the right one waits, too')
  assert.match(refused.text, /Try again in 5 minutes/)
  for (let attempt = 0; attempt < 10; attempt++) await visitor.signIn('operator', 'wrong password')
  for (let attempt = 0; attempt < 9; attempt++) await visitor.signIn('administrator', 'wrong password')
  assert.is((await visitor.signIn('administrator')).status, 429, 'thirty came from this address')
  node.clock.advance(300_000)
  assert.is((await visitor.signIn('viewer')).status, 303)
})

test('a wrong name and a wrong password are told alike, and nothing of them comes back', async () => {
  const visitor = stranger()
  const wrong = await visitor.signIn('viewer', 'not the password')
  const unknown = await visitor.signIn('nobody at all', 'not the password')
  const plain = (text: string) => text.replace(/value="[^"]*"/g, '')
  assert.is(plain(wrong.text), plain(unknown.text))
  assert.not.match(wrong.text, /not the password/)
})

test.run()
