/** Each worker of a started node makes its first pass, as it is wired up there. */
import pino from 'pino'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { startTestNode, stopTestNode } from '../support/node.ts'

test('no worker of a node fails in its first pass', async () => {
  const lines: string[] = []
  const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) })
  const node = await startTestNode({ log })
  await stopTestNode(node)
  assert.equal(
    lines.filter((line) => line.includes('a pass failed')),
    [],
  )
})

test.run()
