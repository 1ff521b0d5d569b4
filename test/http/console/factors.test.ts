import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TOTP } from 'otpauth'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { generateMasterKey } from '../../../actors/keys/vault.ts'
import type { Invitation } from '../../../actors/operations/invitations.ts'
import { consolePlace } from '../../../actors/people/passkeys.ts'
import { softwareAuthenticator } from '../../support/authenticator.ts'
import { addOperator, ConsoleVisitor, dispatchOf, password, visitorAs } from '../../support/console.ts'
import { startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'

let node: TestNode
/** In production a password alone lets no administrator in. */
let production: TestNode

test.before(async () => {
  node = await startTestNode()
  await addOperator(node, 'operator', 'operator')
  production = await startProduction()
})

test.after(async () => {
  await stopTestNode(node)
  await stopTestNode(production)
})

function startProduction(): Promise<TestNode> {
  const key = join(mkdtempSync(join(tmpdir(), 'ventanilla-test-')), 'master.key')
  writeFileSync(key, generateMasterKey(), { mode: 0o600 })
  return startTestNode({
    parties: null,
    env: {
      VENTANILLA_MODE: 'production',
      VENTANILLA_WEBHOOKS_ALLOWPRIVATE: 'false',
      VENTANILLA_KEYS_FILE: key,
      VENTANILLA_HTTP_PUBLICURL: 'https://pay.example',
    },
  })
}

const codeOf = ({ clock }: TestNode, secret: string) =>
  new TOTP({ secret }).generate({ timestamp: clock.now() })

const secretOn = (page: string) =>
  /<code[^>]*>([A-Z2-7]{32})</.exec(page)?.[1] ?? /\b[A-Z2-7]{32}\b/.exec(page)?.[0] ?? ''

function optionsOn(page: string): { challenge: string } {
  const written = /data-passkey-options="([^"]*)"/.exec(page)?.[1] ?? '{}'
  return JSON.parse(written.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
}

const placeOf = ({ operatorUrl }: TestNode) => consolePlace(`http://localhost:${new URL(operatorUrl).port}`)

async function withAuthenticator(at: TestNode, name: string) {
  const visitor = new ConsoleVisitor(at.operatorUrl)
  await visitor.signIn(name)
  await visitor.get('/account/authenticator')
  const secret = secretOn(visitor.page)
  const added = await visitor.post('/account/authenticator', { code: codeOf(at, secret) })
  assert.is(added.status, 200, added.text)
  assert.match(added.text, /Your recovery codes/)
  at.clock.advance(30_000)
  const shown = /class="secret"[^>]*>([^<]*)</.exec(added.text)?.[1] ?? ''
  const codes = [...shown.matchAll(/\b[a-z2-9]{4}(?:-[a-z2-9]{4}){3}\b/g)].map(([code]) => code)
  return { visitor, secret, codes }
}

test('who has an authenticator is asked for its code, and led to where they wanted to go', async () => {
  await addOperator(node, 'ana', 'administrator')
  const { secret, codes } = await withAuthenticator(node, 'ana')
  assert.is(codes.length, 10)
  const visitor = new ConsoleVisitor(node.operatorUrl)
  const half = await visitor.post('/sign-in', { name: 'ana', password, to: '/orders?status=READY' })
  assert.equal([half.status, half.headers.get('location')], [303, '/orders?status=READY'])
  for (const path of ['/orders?status=READY', '/account', '/account/authenticator', '/list.csv']) {
    const { status, headers, text } = await visitor.get(path)
    assert.is(status, 302, path)
    assert.match(headers.get('location') ?? '', /^\/sign-in(\/factor)?\?to=/, path)
    assert.not.match(text, /Shop/)
  }
  const asked = await visitor.get('/sign-in/factor?to=%2Forders')
  assert.match(asked.text, /Enter the code of your authenticator/)
  assert.not.match(asked.text, /class="rooms"|name="q"/)
  const wrong = await visitor.post('/sign-in/factor', { code: '000000', to: '/orders' })
  assert.is(wrong.status, 401)
  assert.match(wrong.text, /This code is not right now/)
  const before = visitor.cookie
  const proved = await visitor.post('/sign-in/factor', { code: codeOf(node, secret), to: '/orders' })
  assert.equal([proved.status, proved.headers.get('location')], [303, '/orders'])
  assert.is.not(visitor.cookie, before)
  assert.is((await visitor.get('/orders')).status, 200)
  visitor.cookie = before
  assert.is((await visitor.get('/orders')).status, 302, 'the cookie from before opens nothing')
})

