/** Protocol 14.5: an invitation is mailed through the outbox, makes one account, and its link is in nobody's hands but the invited's. */
import { Writable } from 'node:stream'
import pino from 'pino'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { languages } from '../../actors/notifications/channels.ts'
import type { NotificationDocument, NotificationSummary } from '../../actors/notifications/documents.ts'
import { pruneNotifications } from '../../actors/notifications/retention.ts'
import type { Invitation } from '../../actors/operations/invitations.ts'
import { invitationMs } from '../../actors/people/invitations.ts'
import { statement } from '../../persistence/statement.ts'
import { addOperator, ConsoleVisitor, dispatchOf, password, visitorAs } from '../support/console.ts'
import { answering, startMailServer, type TestMailServer } from '../support/mail-server.ts'
import { startTestNode, stopTestNode, type TestNode } from '../support/node.ts'

let server: TestMailServer
let node: TestNode
/** What the server answers a mail with. */
let fault: Error | null = null
const logged: string[] = []

test.before(async () => {
  server = await startMailServer({}, () => fault)
  const env = {
    VENTANILLA_MAIL_HOST: '127.0.0.1',
    VENTANILLA_MAIL_PORT: String(server.port),
    VENTANILLA_MAIL_SECURITY: 'none',
    VENTANILLA_MAIL_FROM: 'node@pay.example',
  }
  const stream = new Writable({
    write(chunk, _, done) {
      logged.push(String(chunk))
      done()
    },
  })
  node = await startTestNode({ env, log: pino({ level: 'trace' }, stream) })
  await addOperator(node, 'ana', 'administrator')
})

test.after(async () => {
  await stopTestNode(node)
  await server.close()
})

const ask = (name: string, input: object, operator = 'ana') => dispatchOf(node)(name, input, operator)

const invite = async (name: string, more: object = {}) =>
  (await ask('operator.invite', {
    ...{ name, role: 'operator', email: `${name}@shop.example` },
    ...more,
  })) as Invitation

async function mailTo(name: string) {
  const find = () => server.heard.findIndex(({ to }) => to.includes(`${name}@shop.example`))
  await node.until(async () => find() >= 0)
  return server.read(find())
}

const linkIn = (text = '') => /https?:\/\/\S+\/join\?invitation=[\w-]{43}/.exec(text)?.[0] ?? ''

async function shownOf(name: string): Promise<NotificationSummary> {
  const { notifications } = (await ask('notification.list', { limit: 200 })) as {
    notifications: NotificationSummary[]
  }
  const found = notifications.find(({ to }) => to === `${name}@shop.example`)
  if (found === undefined) throw new Error(`nothing is mailed to ${name}`)
  return found
}

const opening = { en: /ana has invited you/, es: /ana le invita/, pt: /ana convidou você/ }

