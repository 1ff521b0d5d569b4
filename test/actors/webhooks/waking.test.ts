/** Webhook delivery under its worker: whatever makes room for more wakes it, and nothing waits for the next look. */
import { setTimeout as rest } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createActor, waitFor } from 'xstate'
import { worker } from '../../../actors/foundation/worker.ts'
import { webhookWorlds } from '../../support/webhook-world.ts'

const inWorld = webhookWorlds(test)
const hourMs = 3_600_000

inWorld('what waits for a place in its lane goes as soon as there is one', async (world) => {
  const { clock, sender, start } = world
  const { pass, delivery } = start({ wake: () => running.send({ type: 'wake' }), lingerMs: 3 })
  const failed: unknown[] = []
  const onError = (error: unknown) => failed.push(error)
  const running = createActor(worker, {
    input: { pass, finish: delivery.finish, clock, pollMs: hourMs, onError },
  })
  running.start()
  // An answer comes after the pass that asked for it, and finds its worker idle.
  sender.receive = () => undefined
  const receiver = setInterval(() => {
    while (sender.waiting > 0) sender.answer({ outcome: 'acknowledged', status: 200 })
  }, 20)
  const until = async (count: number) => {
    const latest = Date.now() + 10_000
    while (sender.sent.length < count && Date.now() < latest) await rest(5)
    assert.is(sender.sent.length, count)
  }
  try {
    // The lane is well after it, and what follows is no backlog.
    await world.order('f')
    running.send({ type: 'wake' })
    await until(1)
    clock.advance(1)
    for (let made = 0; made < 60; made++) await world.order('f')
    running.send({ type: 'wake' })
    await until(61)
  } finally {
    clearInterval(receiver)
    while (sender.waiting > 0) sender.answer({ outcome: 'acknowledged', status: 200 })
    running.send({ type: 'stop' })
    await waitFor(running, ({ status }) => status === 'done')
  }
  assert.equal(failed, [])
})

test.run()