test('half a sign-in changes nothing, whatever it sends: no form, no operation, no inspector', async () => {
  const visitor = new ConsoleVisitor(node.operatorUrl)
  await visitor.signIn('ana')
  await visitor.get('/sign-in/factor')
  const form = await visitor.post('/party/freeze', { name: 'Shop', kind: 'merchant', reason: 'x' })
  assert.equal([form.status, form.headers.get('location')], [303, '/sign-in/factor?to=%2F'])
  const asked = await fetch(`${node.operatorUrl}/api/operations/party.freeze`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Cookie: visitor.cookie ?? '',
      'Form-Token': visitor.formToken,
    },
    body: JSON.stringify({ name: 'Shop', reason: 'x' }),
  })
  assert.is(asked.status, 401)
  const { merchants } = (await dispatchOf(node)('merchant.list', {}, 'test')) as {
    merchants: { frozen: unknown }[]
  }
  assert.ok(merchants.every(({ frozen }) => frozen === null))
  const stranger = await visitor.post('/sign-in/factor', { code: '000000', form_token: 'x' })
  assert.is(stranger.status, 403)
  assert.equal((await visitor.post('/sign-out', {})).headers.get('location'), '/sign-in?done=out')
})

test('what moves money asks for the factor again after five minutes, and is done as it was written', async () => {
  await addOperator(node, 'berta', 'administrator')
  const { visitor, secret } = await withAuthenticator(node, 'berta')
  await visitor.get('/merchants/Shop')
  const deposit = {
    merchant: 'Shop',
    currency: 'MXN',
    amount: '12.34',
    reference: 'step-up "1" <b>',
    reason: 'a \\ b',
  }
  node.clock.advance(5 * 60_000)
  const held = await visitor.post('/deposit/add', {
    ...deposit,
    form_page: '/merchants/Shop',
    form_id: 'step-up',
  })
  assert.is(held.status, 403)
  assert.match(held.text, /Confirm that it is you/)
  const fields = Object.fromEntries(
    [...held.text.matchAll(/name="(held(?:_path)?)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value
        .replaceAll('&quot;', '"')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&amp;', '&'),
    ]),
  )
  const deposits = async () =>
    JSON.stringify(await dispatchOf(node)('merchant.show', { name: 'Shop' }, 'test')).includes('step-up')
  const wrong = await visitor.post('/account/confirm', { ...fields, code: '000000' })
  assert.equal(
    [wrong.status, /This code is not right now/.test(wrong.text), await deposits()],
    [403, true, false],
  )
  const done = await visitor.post('/account/confirm', { ...fields, code: codeOf(node, secret) })
  assert.equal(
    [done.status, done.headers.get('location')?.split('*')[0]],
    [303, '/merchants/Shop?done=deposit.add'],
    done.text,
  )
  assert.is(await deposits(), true)
  node.clock.advance(4 * 60_000)
  const next = { ...deposit, reference: 'step-up 2', form_page: '/merchants/Shop' }
  await visitor.get('/merchants/Shop')
  const again = await visitor.post('/deposit/add', next)
  assert.is(again.status, 303, again.text.slice(again.text.indexOf('<main')))
  for (const strange of [
    { held_path: '/account/confirm' },
    { held: 'x' },
    { held: '[["a"]]' },
    { held_path: '/nothing' },
  ]) {
    await visitor.get('/account')
    assert.is((await visitor.post('/account/confirm', { ...fields, ...strange, code: '1' })).status, 404)
  }
})

