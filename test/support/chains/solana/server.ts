/** JSON-RPC over HTTP, single and batched requests. */
import { createServer } from 'node:http'
import { Refused } from './ledger.ts'
import type { SolanaRpc } from './rpc.ts'

export interface RpcServer {
  readonly url: string
  close(): Promise<void>
}

interface RpcRequest {
  readonly id: unknown
  readonly method: string
  readonly params?: readonly unknown[]
}

export async function serveRpc(rpc: SolanaRpc, port = 0): Promise<RpcServer> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body: RpcRequest | RpcRequest[] = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    const answer = Array.isArray(body) ? body.map((single) => answerTo(rpc, single)) : answerTo(rpc, body)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function answerTo(rpc: SolanaRpc, { id, method, params }: RpcRequest): unknown {
  try {
    return { jsonrpc: '2.0', id, result: rpc.call(method, params ?? []) }
  } catch (error) {
    const { code, data } = error instanceof Refused ? error : { code: -32603, data: null }
    const message = error instanceof Error ? error.message : String(error)
    return { jsonrpc: '2.0', id, error: { code, message, data } }
  }
}
