import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { WebhookSender } from '../../../actors/webhooks/sender.ts'
import { sandboxRetries } from '../../../machines/retry.ts'
import { OutcomeUnknown, type Store, StoreUnavailable } from '../../../persistence/store.ts'
import { isOnPostgres } from '../../support/database.ts'
import { changedStore } from '../../support/order-world.ts'
import { type WebhookWorld, webhookWorlds } from '../../support/webhook-world.ts'

const inWorld = webhookWorlds(test)
const minuteMs = 60_000
/** SQLite has one node, so what was under way when that starts has died; elsewhere the lease has to end first. */
const untilFoundMs = isOnPostgres ? minuteMs : 0

const ledgerOf = async (world: WebhookWorld, id: string) =>
  (await world.attempts(id)).map(({ attempt, outcome }) => `${attempt} ${outcome}`)

inWorld(
  'an attempt that died with its node is unknown and counted, and the webhook goes again',
  async (world) => {
    const { clock, sender, start } = world
    const [id = ''] = await world.order('f')
    sender.receive = () => undefined
    await start().run()
    const underWay = await world.webhook(id)
    assert.equal([underWay.attempts, underWay.due_at], [1, underWay.lease_until_at])
    assert.equal(await ledgerOf(world, id), ['1 started'])

    clock.advance(untilFoundMs + 5000)
    sender.receive = () => ({ outcome: 'acknowledged', status: 200 })
    const restarted = start()
    await restarted.run()
    const found = await world.webhook(id)
    assert.equal([found.state, found.attempts, found.last_answer], ['pending', 1, 'unknown'])
    assert.is(found.due_at, clock.now() + 1000)
    await restarted.runUntil(clock.now() + 2000)
    assert.equal(await ledgerOf(world, id), ['1 unknown', '2 acknowledged'])
    assert.is((await world.webhook(id)).state, 'delivered')
    assert.is(sender.sent.at(-1)?.message.headers['Webhook-Attempt'], '2')
  },
)

inWorld('an answer that comes when its attempt was given up for lost changes nothing', async (world) => {
  const { clock, sender, start } = world
  const [id = ''] = await world.order('f')
  sender.receive = () => undefined
  const before = start()
  await before.run()
  clock.advance(untilFoundMs)
  await start().run()
  const taken = await world.webhook(id)
  sender.answer({ outcome: 'refused', status: 400 })
  await before.run()
  assert.equal(await world.webhook(id), taken)
  assert.equal(await ledgerOf(world, id), ['1 unknown'])
})

inWorld('a crash at each of the attempts uses them up, and the last one is a dead letter', async (world) => {
  const { clock, sender, start } = world
  const [id = ''] = await world.order('f')
  sender.receive = () => undefined
  for (let crash = 0; crash < 3; crash++) {
    await start({ policy: sandboxRetries }).runUntil(clock.now() + untilFoundMs + 3000)
  }
  await start({ policy: sandboxRetries }).run()
  assert.equal(await ledgerOf(world, id), ['1 unknown', '2 unknown', '3 unknown'])
  assert.is((await world.webhook(id)).state, 'dead')
  assert.match((await world.rows('exceptions'))[0]?.reason ?? '', /unknown, the node stopped meanwhile/)
})

inWorld(
  'told to stop, what was not sent is handed back uncounted, what was sent is unknown',
  async (world) => {
    const { clock, sender, start } = world
    const [unsent = ''] = await world.order('f', { url: 'https://quick.example/' })
    const [sent = ''] = await world.order('f', { url: 'https://slow.example/' })
    sender.receive = () => undefined
    const { run, delivery } = start()
    await run()
    assert.is(sender.waiting, 2)
    clock.advance(2000)
    await delivery.finish()
    assert.ok(sender.isClosed)
    const handedBack = await world.webhook(unsent)
    assert.equal(
      [handedBack.attempts, handedBack.first_attempt_at, handedBack.last_attempt_at],
      [0, null, null],
    )
    assert.equal([handedBack.due_at, handedBack.lease_until_at], [clock.now(), null])
    assert.equal(await ledgerOf(world, unsent), [])
    assert.equal(await ledgerOf(world, sent), ['1 unknown'])
    assert.is((await world.webhook(sent)).attempts, 1)

    sender.receive = () => ({ outcome: 'acknowledged', status: 200 })
    await start().runUntil(clock.now() + minuteMs)
    assert.equal(await ledgerOf(world, unsent), ['1 acknowledged'])
    assert.equal(await ledgerOf(world, sent), ['1 unknown', '2 acknowledged'])
  },
)

inWorld('told to stop, attempts that end by themselves in the grace are settled', async (world) => {
  const { sender, start } = world
  const [id = ''] = await world.order('f')
  sender.receive = () => undefined
  const { run, delivery } = start({ graceMs: 60_000 })
  await run()
  const finished = delivery.finish()
  sender.answer({ outcome: 'acknowledged', status: 200 })
  await finished
  assert.equal(await ledgerOf(world, id), ['1 acknowledged'])
})