test('a passkey is added, signs in, and is removed with a fresh factor alone', async () => {
  await addOperator(node, 'carla', 'operator')
  const key = softwareAuthenticator()
  const first = await visitorAs(node, 'carla')
  await first.get('/account/passkey')
  assert.match(first.page, /<noscript><p>A passkey needs the scripts/)
  const made = key.create(optionsOn(first.page), placeOf(node))
  const added = await first.post('/account/passkey', { label: 'Blue <key>', passkey: JSON.stringify(made) })
  assert.match(added.text, /Your recovery codes/)
  const account = await first.get('/account')
  assert.match(account.text, /Blue &lt;key&gt;/)
  assert.match(account.text, /10 are left/)

  const visitor = new ConsoleVisitor(node.operatorUrl)
  await visitor.signIn('carla')
  await visitor.get('/sign-in/factor')
  const answer = key.get(optionsOn(visitor.page), placeOf(node))
  const evil = key.get(optionsOn(visitor.page), { ...placeOf(node), origin: 'https://evil.example' })
  const refused = await visitor.post('/sign-in/factor', { passkey: JSON.stringify(evil), to: '/' })
  assert.match(refused.text, /does not hold/)
  const late = await visitor.post('/sign-in/factor', { passkey: JSON.stringify(answer), to: '/' })
  assert.match(late.text, /was answered before/, 'the challenge it answers is used up')
  const right = key.get(optionsOn(visitor.page), placeOf(node))
  assert.is((await visitor.post('/sign-in/factor', { passkey: JSON.stringify(right), to: '/' })).status, 303)

  node.clock.advance(6 * 60_000)
  await visitor.get('/account')
  const stale = await visitor.post('/account/passkey/remove', { id: key.id })
  assert.match(stale.text, /Confirm that it is you/)
})

test('who has a factor proves it before another one is shown, so that what is made then counts', async () => {
  await addOperator(node, 'gerda', 'administrator')
  const { visitor, secret } = await withAuthenticator(node, 'gerda')
  const key = softwareAuthenticator()
  await visitor.get('/account/passkey')
  const made = key.create(optionsOn(visitor.page), placeOf(node))
  await visitor.post('/account/passkey', { label: 'first', passkey: JSON.stringify(made) })
  node.clock.advance(6 * 60_000)
  for (const [path, isShown] of [
    ['/account/passkey', /data-passkey-kind="create"|Add a passkey<\/button>/],
    ['/account/authenticator', /[A-Z2-7]{32}/],
  ] as const) {
    const asked = await visitor.get(path)
    assert.match(asked.text, /Confirm that it is you/)
    assert.not.match(asked.text, isShown)
    const held = { held_path: '/account/proved', held: JSON.stringify([['form_page', path]]) }
    const wrong = await visitor.post('/account/confirm', { ...held, code: '000000' })
    assert.match(wrong.text, /This code is not right now/)
    const proved = await visitor.post('/account/confirm', { ...held, code: codeOf(node, secret) })
    assert.equal([proved.status, proved.headers.get('location')], [303, path], proved.text)
    assert.match((await visitor.get(path)).text, isShown)
    node.clock.advance(6 * 60_000)
  }
  const held = { held_path: '/account/proved', held: JSON.stringify([['form_page', '/account/passkey']]) }
  await visitor.get('/account/passkey')
  await visitor.post('/account/confirm', { ...held, code: codeOf(node, secret) })
  await visitor.get('/account/passkey')
  const other = softwareAuthenticator()
  const second = other.create(optionsOn(visitor.page), placeOf(node))
  const added = await visitor.post('/account/passkey', { label: 'second', passkey: JSON.stringify(second) })
  assert.equal([added.status, added.headers.get('location')], [303, '/account'], added.text)
})

test('in production an administrator adds a factor before anything else', async () => {
  await addOperator(production, 'ana', 'administrator')
  await addOperator(production, 'luis', 'operator')
  const visitor = new ConsoleVisitor(production.operatorUrl)
  assert.is((await visitor.signIn('ana')).status, 303)
  for (const path of ['/', '/orders', '/operators', '/account', '/settings', '/sign-in/factor']) {
    const { status, headers } = await visitor.get(path)
    assert.equal([status, headers.get('location')], [302, '/account/factors'], path)
  }
  const must = await visitor.get('/account/factors')
  const api = await fetch(`${production.operatorUrl}/api/operations/order.list`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Cookie: visitor.cookie ?? '',
      'Form-Token': visitor.formToken,
    },
    body: '{}',
  })
  assert.is(api.status, 401, 'nor by the operator API')
  assert.match(must.text, /Add a second factor/)
  assert.is((await visitor.post('/operator/add', { name: 'eva', role: 'viewer' })).status, 303)
  const { operators } = (await dispatchOf(production)('operator.list', {}, 'test')) as { operators: object[] }
  assert.is(operators.length, 2, 'nobody was added')
  const { visitor: within } = await withAuthenticator(production, 'ana')
  assert.is((await within.get('/')).status, 200)
  await within.get('/account')
  const last = await within.post('/account/authenticator/remove', { form_page: '/account' })
  assert.equal([last.status, /must have a second factor/.test(last.text)], [422, true])

  const operator = await visitorAs(production, 'luis')
  assert.is((await operator.get('/')).status, 200, 'who is no administrator may do without')
  const { checks } = (await dispatchOf(production)('doctor', {}, 'test')) as {
    checks: { name: string; ok: boolean }[]
  }
  assert.ok(checks.find(({ name }) => name === 'factors')?.ok)
})

