/** A node that is told to stop says so first, and answers whoever still comes. */
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { startTestNode, stopTestNode, until } from '../support/node.ts'
import { newOrder } from '../support/orders.ts'
import { open } from '../support/raw-http.ts'

interface Answer {
  status: number
  connection: string | undefined
  text: string
}

const agents: Agent[] = []
test.after.each(() => {
  for (const agent of agents.splice(0)) agent.destroy()
})

function keepingAgent(): Agent {
  const agent = new Agent({ keepAlive: true })
  agents.push(agent)
  return agent
}

function ask(url: string, agent = keepingAgent()): Promise<Answer> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, async (response) => {
      const text = (await response.toArray()).join('')
      resolve({ status: response.statusCode ?? 0, connection: response.headers.connection, text })
    }).on('error', reject)
  })
}

test('while it still accepts, it is not ready, serves, and says that each answer is the last', async () => {
  const node = await startTestNode({ env: { VENTANILLA_HTTP_STOPDELAYSECONDS: '3' } })
  const before = await ask(`${node.publicUrl}/readyz`)
  assert.equal([before.status, before.connection], [200, 'keep-alive'])
  const { id } = await newOrder(node, 'PAY_OUT')
  const stopped = stopTestNode(node)
  const ready = await ask(`${node.publicUrl}/readyz`)
  assert.equal([ready.status, ready.connection], [503, 'close'])
  assert.equal(JSON.parse(ready.text), { status: 'draining' })
  const page = await ask(`${node.publicUrl}/checkout/${id}`)
  assert.equal([page.status, page.connection], [200, 'close'])
  const operator = await ask(`${node.operatorUrl}/healthz`)
  assert.equal([operator.status, operator.connection], [200, 'close'])
  await stopped
  await assertRefused(node.publicUrl)
  await assertRefused(node.operatorUrl)
})

test('without a delay, what is sent at that instant is answered all the same', async () => {
  const node = await startTestNode()
  const kept = Array.from({ length: 12 }, keepingAgent)
  await Promise.all(kept.map((agent) => ask(`${node.publicUrl}/healthz`, agent)))
  const fresh = Array.from({ length: 12 }, keepingAgent)
  const answers = [...kept, ...fresh].map((agent) => ask(`${node.publicUrl}/healthz`, agent))
  // They are on their way, and none has been read.
  const stopped = stopTestNode(node)
  assert.equal(
    (await Promise.all(answers)).map(({ status }) => status),
    Array(24).fill(200),
  )
  await stopped
})

test('half of a request that was sent before is answered when the rest comes in time', async () => {
  const node = await startTestNode()
  const socket = await open(new URL(node.publicUrl).port)
  socket.write('GET /readyz HTTP/1.1\r\nHost: node\r\n')
  await new Promise((resolve) => setTimeout(resolve, 50))
  const stopped = stopTestNode(node)
  await until(() => isRefused(node.publicUrl))
  socket.write('\r\n')
  const [answer] = await once(socket, 'data')
  assert.match(String(answer), /^HTTP\/1\.1 503 .*connection: close/is)
  await stopped
})

async function isRefused(url: string): Promise<boolean> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  const refused = await new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(false)).once('error', () => resolve(true))
  })
  socket.destroy()
  return refused
}

const assertRefused = async (url: string) => assert.ok(await isRefused(url), `${url} accepts nothing`)

test.run()
