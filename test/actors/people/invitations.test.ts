import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Invitation } from '../../../actors/operations/invitations.ts'
import { acceptInvitation, findInvitation, invitationMs } from '../../../actors/people/invitations.ts'
import { createSessions } from '../../../actors/people/sessions.ts'
import { statement } from '../../../persistence/statement.ts'
import { addOperator, dispatchOf, password } from '../../support/console.ts'
import { startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'

let node: TestNode

test.before(async () => {
  node = await startTestNode()
  await addOperator(node, 'ana', 'administrator')
})

test.after(() => stopTestNode(node))

const invite = async (name: string) =>
  (await dispatchOf(node)('operator.invite', { name, role: 'operator' }, 'ana')) as Invitation

const tokenOf = ({ link }: Invitation) => new URL(link ?? '').searchParams.get('invitation') ?? ''

const accept = (invitation: Invitation, secret = password) =>
  acceptInvitation(
    { store: node.core.store, clock: node.clock },
    { token: tokenOf(invitation), password: secret, address: '127.0.0.1' },
  )

const refusalOf = (work: Promise<unknown>) => work.then(() => null, String)

test('an invitation makes one account, with the role that was meant and a password that nobody else knows', async () => {
  const invitation = await invite('luis')
  assert.match(invitation.link ?? '', /^http:\/\/localhost:\d+\/join\?invitation=[\w-]{43}$/)
  assert.is(Date.parse(invitation.expires), node.clock.now() + invitationMs)
  const found = await findInvitation(node.core.store, tokenOf(invitation), node.clock.now())
  assert.equal(found, { name: 'luis', role: 'operator', invitedBy: 'ana' })
  assert.is(await accept(invitation), 'luis')
  assert.is(await accept(invitation), null, 'once')
  const sessions = createSessions({ store: node.core.store, clock: node.clock })
  const token = await sessions.signIn({ name: 'luis', password, address: '127.0.0.1' })
  assert.is((await sessions.find(token ?? ''))?.role, 'operator')
})

test('two that open one link at once: one has the account', async () => {
  const invitation = await invite('two')
  const made = await Promise.all([accept(invitation), accept(invitation)])
  assert.equal(made.toSorted(), ['two', null].toSorted())
})

test('an invitation ends after a day, when it is withdrawn, and with the next one of the name', async () => {
  const old = await invite('eva')
  const next = await invite('eva')
  assert.is(await accept(old), null)
  node.clock.advance(invitationMs)
  assert.is(await accept(next), null)
  const third = await invite('eva')
  await dispatchOf(node)('operator.uninvite', { name: 'eva' }, 'ana')
  assert.is(await accept(third), null)
  assert.match(
    (await refusalOf(dispatchOf(node)('operator.uninvite', { name: 'eva' }, 'ana'))) ?? '',
    /no invitation/,
  )
})

test('by the wall: one that was made in a year that was a mistake is over with it, and the next lasts a day', async () => {
  const yearMs = 365 * 86_400_000
  node.clock.jump(yearMs)
  const wrong = await invite('ida')
  node.clock.jump(-yearMs)
  assert.is(await accept(wrong), null)
  const { invitations } = (await dispatchOf(node)('operator.list', {}, 'ana')) as { invitations: object[] }
  assert.not.match(JSON.stringify(invitations), /ida/)
  const right = await invite('ida')
  node.clock.advance(invitationMs)
  assert.is(await accept(right), null)
  assert.is(await accept(await invite('ida')), 'ida')
})

test('nobody is invited under a name that somebody has, and none is taken in between', async () => {
  assert.match((await refusalOf(invite('ana'))) ?? '', /There is an operator ana already/)
  const invitation = await invite('otto')
  await addOperator(node, 'otto', 'viewer')
  assert.is(await accept(invitation), null)
})

test('a password that is none makes no account, and uses nothing up', async () => {
  const invitation = await invite('paula')
  for (const secret of ['short', 'paula', 'x'.repeat(201)])
    assert.ok(await refusalOf(accept(invitation, secret)))
  assert.is(await accept(invitation), 'paula')
})

test('what is in the link is neither in the database nor in the audit log', async () => {
  const invitation = await invite('quinn')
  const rows = await node.core.store.query(
    statement<Record<never, never>>()('test.invitations', ({ db }) =>
      db.selectFrom('invitations').selectAll(),
    ),
    {},
  )
  const { entries } = (await dispatchOf(node)('audit.list', { limit: 200 }, 'test')) as { entries: object[] }
  const text = JSON.stringify([rows, entries])
  assert.match(text, /quinn/)
  assert.not.ok(text.includes(tokenOf(invitation)))
  assert.match(text, /invited by ana/)
})

test('an invitation waits in the list of operators', async () => {
  const { invitations } = (await dispatchOf(node)('operator.list', {}, 'ana')) as {
    invitations: { name: string }[]
  }
  assert.equal(
    invitations.map(({ name }) => name),
    ['otto', 'quinn'],
  )
})

test.run()