test('a link of an invitation makes an account, and looking at it uses nothing up', async () => {
  const { link } = (await dispatchOf(node)(
    'operator.invite',
    { name: 'gast', role: 'viewer' },
    'ana',
  )) as Invitation
  const { pathname, search, searchParams } = new URL(link ?? '')
  const visitor = new ConsoleVisitor(node.operatorUrl)
  for (let look = 0; look < 2; look++)
    assert.match((await visitor.get(pathname + search)).text, /ana has invited you/)
  const invitation = searchParams.get('invitation') ?? ''
  const weak = await visitor.post('/join', { invitation, password: 'short' })
  assert.equal([weak.status, /12 to 200/.test(weak.text)], [400, true])
  assert.is((await visitor.post('/join', { invitation, password })).status, 303)
  assert.match((await visitor.get('/')).text, />gast<\/a> <small>viewer/)
  const again = new ConsoleVisitor(node.operatorUrl)
  assert.is((await again.post('/join', { invitation, password })).status, 410)
  assert.match((await again.get(pathname + search)).text, /no more/)
})

test('one’s own sessions are listed and ended, and nobody else’s', async () => {
  const one = await visitorAs(node, 'operator')
  const other = await visitorAs(node, 'operator')
  await one.get('/account')
  const [id = ''] = [...one.page.matchAll(/<option value="([\w-]{12})"/g)].map(([, value]) => value)
  const stranger = await visitorAs(node, 'gast')
  await stranger.get('/account')
  assert.is((await stranger.post('/session/end', { id, form_page: '/account' })).status, 404)
  assert.is((await other.get('/')).status, 200)
  assert.is((await one.post('/session/end', { id, form_page: '/account' })).status, 303)
  assert.is((await other.get('/')).status, 302)
  assert.is((await one.get('/')).status, 200)
})

test('a page is told how long its session lives, and asking does not prolong it', async () => {
  const visitor = await visitorAs(node, 'operator')
  node.clock.advance(10 * 60_000)
  const left = async (headers = {}) => JSON.parse((await visitor.get('/account/idle', headers)).text).idleMs
  assert.is(await left({ 'Live-Refresh': '1' }), 20 * 60_000)
  assert.is(await left({ 'Live-Refresh': '1' }), 20 * 60_000)
  assert.is(await left(), 30 * 60_000)
  assert.match((await visitor.get('/')).text, /data-idle-ms="1800000"/)
})

test('who tries factors without end has to wait, and a flood is written down once', async () => {
  await addOperator(node, 'flood', 'operator')
  const { secret } = await withAuthenticator(node, 'flood')
  node.clock.advance(300_000)
  const visitor = new ConsoleVisitor(node.operatorUrl)
  await visitor.signIn('flood')
  await visitor.get('/sign-in/factor')
  const statuses: number[] = []
  for (let attempt = 0; attempt < 12; attempt++) {
    const code = attempt < 4 ? '000000' : codeOf(node, secret).replace(/./g, '1')
    statuses.push((await visitor.post('/sign-in/factor', { code, to: '/' })).status)
  }
  assert.equal(statuses.slice(-3), [401, 429, 429])
  const { entries } = (await dispatchOf(node)('audit.list', { operator: 'flood', limit: 200 }, 'test')) as {
    entries: { outcome: string }[]
  }
  assert.is(entries.filter(({ outcome }) => outcome === 'refused: Too many attempts.').length, 1)
})

test.run()
