import { request } from 'node:http'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { startTestNode, stopTestNode, type TestNode } from '../../support/node.ts'

let node: TestNode

test.before(async () => {
  node = await startTestNode()
})

test.after(() => stopTestNode(node))

/** From an address of this host's own. */
function postFrom(localAddress: string, path: string, fields: Record<string, string>): Promise<number> {
  const { port } = new URL(node.operatorUrl)
  const origin = `http://127.0.0.1:${port}`
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: origin }
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, path, method: 'POST', localAddress, headers },
      (answer) => {
        answer.resume()
        resolve(answer.statusCode ?? 0)
      },
    )
    sent.on('error', reject)
    sent.end(new URLSearchParams(fields).toString())
  })
}

test('who tries links without end keeps nobody else from opening theirs', async () => {
  const link = { invitation: 'x'.repeat(43), password: 'a password that nobody has' }
  const ofOne: number[] = []
  for (let attempt = 0; attempt < 31; attempt++) ofOne.push(await postFrom('127.0.0.1', '/join', link))
  assert.equal(ofOne, [...Array.from({ length: 30 }, () => 410), 429])
  assert.is(await postFrom('127.0.0.2', '/join', link), 410)
})

test.run()