inWorld('what came of an attempt is kept until the disk has room for it', async (world) => {
  const { store, sender, start } = world
  const [id = ''] = await world.order('f')
  let refusals = 0
  const step: Store['step'] = async (asked) => {
    if (sender.sent.length > 0 && refusals++ < 2) throw new StoreUnavailable('full', 'the disk is full')
    return store.step(asked)
  }
  const full = changedStore(store, { step })
  const { run, delivery } = start({ store: full, graceMs: 60_000 })
  await run()
  await delivery.finish()
  assert.is(refusals, 3)
  assert.equal(await ledgerOf(world, id), ['1 acknowledged'])
})

inWorld('a claim whose answer was lost is found soon after its lease', async (world) => {
  const { store, clock, start } = world
  let isLost = false
  const step: Store['step'] = async (asked) => {
    const result = await store.step(asked)
    const claimed = await world.rows('webhook_attempts')
    if (isLost || claimed.length === 0) return result
    isLost = true
    throw new OutcomeUnknown('the connection was lost while it was committed')
  }
  const { run } = start({ store: changedStore(store, { step }) })
  await run()
  // Between two walks through all lanes.
  clock.advance(7_000)
  const [id = ''] = await world.order('f')
  for (let second = 0; second < 67; second++) {
    await run()
    clock.advance(1_000)
  }
  assert.equal(await ledgerOf(world, id), ['1 unknown', '2 acknowledged'])
})

/** A store and a sender whose process ends at the n-th call, before or after it was carried out. */
function dyingAt(world: WebhookWorld, call: number, when: 'before' | 'after') {
  let calls = 0
  const never = new Promise<never>(() => {})
  const survive = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const present = ++calls
    if (present > call || (present === call && when === 'before')) return never
    const result = await work()
    return present === call ? never : result
  }
  const { store, sender } = world
  const dying = changedStore(store, {
    step: (step) => survive(() => store.step(step)),
    query: (statement, args) => survive(() => store.query(statement, args)),
    execute: (statement, args) => survive(() => store.execute(statement, args)),
    subscribe: () => () => {},
  })
  const dyingSender: WebhookSender = {
    send: (message, signal) => survive(() => sender.send(message, signal)),
    close: () => {},
  }
  return { store: dying, sender: dyingSender, isDead: () => calls >= call }
}

for (const when of ['before', 'after'] as const) {
  inWorld(
    `a node that dies ${when} any of its calls loses no webhook, no count and no order`,
    async (world) => {
      const { clock, sender, start } = world
      let deaths = 0
      for (let call = 1; ; call++) {
        const ids = [...(await world.order('nnf')), ...(await world.order('f'))]
        const before = sender.sent.length
        // The first of each order fails once, so that retries and put-off webhooks are cut off too.
        sender.receive = ({ headers }) =>
          headers['Webhook-Sequence'] === '1' && headers['Webhook-Attempt'] === '1'
            ? { outcome: 'unavailable', status: 503 }
            : { outcome: 'acknowledged', status: 200 }
        const dying = dyingAt(world, call, when)
        const first = start({ store: dying.store, sender: dying.sender })
        let isOver = false
        const running = first.runUntil(clock.now() + minuteMs).finally(() => {
          isOver = true
        })
        await Promise.race([running, untilEnd(() => isOver || dying.isDead())])
        if (!dying.isDead()) break
        deaths++
        // What died may still have moved the clock.
        await start().runUntil(clock.now() + 10 * minuteMs)
        await assertAllDelivered(world, ids, sender.sent.slice(before))
      }
      assert.ok(deaths > 40, `${deaths} deaths`)
    },
  )
}

async function untilEnd(isOver: () => boolean): Promise<void> {
  while (!isOver()) await new Promise((resolve) => setImmediate(resolve))
  // What was begun before may still be carried out.
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
}

async function assertAllDelivered(world: WebhookWorld, ids: string[], sent: typeof world.sender.sent) {
  for (const id of ids) {
    const { state, attempts } = await world.webhook(id)
    const ledger = await world.attempts(id)
    assert.ok(state === 'delivered' || state === 'superseded', `${id} is ${state}`)
    assert.is(ledger.length, attempts, `the attempts of ${id}`)
    assert.ok(ledger.every(({ outcome, ended_at }) => outcome !== 'started' && ended_at !== null))
    const seen = sent.filter(({ message }) => message.headers['Webhook-Id'] === id).length
    const unknown = ledger.filter(({ outcome }) => outcome === 'unknown').length
    assert.ok(seen >= 1 && seen <= attempts && seen >= attempts - unknown, `${id} was sent ${seen} times`)
  }
  const sequences = sent
    .filter(({ message }) => ids.slice(0, 3).includes(message.headers['Webhook-Id'] ?? ''))
    .map(({ message }) => Number(message.headers['Webhook-Sequence']))
  assert.equal(
    sequences,
    sequences.toSorted((a, b) => a - b),
    'first in, first out',
  )
}

test.run()
