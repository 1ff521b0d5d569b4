/** A node that has stopped leaves nothing of itself in its process, where tests and commands go on. */
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { startTestNode, stopTestNode } from '../support/node.ts'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

/** What everything of a node hangs on. */
async function liveOnce(): Promise<WeakRef<object>[]> {
  const node = await startTestNode()
  await fetch(`${node.operatorUrl}/metrics`)
  const left = [node.core.store, node.core.condition, node.workers].map((part) => new WeakRef(part))
  await stopTestNode(node)
  return left
}

test('of nodes that have stopped nothing is kept', async () => {
  const left = [...(await liveOnce()), ...(await liveOnce())]
  for (let round = 0; round < 600 && left.some((part) => part.deref() !== undefined); round++) {
    await delay(50)
    collect()
  }
  assert.equal(
    left.map((part) => part.deref() === undefined),
    left.map(() => true),
  )
})

test.run()
