import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createVault } from '../../../actors/keys/vault.ts'
import { createAttempts } from '../../../http/console/attempts.ts'
import { createWay } from '../../../http/console/way-in.ts'
import { fakeClock } from '../../support/clock.ts'

const clock = fakeClock()

/** What a way in reads of a request, and what it sets. */
function visit(remoteAddress: string, cookie = '') {
  const cookies: string[] = []
  const headers = { cookie }
  const context = {
    headers,
    req: { headers, socket: { remoteAddress, localPort: 8081 } },
    get: () => '',
    append: (_: string, value: string) => void cookies.push(value),
  }
  return { context: context as unknown as Parameters<Way['enter']>[0], cookies }
}

type Way = ReturnType<typeof createWay>

test('strangers from everywhere wait while many passwords are worked out, and who has been in does not', async () => {
  const held = Promise.withResolvers<string | null>()
  let isHeld = false
  const vault = createVault(Buffer.alloc(32, 7))
  const way = createWay({
    sessions: { signIn: async () => (isHeld ? held.promise : 'a'.repeat(43)) },
    people: { vault },
    ...{ attempts: createAttempts(clock), clock },
  } as unknown as Parameters<typeof createWay>[0])
  const first = visit('192.0.2.1')
  assert.is(await way.enter(first.context, 'ana', 'right'), true)
  const mark = first.cookies.find((set) => set.startsWith('ventanilla_browser_8081='))?.split(';')[0]
  isHeld = true
  const tries = Array.from({ length: 20 }, (_, index) => {
    const { context } = visit(`192.0.2.${10 + index}`)
    assert.is(way.mustWait(context, `name-${index}`), null)
    return way.enter(context, `name-${index}`, 'wrong')
  })
  assert.is(way.mustWait(visit('192.0.2.200').context, 'anybody'), 5)
  assert.is(way.mustWait(visit('192.0.2.200').context, 'ana'), 5)
  assert.is(way.mustWait(visit('192.0.2.200', mark).context, 'ana'), null)
  held.resolve(null)
  assert.equal(new Set(await Promise.all(tries)), new Set([false]))
  assert.is(way.mustWait(visit('192.0.2.200').context, 'anybody'), null)
})

test('factors are counted by person and by address, and what strangers try does not count', () => {
  const attempts = createAttempts(clock)
  const at = (address: string) => visit(address).context
  for (let time = 0; time < 31; time++) attempts.mustWait(at('192.0.2.1'), 'ana')
  assert.is(attempts.mustWait(at('192.0.2.1'), 'ana'), 300)
  for (let time = 0; time < 10; time++) assert.is(attempts.mustWaitToProve(at('192.0.2.1'), 'ana'), null)
  assert.is(attempts.mustWaitToProve(at('192.0.2.2'), 'ana'), 300)
  for (let person = 0; person < 50; person++)
    assert.is(attempts.mustWaitToProve(at('192.0.2.1'), `person-${person}`), null)
  assert.is(attempts.mustWaitToProve(at('192.0.2.1'), 'berta'), 300)
  assert.is(attempts.mustWaitToProve(at('192.0.2.3'), 'berta'), null)
})

test('of IPv6 a /64 is one address', () => {
  const attempts = createAttempts(clock)
  for (let host = 1; host <= 30; host++)
    assert.is(attempts.mustWait(visit(`2001:db8:1:2::${host}`).context, `name-${host}`), null)
  assert.is(attempts.mustWait(visit('2001:db8:1:2:ffff::1').context, 'another'), 300)
  assert.is(attempts.mustWait(visit('2001:db8:1:3::1').context, 'another'), null)
})

test.run()