for (const language of languages) {
  test(`the link arrives in ${language}, as text and HTML, and makes one account`, async () => {
    const name = `luis.${language}`
    const { link, mailedTo } = await invite(name, { language })
    assert.equal([link, mailedTo], [null, `${name}@shop.example`])
    const { subject, text, html } = await mailTo(name)
    assert.match(subject ?? '', /^\[Ventanilla sandbox\] \S/)
    for (const part of [text, html]) {
      assert.match(part ?? '', opening[language])
      assert.match(part ?? '', new RegExp(name.replace('.', '\\.')))
    }
    const mailed = linkIn(text)
    assert.is(linkIn(html?.replace(/"/g, ' ')), mailed)
    const { origin, pathname, search, searchParams } = new URL(mailed)
    assert.match(origin, /^http:\/\/localhost:\d+$/)
    const invitation = searchParams.get('invitation') ?? ''
    const browsers = [new ConsoleVisitor(node.operatorUrl), new ConsoleVisitor(node.operatorUrl)]
    for (const browser of browsers) assert.is((await browser.get(pathname + search)).status, 200)
    const made = await Promise.all(browsers.map((browser) => browser.post('/join', { invitation, password })))
    assert.equal(
      made.map(({ status }) => status).toSorted(),
      [303, 410],
      'of two at once one has the account',
    )
    assert.is(
      (await new ConsoleVisitor(node.operatorUrl).post('/join', { invitation, password })).status,
      410,
    )
    assert.is((await visitorAs(node, name)).page.includes(`>${name}</a>`), true)
  })
}

test('the link is in no table, no log, no list and no answer, before it was mailed and behind', async () => {
  fault = answering(451, 'later')
  const answer = await invite('maria')
  const link = linkIn((await mailTo('maria')).text)
  // Heard, it is not refused yet: from then on it is tried again in a minute.
  await node.until(async () => (await shownOf('maria')).lastAnswer === '451')
  fault = null
  node.clock.advance(60_000)
  await node.until(async () => (await shownOf('maria')).state === 'delivered')
  const token = new URL(link).searchParams.get('invitation') ?? ''
  const { id } = await shownOf('maria')
  const shown = (await ask('notification.show', { id })) as NotificationDocument
  assert.match(shown.text, /The address is in the mail alone/)
  const tables = await Promise.all(
    (['notifications', 'invitations', 'audit', 'notification_events'] as const).map((name) =>
      node.core.store.query(
        statement<Record<never, never>>()(`test.${name}`, ({ db }) => db.selectFrom(name).selectAll()),
        {},
      ),
    ),
  )
  const written = (value: unknown) =>
    JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? `${member}` : member))
  const everything = [answer, shown, await shownOf('maria'), tables, logged].map(written).join('\n')
  assert.match(everything, /maria@shop\.example/)
  assert.not.ok(everything.includes(token))
  assert.not.match(written(shown), /sealed/)
})

/** What becomes of an invitation while its mail cannot be sent. */
const ends: [what: string, end: (name: string) => Promise<unknown>][] = [
  ['withdrawn', (name) => ask('operator.uninvite', { name })],
  ['replaced', (name) => invite(name, { email: 'else@shop.example' })],
  ['ended', async () => node.clock.advance(invitationMs)],
  ['made useless', (name) => ask('operator.add', { name, role: 'viewer' })],
]

for (const [what, end] of ends) {
  test(`an invitation that was ${what} meanwhile is mailed no more, and is a dead letter that says so`, async () => {
    fault = answering(451, 'later')
    const name = `gone.${what.replace(' ', '-')}`
    await invite(name)
    await mailTo(name)
    const heard = () => server.heard.filter(({ to }) => to.includes(`${name}@shop.example`)).length
    await node.until(async () => (await shownOf(name)).lastAnswer === '451')
    await end(name)
    const before = heard()
    fault = null
    node.clock.advance(60_000)
    await node.until(async () => (await shownOf(name)).state === 'dead')
    const { lastAnswer, error } = await shownOf(name)
    assert.equal([lastAnswer, error?.includes('invite again'), heard()], ['no invitation', true, before])
  })
}

test('what could not be mailed is gone a day later: there is nothing left to be done about it', async () => {
  const { store } = node.core
  const prune = () =>
    pruneNotifications(store, { retentionDays: 30, clock: node.clock, isTrusted: () => true })
  const deadInvitations = async () => {
    const { notifications } = (await ask('notification.list', { state: 'dead', limit: 200 })) as {
      notifications: NotificationSummary[]
    }
    return notifications.filter(({ purpose }) => purpose === 'invitation').length
  }
  await prune()
  assert.ok((await deadInvitations()) > 0)
  node.clock.advance(invitationMs)
  await prune()
  assert.is(await deadInvitations(), 0)
})

test('whatever headers say, a link begins with the address that operators type', async () => {
  const visitor = await visitorAs(node, 'ana')
  await visitor.get('/operators')
  const fields = { name: 'host', role: 'viewer', email: 'host@shop.example', language: 'es' }
  const strange = { 'X-Forwarded-Host': 'evil.example', Forwarded: 'host=evil.example' }
  const sent = await visitor.post('/operator/invite', { ...fields, form_page: '/operators' }, strange)
  assert.is(sent.status, 200, sent.text)
  assert.match(sent.text, /on its way to host@shop\.example/)
  const { text, html } = await mailTo('host')
  assert.not.match(`${text}${html}`, /evil/)
  assert.match(linkIn(text), /^http:\/\/localhost:/)
})

test('what is no address is refused, and so is a second recipient or header', async () => {
  for (const email of [
    '',
    'a',
    'a@b.example\r\nBcc: c@d.example',
    'a@b.example, c@d.example',
    '<a@b.example>',
  ]) {
    const error = await invite('nobody', { email }).then(() => null, String)
    assert.match(error ?? '', /is not an e-mail address|has another form|fewer/, email)
  }
})

test('a name of whoever invites is one line of text, whatever it is', async () => {
  await ask(
    'operator.invite',
    { name: 'odd', role: 'viewer', email: 'odd@shop.example' },
    '<a href="https://evil.example">x</a>\u202e\u2028Bcc: c@d.example',
  )
  const { headers, text, html } = await mailTo('odd')
  assert.not.ok(headers.some(({ key }) => key === 'bcc'))
  assert.not.match(`${text}${html}`, /[\u202e\u2028]/)
  assert.not.match(html ?? '', /<a href="https:\/\/evil/)
})

test('one that needs a second person is mailed once that one has approved it, and not while it is looked at', async () => {
  await addOperator(node, 'ben', 'administrator')
  const as = (name: string, operation: string, input: object) =>
    dispatchOf(node)(operation, input, name, {
      ...{ role: 'administrator', hasFactor: true, factorAt: node.clock.now() },
    })
  await as('ana', 'approval.setThreshold', { currency: 'MXN', amount: '1000.00', reason: 'agreed' })
  const input = { name: 'two', role: 'viewer', email: 'two@shop.example', language: 'pt' }
  const asked = await as('ana', 'operator.invite', input).then(() => null, String)
  const number = Number(/approval (\d+)/.exec(asked ?? '')?.[1])
  await as('ben', 'approval.approve', { number })
  const told = async () => (await shownOf('two').catch(() => null))?.state ?? 'nothing'
  assert.is(await told(), 'nothing')
  const invitation = (await as('ana', 'operator.invite', input)) as Invitation
  assert.is(invitation.mailedTo, 'two@shop.example')
  assert.match(linkIn((await mailTo('two')).text), /join\?invitation=/)
})

test('where no mail server is set it is said, and the link can be shown instead', async () => {
  const without = await startTestNode()
  const asked = { name: 'eva', role: 'viewer', email: 'eva@shop.example' }
  const error = await dispatchOf(without)('operator.invite', asked, 'ana').then(() => null, String)
  assert.match(error ?? '', /No mail server is set/)
  const { email: _, ...shown } = asked
  const { link } = (await dispatchOf(without)('operator.invite', shown, 'ana')) as Invitation
  assert.match(link ?? '', /\/join\?invitation=/)
  await stopTestNode(without)
})

test.run()
