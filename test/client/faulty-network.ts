/** Between a client and its node: what was sent is kept, and the next requests meet faults. */
import { request as ask, createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/**
 * `lose`: it is carried out, and the answer is lost; `drop`: it never arrives; or an answer of something between.
 */
export type Fault = 'lose' | 'drop' | { status: number; headers?: Record<string, string>; body?: string }

export interface SentRequest {
  method: string
  target: string
  headers: IncomingHttpHeaders
  body: string
}

export interface FaultyNetwork {
  url: string
  /** The next request meets the first one. */
  faults: Fault[]
  sent: SentRequest[]
  close(): void
}

export async function startFaultyNetwork(nodeUrl: string): Promise<FaultyNetwork> {
  const faults: Fault[] = []
  const sent: SentRequest[] = []
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const { method = '', url = '', headers } = request
    sent.push({ method, target: url, headers, body: body.toString() })
    const fault = faults.shift()
    if (fault === 'drop') return request.socket.destroy()
    if (typeof fault === 'object') return response.writeHead(fault.status, fault.headers).end(fault.body)
    const { host: _, connection: __, ...others } = headers
    const forwarded = ask(`${nodeUrl}${url}`, { method, headers: others }, (answer) => {
      if (fault === 'lose') {
        answer.resume().on('end', () => request.socket.destroy())
      } else {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      }
    })
    forwarded.on('error', () => request.socket.destroy())
    forwarded.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    faults,
    sent,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
