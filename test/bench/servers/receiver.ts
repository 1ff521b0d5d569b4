/** A receiver of webhooks in a process of its own: it acknowledges whatever comes. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const server = createServer((request, response) => {
  request.resume().on('end', () => response.end())
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
